#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace vnode {

/// Watches what other programs take of this machine's processors.
class OtherPrograms {
 public:
  OtherPrograms() : before_(now()) {}
  /// Returns their share of all processors since this object was made, from 0 to 1. Returns nothing where the
  /// system does not tell, or where too little time has passed.
  std::optional<double> share() const;

 private:
  /// Holds seconds of all processors together, of all that programs used, and of what this program used.
  struct Times {
    double all, busy, own;
  };
  static std::optional<Times> now();

  const std::optional<Times> before_;
};

/// Returns a sentence for whoever reads the times, if the machine was too busy for them: `late` of `calls`
/// were dropped since a node came late, and other programs had the share `others` of the processors, as far
/// as that is known.
std::optional<std::string> busy_sentence(std::size_t late, std::size_t calls, std::optional<double> others);

}  // namespace vnode
