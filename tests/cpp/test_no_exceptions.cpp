// test_no_exceptions.cpp: moderncl.hpp without exceptions: a failure goes to the handler with its status and sentence.
#include <moderncl/moderncl.hpp>

#include <cstdio>
#include <cstring>

static void expected(mcl_status status, const char *sentence)
{
    const bool right = status == MCL_ERROR_ARGUMENT && std::strstr(sentence, "mcl_buffer_create") != nullptr;
    if (!right) std::fprintf(stderr, "%s: %s\n", mcl_status_name(status), sentence);
    std::exit(right ? 0 : 1);
}

int main()
{
    mcl::error_handler = expected;
    mcl::buffer_create(nullptr, 8);
    std::fprintf(stderr, "the handler was not called\n");
    return 1;
}
