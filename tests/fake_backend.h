/* fake_backend.h: a fake backend, for an sm_90 device that need not be there. Building a program means writing
 * LABEL-NUMBER.cl, or LABEL-NUMBER.cu and, where NVRTC is found and compiles it, LABEL-NUMBER.log with what its
 * assembler reports. */
#ifndef TEST_FAKE_BACKEND_H
#define TEST_FAKE_BACKEND_H

#include "moderncl/moderncl.h"

extern const char *fake_folder;
extern char fake_label[96];       /* of the call being made */
extern const char *fake_wanted;   /* only labels with these words are compiled; NULL: all */
extern int fake_part, fake_parts; /* of the programs every fake_parts-th is compiled, from fake_part on */
extern int fake_program_count;    /* of all parts */
extern int fake_failed_count;     /* programs that NVRTC does not compile */

mcl_status fake_context(int cuda, mcl_context **out);

#endif
