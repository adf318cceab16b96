#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include <vnode/c/collectives.h>
#include <vnode/call.hpp>

#include "c/element.hpp"
#include "c/exchange.hpp"
#include "c/group.hpp"
#include "c/layout.hpp"
#include "c/operator.hpp"
#include "c/request.hpp"
#include "c/untyped.hpp"

namespace vnode {

/// Copies lists of `parts` counts and displacements, which may be NULL; returns how many elements they reach.
/// `name` is the range's.
std::size_t divide(Partition& partition, std::size_t parts, const std::size_t* counts,
                   const std::size_t* displacements, const char* name);

/// A call as C describes it, made into the arguments that calls have, which is performed in one of three
/// forms.
class DescribedCall {
 public:
  void call() const { Untyped::call(group_, arguments_); }
  void start(vnode_request** request) const {
    make_handle(request, [&] { return Untyped::start(group_, arguments_); });
  }
  void plan(vnode_persistent** persistent) const {
    make_handle(persistent, [&] { return Untyped::plan(group_, arguments_); });
  }

 protected:
  explicit DescribedCall(vnode_group* group) : group_(group_of(group)) {}
  DescribedCall(const DescribedCall&) = delete;

  Group& group_;
  Arguments arguments_;
};

/// A collective call. `in == out` means in place.
class Described : public DescribedCall {
 public:
  Described(vnode_group* group, const vnode_call_options* options) : DescribedCall(group) {
    if (options != nullptr) [[unlikely]]
      take(*options);
  }

  void broadcast(void* data, std::size_t count, vnode_type type, int root);
  void reduce(const void* in, void* out, std::size_t count, vnode_type type, vnode_operator op, int root);
  void all_reduce(const void* in, void* out, std::size_t count, vnode_type type, vnode_operator op) {
    combined(Collective::all_reduce, in, out, count, type, op);
  }
  void scan(const void* in, void* out, std::size_t count, vnode_type type, vnode_operator op) {
    combined(Collective::scan, in, out, count, type, op);
  }
  void exclusive_scan(const void* in, void* out, std::size_t count, vnode_type type, vnode_operator op) {
    combined(Collective::exclusive_scan, in, out, count, type, op);
  }
  void all_gather(const void* in, void* out, std::size_t count, vnode_type type);
  void gather(const void* in, void* out, std::size_t count, vnode_type type, int root);
  void scatter(const void* in, void* out, std::size_t count, vnode_type type, int root);
  void reduce_scatter(const void* in, void* out, std::size_t count, vnode_type type, vnode_operator op);
  void all_to_all(const void* in, void* out, std::size_t count, vnode_type type);
  void circular_shift(const void* in, void* out, std::size_t count, vnode_type type, int shift);
  /// Without data there is nothing that layouts would pick.
  void barrier() { arguments_.in.layout = arguments_.out.layout = nullptr; }

 protected:
  /// Writes the data, and their type. Throws where there is none for some elements, or more than memory
  /// holds.
  void describe(Collective collective, const void* in, std::size_t in_count, void* out, std::size_t out_count,
                vnode_type type);
  void set_operator(vnode_operator op, vnode_type type);
  bool is_root(int root) const { return group_.rank() == root; }
  /// p times as many elements. Throws if memory could not hold them.
  std::size_t times_all(std::size_t count, vnode_type type) const;
  /// Tells whether the call is in place, so that a node's own part lies in the whole range.
  bool in_place(const void* in, const void* out) const {
    return in == out && out != nullptr && arguments_.in.layout == arguments_.out.layout;
  }
  /// The place of element `index` of a range; where a layout picks elements, `part` says it instead.
  const void* part_of(const void* data, std::size_t index, vnode_type type, Buffer& part) const;

 private:
  void take(const vnode_call_options& options);
  void combined(Collective collective, const void* in, void* out, std::size_t count, vnode_type type,
                vnode_operator op);

  std::optional<CallOptions> options_;
  std::optional<HeldOperator> held_;
};

/// A call whose parts have different lengths.
class DescribedParts : public Described {
 public:
  using Described::Described;

  void all_gather_v(const void* in, std::size_t in_count, void* out, const std::size_t* counts,
                    const std::size_t* displacements, vnode_type type);
  void gather_v(const void* in, std::size_t in_count, void* out, const std::size_t* counts,
                const std::size_t* displacements, vnode_type type, int root);
  void scatter_v(const void* in, const std::size_t* counts, const std::size_t* displacements, void* out,
                 std::size_t out_count, vnode_type type, int root);
  void reduce_scatter_v(const void* in, void* out, const std::size_t* counts, vnode_type type,
                        vnode_operator op);
  void all_to_all_v(const void* in, const std::size_t* in_counts, const std::size_t* in_displacements,
                    void* out, const std::size_t* out_counts, const std::size_t* out_displacements,
                    vnode_type type);

 private:
  std::size_t divide_by_ranks(Partition& partition, const std::size_t* counts,
                              const std::size_t* displacements, const char* name) const {
    return divide(partition, static_cast<std::size_t>(group_.size()), counts, displacements, name);
  }
  /// The first element of this node's part.
  std::size_t first_of_own(const Partition& parts) const;

  Partition in_parts_, out_parts_;
};

/// An exchange.
class DescribedExchange : public DescribedCall {
 public:
  DescribedExchange(vnode_group* group, vnode_type type) : DescribedCall(group) {
    arguments_.type = &element_of(type);
    arguments_.collective = Collective::all_to_all;
    arguments_.exchange = true;
  }

  void exchange(const void* in, void* out, std::size_t count, const vnode_neighbours* neighbours);
  void exchange_v(const void* in, const std::size_t* in_counts, const std::size_t* in_displacements,
                  void* out, const std::size_t* out_counts, const std::size_t* out_displacements,
                  const vnode_neighbours* neighbours);
  void exchange_pieces(const vnode_piece* in, const vnode_piece* out, const vnode_neighbours* neighbours);
  void all_to_all_w(const vnode_piece* in, const vnode_piece* out);

 private:
  struct Ends {
    std::size_t targets, sources;
  };
  /// Takes the neighbours, or those in the topology; returns how many parts there are.
  Ends ends(const vnode_neighbours* neighbours);
  void describe(const void* in, std::size_t in_count, void* out, std::size_t out_count);
  void take_pieces(const vnode_piece* in, std::size_t targets, const vnode_piece* out, std::size_t sources);

  Partition in_parts_, out_parts_;
  std::vector<Buffer> in_pieces_, out_pieces_;
};

}  // namespace vnode
