#pragma once

#include <exception>
#include <string>

namespace vnode {

/// Returns what an exception says; an empty text for null.
inline std::string sentence_of(const std::exception_ptr& exception) try {
  if (!exception) return {};
  std::rethrow_exception(exception);
} catch (const std::exception& error) {
  return error.what();
} catch (...) {
  return "an exception that is not a std::exception";
}

/// Returns an exception of class E with the text that text() returns, or, if there is no memory for it,
/// what says so.
template <class E, class Text>
std::exception_ptr exception_of(Text&& text) noexcept try {
  throw E(text());
} catch (...) {
  return std::current_exception();
}

}  // namespace vnode
