#pragma once

#include <dlfcn.h>
#include <stdexcept>
#include <string>
#include <utility>

namespace vnode_test {

/// Is a library that is loaded for as long as this lives, and what it tells.
class Library {
 public:
  explicit Library(const char* path, int scope = RTLD_LOCAL) : handle_(dlopen(path, RTLD_NOW | scope)) {
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
  }
  Library(Library&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }

  std::string version() const { return function<const char*()>("plugin_version")(); }
  bool works() const { return function<int()>("plugin_works")() == 1; }
  bool keeps_a_team() const { return function<int()>("plugin_keeps_a_team")() == 1; }
  const void* sum_of_doubles() const { return function<const void*()>("plugin_operator")(); }

 private:
  template <class Function>
  Function* function(const char* name) const {
    void* const address = dlsym(handle_, name);
    if (address == nullptr) throw std::runtime_error(dlerror());
    return reinterpret_cast<Function*>(address);
  }

  void* handle_;
};

}  // namespace vnode_test
