#pragma once

#include <string>
#include <string_view>

namespace vnode {

/// "[######      ]  50 % what" for `done` = 0.5, of the whole.
std::string progress_bar(double done, std::string_view what);

/// A bar on the terminal that says how far a command is, on standard error; silent where that is none.
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

}  // namespace vnode
