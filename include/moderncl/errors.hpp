// errors.hpp: the way of the library's failures to C++; moderncl.hpp includes it.
#ifndef MODERNCL_ERRORS_HPP
#define MODERNCL_ERRORS_HPP

#include "status.h"

#include <cstdlib>
#include <stdexcept>

namespace mcl
{

struct error : std::runtime_error {
    error(mcl_status status, const char *sentence) : std::runtime_error(sentence), status_(status) {}
    mcl_status status() const noexcept { return status_; }

  private:
    mcl_status status_;
};

// The function that a failure goes to where exceptions are off. The function may end the program or leave by longjmp.
inline void (*error_handler)(mcl_status status, const char *sentence) = nullptr;

[[noreturn]] inline void fail(mcl_status status, const char *sentence)
{
#if defined(__cpp_exceptions)
    throw error(status, sentence);
#else
    if (error_handler) error_handler(status, sentence);
    std::abort();
#endif
}

// Fails where status is a failure of this thread's last call.
inline void check(mcl_status status)
{
    if (status != MCL_OK) fail(status, mcl_last_error());
}

} // namespace mcl

#endif
