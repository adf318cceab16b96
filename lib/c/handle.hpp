#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "c/entry.hpp"

namespace vnode {

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
