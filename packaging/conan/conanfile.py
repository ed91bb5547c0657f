"""Conan's recipe of the source tree it lies in: conan create packaging/conan"""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Moderncl(ConanFile):
    name = "moderncl"
    description = "Load-balanced data-parallel primitives for OpenCL and CUDA"
    license = "BSD-3-Clause"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = ["C"]

    def _tree(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._tree(), "include", "moderncl", "moderncl.h"))
        self.version = ".".join(re.findall(r"^#define MCL_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE))

    def export_sources(self):
        copy(self, "*", self._tree(), self.export_sources_folder, excludes=("build", "build/*", ".git", ".git/*"))

    def requirements(self):
        self.requires("opencl-headers/2023.12.14", visible=False)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "BENCH", "TOOLS", "EXAMPLES"):
            toolchain.cache_variables["MCL_" + part] = False
        toolchain.cache_variables["MCL_MPI"] = "off"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    # The library's own CMake package is found, so that there is one description of its targets.
    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "moderncl")]
        self.cpp_info.libs = ["moderncl"]
        if self.settings.os == "Linux" and not self.options.shared:
            self.cpp_info.system_libs = ["dl", "m", "pthread"]
