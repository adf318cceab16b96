#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace vnode_test {

/// Is a variable of the environment for as long as this lives, set or, with nullptr, not set.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    put(value);
  }
  ~Variable() { put(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void put(const char* value) const {
    if (value != nullptr)
      setenv(name_, value, 1);
    else
      unsetenv(name_);
  }

  const char* name_;
  std::optional<std::string> before_;
};

/// Holds the machine of a test for as long as this lives, whatever machine the environment tells all tests
/// of.
class GivenMachine {
 public:
  /// The one that hwloc's text describes, which is not ours unless the test vouches for it.
  explicit GivenMachine(const char* description, bool vouched = false)
      : description_("HWLOC_SYNTHETIC", description), vouched_("HWLOC_THISSYSTEM", vouched ? "1" : nullptr) {}

 private:
  Variable file_{"HWLOC_XMLFILE", nullptr}, description_, vouched_;
};

}  // namespace vnode_test
