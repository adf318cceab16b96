#pragma once

#include <vector>

#include <vnode/lab/memory_banks.hpp>

namespace vnode {

/// Where a transfer's bytes come from and go to: banks, and the NUMA node that copies them.
struct Stream {
  int read = 0;   ///< bank, or every_bank
  int copy = 0;   ///< NUMA node
  int write = 0;  ///< bank, or every_bank
};

/// Transfers under way that share the bandwidth of memory: a fluid, whose rates change when one of them
/// begins or ends. All rates grow together until a bank, a way between two NUMA nodes or the transfer itself
/// allows no more; whoever is held there stays so, the others go on (progressive filling: max-min fair).
class Flows {
 public:
  /// UsageError if there is no bank that every_bank is to stand for.
  explicit Flows(const MemoryBanks& memory);

  /// A transfer of `bytes` begins that takes `pace` seconds a byte where there is enough for all.
  void begin(int message, double now, double bytes, double pace, const Stream& stream);
  /// When the next transfer ends; infinity if there is none. O(transfers) after a begin or an end.
  double next();
  /// Ends those that end then and returns them, in the order of their numbers.
  std::vector<int> end();

 private:
  struct Need {
    int place;     // a bank or a way, in free_
    double share;  // of the transfer's rate: twice for who reads and writes in one bank
  };
  struct Flow {
    int message;
    double bytes, since;  // left at that time
    double own, pace;     // seconds a byte: at best, and now
    std::vector<Need> needs;
    double end() const { return since + bytes * pace; }
  };

  std::vector<Need> needs(const Stream& stream) const;
  void share();
  double tightest(const std::vector<char>& fixed) const;

  std::vector<double> bandwidth_;  // of the banks, then of the ways from a to b
  int banks_;
  std::vector<int> turns_;  // those that every_bank stands for
  bool ways_limited_;
  std::vector<Flow> flows_;  // by message
  double now_ = 0;
  bool changed_ = false;
  std::vector<double> free_, wanted_;  // while rates are found: bandwidth left, shares of who is not held yet
};

}  // namespace vnode
