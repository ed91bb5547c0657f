/* paper_backend.h: a backend on paper, for an sm_90 device that need not be there. Building a program means writing
 * LABEL-NUMBER.cl, or LABEL-NUMBER.cu and, where NVRTC is found and compiles it, LABEL-NUMBER.log with what its
 * assembler reports. */
#ifndef TEST_PAPER_BACKEND_H
#define TEST_PAPER_BACKEND_H

#include "moderncl/moderncl.h"

extern const char *paper_folder;
extern char paper_label[96];        /* of the call being made */
extern const char *paper_wanted;    /* only labels with these words are compiled; NULL: all */
extern int paper_part, paper_parts; /* of the programs every paper_parts-th is compiled, from paper_part on */
extern int paper_program_count;     /* of all parts */
extern int paper_failed_count;      /* programs that NVRTC does not compile */

mcl_status paper_context(int cuda, mcl_context **out);

#endif
