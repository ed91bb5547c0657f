// test_no_exceptions.cpp: moderncl.hpp without exceptions. A failure goes to the handler with its status and sentence,
// or mcl::attempt returns it.
#include <moderncl/moderncl.hpp>

#include <cstdio>
#include <cstring>

static void expected(mcl_status status, const char *sentence)
{
    const bool right = status == MCL_ERROR_ARGUMENT && std::strstr(sentence, "mcl_buffer_create") != nullptr;
    if (!right) std::fprintf(stderr, "%s: %s\n", mcl_status_name(status), sentence);
    std::exit(right ? 0 : 1);
}

static int wrong;

static void expect(bool right, const char *what)
{
    if (right) return;
    std::fprintf(stderr, "wrong: %s\n", what);
    wrong = 1;
}

// Checks that mcl::attempt returns failures and results, and that no handler is called.
static void test_outcomes()
{
    const auto refused = mcl::attempt(mcl_buffer_create, nullptr, 8);
    expect(!refused && refused.status() == MCL_ERROR_ARGUMENT, "a call that must fail");
    expect(std::strstr(refused.what(), "mcl_buffer_create") != nullptr, "its sentence");
    const auto unfinished = mcl::attempt(mcl_queue_finish, nullptr);
    expect(!unfinished && std::strstr(unfinished.what(), "mcl_queue_finish"), "a call that returns nothing");
    expect(std::strstr(refused.what(), "mcl_buffer_create") != nullptr, "the first sentence after another failure");
}

int main()
{
    test_outcomes();
    if (wrong) return 1;
    mcl::error_handler = expected;
    mcl::buffer_create(nullptr, 8);
    std::fprintf(stderr, "the handler was not called\n");
    return 1;
}
