#pragma once

#include <exception>
#include <string>

namespace vnode {

/// What an exception says; nothing of null.
inline std::string sentence_of(const std::exception_ptr& exception) try {
  if (!exception) return {};
  std::rethrow_exception(exception);
} catch (const std::exception& error) {
  return error.what();
} catch (...) {
  return "an exception that is no std::exception";
}

}  // namespace vnode
