# Spack's recipe. There is no public address to fetch from: put the archive of tools/release into the current folder, or
# say spack install moderncl dev_path=TREE. spack repo add packaging/spack makes the recipe known.
from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack.package import *


class Moderncl(CMakePackage):
    """Load-balanced data-parallel primitives for OpenCL and CUDA."""

    manual_download = True
    license("BSD-3-Clause")

    version("0.9.0")

    variant("shared", default=True, description="Build the shared library instead of the static one")

    depends_on("c", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("opencl-c-headers", type="build")

    def cmake_args(self):
        off = [self.define("MCL_" + part, False) for part in ("TESTS", "BENCH", "TOOLS", "EXAMPLES")]
        return off + [self.define("MCL_MPI", "off"), self.define_from_variant("BUILD_SHARED_LIBS", "shared")]
