#pragma once
/* paths.h: the values of MCL_WORD_PATH and MCL_SUB_GROUP_PATH: how groups and work-items exchange values. */
#define MCL_WORD_PATH_NONE 0
#define MCL_WORD_PATH_CUDA 1   /* ld/st.relaxed.gpu by NVRTC */
#define MCL_WORD_PATH_C11 2    /* OpenCL C 3.0 relaxed device-scope atomics */
#define MCL_WORD_PATH_PTX 3    /* ld/st.relaxed.gpu by inline PTX in OpenCL C */
#define MCL_WORD_PATH_LEGACY 4 /* cl_khr_int64_base_atomics */

#define MCL_SUB_GROUP_PATH_NONE 0
#define MCL_SUB_GROUP_PATH_CUDA 1
#define MCL_SUB_GROUP_PATH_PTX 2 /* NVIDIA's OpenCL has no cl_khr_subgroups, but inline PTX */
#define MCL_SUB_GROUP_PATH_KHR 3 /* cl_khr_subgroup_shuffle and shuffle_relative, of one known size */
