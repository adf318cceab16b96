#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cxxabi.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

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

/// The last failure that this thread, or this node that is a fiber, has been told of.
struct LastFailure {
  std::string sentence = {};
  int code = VNODE_OK;  ///< VNODE_OK: the sentence is a callback's, which has not returned yet
};
LastFailure& last_failure() noexcept;
/// Makes the failures of the calling thread, while a node runs on it, those of the node: where nodes are
/// fibers, a failure of another one may come before this one's is asked for.
class FailureOfNode {
 public:
  FailureOfNode();
  ~FailureOfNode();
  FailureOfNode(const FailureOfNode&) = delete;
  FailureOfNode& operator=(const FailureOfNode&) = delete;

 private:
  bool made_ = false;  // whether it ends with this: a node may run another team, as a node of that
};
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

/// The memory that a handle points to begins with one of these, which hardly any other memory does.
enum class HandleKind : std::uint64_t {
  ended = 0x766e6f6465300000,
  team,
  group,
  membership,
  request,
  persistent,
  schedule,
  hierarchy,
  topology,
  buffer,
  trace,
  statistics,
  roll_call,
  unpinned,
  while_waiting,
  layout,
  neighbours,
  matched_message
};

/// The begin of what a handle points to.
template <HandleKind own>
struct Handle {
  static constexpr HandleKind kind = own;

  Handle() = default;
  /// Volatile: a handle that is used again is mostly told apart by this, although the memory is freed next.
  ~Handle() { const_cast<volatile HandleKind&>(found) = HandleKind::ended; }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  HandleKind found = own;
};

/// Holds a value of C++ that a handle points to.
template <class T, HandleKind own>
struct HandleOf : Handle<own> {
  template <class Made>
  explicit HandleOf(Made&& made) : is(std::forward<Made>(made)) {}

  T is;
};

[[noreturn]] void refuse_handle(const void* handle, HandleKind wanted);

/// Returns what a handle points to, which to C++ is not constant. Throws if it is NULL, another type's, or
/// one that has ended, as far as memory tells.
template <class T>
std::remove_const_t<T>& at_handle(T* handle) {
  if (handle == nullptr) [[unlikely]]
    refuse_handle(handle, T::kind);
  HandleKind found;
  std::memcpy(&found, static_cast<const void*>(handle), sizeof found);
  if (found != T::kind) [[unlikely]]
    refuse_handle(handle, T::kind);
  return const_cast<std::remove_const_t<T>&>(*handle);
}

/// Puts a new handle where its owner wants it, made of `arguments`.
template <class T, class... Arguments>
T& put_handle(T** to, Arguments&&... arguments) {
  T*& out = needed(to, "the address of the handle");
  out = nullptr;
  out = new T(std::forward<Arguments>(arguments)...);
  return *out;
}

/// Puts a new handle of what `make` returns where its owner wants it; NULL if making it throws.
template <class T, std::invocable Make>
void make_handle(T** to, Make&& make) {
  needed(to, "the address of the handle") = nullptr;
  *to = new T(make());
}

/// Ends what a handle points to, if it is not NULL, and sets it to NULL.
template <class T>
void end_handle(T** handle) {
  T*& own = needed(handle, "the address of the handle");
  if (own == nullptr) return;
  delete &at_handle(own);
  own = nullptr;
}

}  // namespace vnode
