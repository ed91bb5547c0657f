/* fake_backend.h: a fake backend, for devices that need not be there. Building a program means writing
 * LABEL-NUMBER.cl, or LABEL-NUMBER.cu and, where NVRTC is found and compiles it, LABEL-NUMBER.log with what its
 * assembler reports. */
#ifndef TEST_FAKE_BACKEND_H
#define TEST_FAKE_BACKEND_H

#include "moderncl/moderncl.h"

extern const char *fake_folder;
extern char fake_label[96];       /* of the call being made */
extern const char *fake_wanted;   /* only labels with these words are compiled; NULL: all */
extern int fake_part, fake_parts; /* of the programs every fake_parts-th is compiled, from fake_part on */
extern int fake_checks_only;      /* NVRTC does not optimise and makes no machine code: the log says nothing */
extern int fake_default_tiles;    /* of Intel's and AMD's GPUs: no other tiles are wanted */
extern int fake_program_count;    /* of all parts */
extern int fake_failed_count;     /* programs that NVRTC does not compile */

/* device: "cuda" or "opencl", an H200's; "processor", an OpenCL device without sub-groups; "sub_groups_N", one with
 * those of OpenCL, of N work-items; "gen9", "gen12lp", "dg2" and "pvc", Intel's GPUs; "gfx906", "gfx90a", "gfx1030" and
 * "gfx1100", AMD's. Gives MCL_ERROR_ARGUMENT for any other name. */
mcl_status fake_context(const char *device, mcl_context **out);
/* Takes a program's arguments, DEVICE FOLDER [WORDS [PART PARTS]], and lets write_all make its calls. Tells
 * what fails. */
mcl_status fake_texts_write(int count, char **arguments, mcl_status (*write_all)(mcl_context *context));

#endif
