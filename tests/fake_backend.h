/* fake_backend.h: a fake backend, for devices that need not exist. To build a program it writes LABEL-NUMBER.cl or
 * LABEL-NUMBER.cu. Where NVRTC is found and compiles the text, it also writes LABEL-NUMBER.log with the assembler's
 * report. */
#ifndef TEST_FAKE_BACKEND_H
#define TEST_FAKE_BACKEND_H

#include "moderncl/moderncl.h"

extern const char *fake_folder;
extern char fake_label[96];       /* label of the present call */
extern const char *fake_wanted;   /* words of the labels that are compiled; NULL: all labels are */
extern int fake_part, fake_parts; /* every fake_parts-th program is compiled, from number fake_part on */
extern int fake_checks_only;      /* 1 where NVRTC does not optimise and makes no machine code, so the log is empty */
extern int fake_default_tiles;    /* 1 where only default tiles are compiled, for Intel's and AMD's GPUs */
extern int fake_program_count;    /* number of programs of all parts */
extern int fake_failed_count;     /* number of programs that NVRTC does not compile */

/* Makes a context. device: "cuda" or "opencl", an H200; "processor", an OpenCL device without sub-groups;
 * "sub_groups_N", a device with OpenCL's sub-groups of N work-items; "gen9", "gen12lp", "dg2" and "pvc", GPUs of Intel;
 * "gfx906", "gfx90a", "gfx1030" and "gfx1100", GPUs of AMD. Gives MCL_ERROR_ARGUMENT for any other name. */
mcl_status fake_context(const char *device, mcl_context **out);
/* Takes a program's arguments, DEVICE FOLDER [WORDS [PART PARTS]], and lets write_all make its calls. It prints what
 * fails. */
mcl_status fake_texts_write(int count, char **arguments, mcl_status (*write_all)(mcl_context *context));

#endif
