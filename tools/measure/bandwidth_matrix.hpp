#pragma once

#include <functional>
#include <string>
#include <vector>

#include <vnode/lab/machine.hpp>

namespace vnode {

/// How fast memory is, from every core. Bytes per second.
struct BandwidthMatrix {
  /// Of a bank that several cores read or write at once.
  struct Curve {
    std::vector<int> pus{};               ///< the cores: the first k of them are k streams, the nearest first
    std::vector<double> read{}, write{};  ///< [k - 1]: all k streams together
  };
  std::vector<int> pus{};            ///< one of each core that the process may use: indices into Machine::pus
  std::vector<int> banks{};          ///< indices into Machine::numas
  std::vector<std::size_t> bytes{};  ///< [bank]: what was streamed through, StreamedMemory
  std::vector<std::vector<double>> read{}, write{};  ///< [core][bank], one core alone
  std::vector<Curve> curves{};                       ///< [bank]
  std::vector<std::string> degraded{};               ///< what the system refused, pages elsewhere, banks
                                                     ///< too small to be read beyond the caches
};

/// Measures it. `progress` is told the share that is done. SystemError if threads cannot be pinned,
/// UsageError if the machine is described, not this one.
BandwidthMatrix bandwidth_matrix(const Machine& machine, const std::function<void(double)>& progress);

}  // namespace vnode
