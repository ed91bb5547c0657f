// version.hpp: how OpenMM's sorters differ from version to version. 7.7 has one class; 8.6 has an interface for all
// platforms too, with a virtual sort and a destructor that frees.
#ifndef VERSION_HPP
#define VERSION_HPP

#include <CL/cl.h>
// OpenMM 8.6 brings an opencl.hpp that is newer than Debian 12's headers of OpenCL.
#ifndef CL_MAKE_VERSION
#define CL_MAKE_VERSION(major, minor, patch) ((major) << 22 | (minor) << 12 | (patch))
#endif
#include <openmm/opencl/OpenCLSort.h>

#if __has_include(<openmm/common/ComputeSort.h>)
#define OPENMM_HAS_INTERFACE 1
using SortTrait = OpenMM::ComputeSortImpl::SortTrait;
using SortedArray = OpenMM::ArrayInterface;
#else
#define OPENMM_HAS_INTERFACE 0
using SortTrait = OpenMM::OpenCLSort::SortTrait;
using SortedArray = OpenMM::OpenCLArray;
#endif

#endif
