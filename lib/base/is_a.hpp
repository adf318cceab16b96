#pragma once

#include <exception>

namespace vnode {

/// Returns whether it is an exception of this class; null is none.
template <class E>
bool is_a(const std::exception_ptr& exception) try {
  if (exception) std::rethrow_exception(exception);
  return false;
} catch (const E&) {
  return true;
} catch (...) {
  return false;
}

}  // namespace vnode
