# Homebrew's formula of the archive that tools/release makes: brew install --formula packaging/homebrew/moderncl.rb
class Moderncl < Formula
  desc "Load-balanced data-parallel primitives for OpenCL and CUDA"
  url "file://#{File.expand_path("../../build/release-0.9.0/moderncl-0.9.0.tar.gz", __dir__)}"
  license "BSD-3-Clause"

  depends_on "cmake" => :build
  depends_on "opencl-headers" => :build

  def install
    system "cmake", "-S", ".", "-B", "build", "-DBUILD_SHARED_LIBS=ON", "-DMCL_TESTS=OFF", "-DMCL_BENCH=OFF",
           "-DMCL_TOOLS=OFF", "-DMCL_EXAMPLES=OFF", "-DMCL_MPI=off", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"version.c").write <<~C
      #include <moderncl/moderncl.h>
      #include <stdio.h>
      int main(void) { return puts(mcl_version()) < 0; }
    C
    system ENV.cc, "version.c", "-I#{include}", "-L#{lib}", "-lmoderncl", "-o", "version"
    assert_match version.to_s, shell_output("./version")
  end
end
