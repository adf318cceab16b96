#pragma once

#include <string>
#include <string_view>

namespace vnode::bench {

/// One line on the terminal that says how far the measurement is; silent where the standard error is not a
/// terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// `done` from 0 to 1, of the whole.
  void show(double done, std::string_view what);
  /// Before anything else is written to the terminal.
  void clear();

 private:
  const bool terminal_;
  bool shown_ = false;
};

}  // namespace vnode::bench
