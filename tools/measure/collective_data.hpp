#pragma once

#include <cstddef>
#include <vector>

#include <vnode/node.hpp>
#include <vnode/select.hpp>

namespace vnode {

/// What one node brings to a collective of m bytes and takes from it. Bytes are moved; what is combined are
/// doubles, and their operator is addition.
class CollectiveData {
 public:
  /// Memory for node `rank`. UsageError if the operation combines and m is no multiple of a double's size.
  CollectiveData(const Demand& demand, Rank rank);

  /// The call on these data, planned.
  Persistent plan(Node& me, const CallOptions& options);
  /// Writes what the node brings anew, as a program does that has computed it.
  void rewrite(int value);

  /// The bytes of all nodes' data.
  static double total_bytes(const Demand& demand);

 private:
  Demand demand_;
  std::vector<std::byte> in_, out_;  // broadcast: in `out_` only
  std::vector<double> numbers_in_, numbers_out_;
};

}  // namespace vnode
