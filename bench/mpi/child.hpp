#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace vnode::bench {

/// A program that runs beside this one, its output in a file. Ends with the object.
class Child {
 public:
  /// Throws SystemError if it cannot be started.
  Child(std::vector<std::string> command, std::string log);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Returns when it has ended; whether it has succeeded.
  bool wait();
  /// Whether it has ended by itself, as far as is known without waiting.
  bool ended();
  /// The last lines that it has written.
  std::string last_words() const;

 private:
  const std::string log_;
  pid_t process_ = 0;
  int status_ = 0;
  bool gone_ = false;
};

}  // namespace vnode::bench
