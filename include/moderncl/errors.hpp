// errors.hpp: turns failures of the library into exceptions of C++. moderncl.hpp includes this header.
#ifndef MODERNCL_ERRORS_HPP
#define MODERNCL_ERRORS_HPP

#include "status.h"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

namespace mcl
{

struct error : std::runtime_error {
    error(mcl_status status, const char *sentence) : std::runtime_error(sentence), status_(status) {}
    mcl_status status() const noexcept { return status_; }

  private:
    mcl_status status_;
};

// The function that a failure calls if exceptions are off. It may end the program, or leave by longjmp.
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

// Fails if status is a failure of this thread's last call.
inline void check(mcl_status status)
{
    if (status != MCL_OK) fail(status, mcl_last_error());
}

// The end of a call: its status, and the error sentence of a failure.
class ending
{
  public:
    ending(mcl_status status, const char *(*sentence)())
        : status_(status), sentence_(status == MCL_OK ? "" : sentence())
    {
    }
    explicit operator bool() const noexcept { return status_ == MCL_OK; }
    mcl_status status() const noexcept { return status_; }
    const char *what() const noexcept { return sentence_.c_str(); }

  protected:
    // Fails like mcl::call, if the call has failed.
    void check() const
    {
        if (status_ != MCL_OK) fail(status_, what());
    }

  private:
    mcl_status status_;
    std::string sentence_;
};

// The result of mcl::attempt: the end of the call and, if it has succeeded, its value.
template <class Value = void> class [[nodiscard]] outcome : public ending
{
  public:
    outcome(mcl_status status, const char *(*sentence)(), Value &&returned)
        : ending(status, sentence), returned_(std::move(returned))
    {
    }
    const Value &value() const &
    {
        check();
        return returned_;
    }
    Value value() &&
    {
        check();
        return std::move(returned_);
    }

  private:
    Value returned_;
};

template <> class [[nodiscard]] outcome<void> : public ending
{
  public:
    using ending::ending;
    void value() const { check(); }
};

} // namespace mcl

#endif
