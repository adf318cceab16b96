#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <cxxabi.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include <vnode/c/status.h>
#include <vnode/error.hpp>

namespace vnode {

/// A function of vnode.h throws it if its own arguments are wrong: a UsageError, before whose sentence the
/// function's name is put.
class WrongArgument : public UsageError {
 public:
  using UsageError::UsageError;
};

/// A callback has returned a code of the program's own.
class CallbackFailed : public std::runtime_error {
 public:
  CallbackFailed(int returned, const std::string& sentence) : std::runtime_error(sentence), code(returned) {}
  const int code;  ///< as returned
};

/// The last failure that this thread has been told of.
struct LastFailure {
  std::string sentence = {};
  int code = VNODE_OK;  ///< VNODE_OK: the sentence is a callback's, which has not returned yet
};
LastFailure& last_failure() noexcept;
/// Keeps a sentence for vnode_message(). Without memory for it, one that says so.
void keep_failure(int code, std::string_view sentence) noexcept;

/// Throws what a callback's code stands for, with the sentence of this thread's last failure if that is of
/// the callback; `what` says which callback it was.
[[noreturn]] void throw_code(int code, const std::string& what);

/// Keeps the exception that is being handled as this thread's last failure and returns its code.
[[gnu::cold]] int failed(const char* function) noexcept;

/// Runs the body of a function of vnode.h, through which no exception goes but the unwinding of a thread that
/// ends by pthread_exit. Returns what the body returns, if that is a number, or else VNODE_OK.
template <class Body>
int entry(Body&& body, const char* function = __builtin_FUNCTION()) {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Body&>>) {
      body();
      return VNODE_OK;
    } else {
      return body();
    }
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (...) {
    return failed(function);
  }
}

/// Returns a pointer that a function needs; throws if it is NULL.
template <class T>
T& needed(T* pointer, const char* what) {
  if (pointer == nullptr) throw WrongArgument(std::string(what) + " is NULL");
  return *pointer;
}

/// Throws unless a number is one of 0 .. count-1; `name` is the enumeration's.
void check_enumerated(const char* name, int number, int count);

/// Returns a value of an enumeration, whose first `count` both languages list in one order. Throws unless the
/// number is one of these.
template <class Own>
Own enumerated(int number, int count, const char* name) {
  check_enumerated(name, number, count);
  return static_cast<Own>(number);
}

/// Throws unless a struct of options has a size that this version knows.
void check_size(const char* name, std::size_t given, std::size_t least, std::size_t most);

/// Returns a copy of options whose members beyond the given size are 0; `least` is the size in the first
/// version.
template <class Options>
Options taken(const Options* given, const char* name, std::size_t least = sizeof(Options)) {
  Options copy{};
  if (given == nullptr) return copy;
  check_size(name, given->size, least, sizeof(Options));
  std::memcpy(&copy, given, given->size);
  return copy;
}

/// Puts a copy of a text where vnode_text_free() finds it.
void put_text(char** to, std::string_view text);

/// Returns a text that may be missing.
inline std::string_view text_or_empty(const char* text) { return text != nullptr ? text : ""; }

}  // namespace vnode
