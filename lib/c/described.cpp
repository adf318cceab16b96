#include "c/described.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "c/data.hpp"
#include "c/options.hpp"

namespace vnode {
namespace {

/// Returns what vnode.h calls the input.
constexpr const char* in_name(Collective collective) {
  return collective == Collective::broadcast ? "data" : "in";
}

/// What is not read or not written has neither data nor a layout.
inline void check_layout(Buffer& buffer, const ElementType& type, const char* which) {
  if (buffer.layout == nullptr) [[likely]]
    return;
  if (buffer.data == nullptr)
    buffer.layout = nullptr;
  else
    check_picked(*buffer.layout, buffer.first, buffer.count, type.bytes, which);
}

}  // namespace

void Described::take(const vnode_call_options& options) {
  const auto given = taken(&options, "vnode_call_options", offsetof(vnode_call_options, in_layout));
  options_ = call_options(given);
  if (*options_ != CallOptions{}) arguments_.options = &*options_;
  if (given.in_layout != nullptr) arguments_.in.layout = &at_handle(given.in_layout).is;
  if (given.out_layout != nullptr) arguments_.out.layout = &at_handle(given.out_layout).is;
}

void Described::describe(Collective collective, const void* in, std::size_t in_count, void* out,
                         std::size_t out_count, vnode_type type) {
  const ElementType& element = element_of(type);
  check_data(in_name(collective), in, in_count, element);
  check_data("out", out, out_count, element);
  arguments_.collective = collective;
  arguments_.type = &element;
  Buffer &from = arguments_.in, &to = arguments_.out;
  from.data = const_cast<void*>(in);
  from.count = in_count;
  to.data = out;
  to.count = out_count;
  check_layout(from, element, in_name(collective));
  check_layout(to, element, "out");
}

void Described::set_operator(vnode_operator op, vnode_type type) {
  const FoundOperator found = operator_of(op, type);
  arguments_.op = found.type;
  arguments_.op_state = found.state;
  if (found.own != nullptr) arguments_.op_state = &held_.emplace(found.own);
}

std::size_t Described::times_all(std::size_t count, vnode_type type) const {
  const auto nodes = static_cast<std::size_t>(group_.size());
  if (nodes > 0 && count > most_bytes / element_of(type).bytes / nodes)
    throw WrongArgument(fmt::format("{} elements of {} nodes are more than memory holds", count, nodes));
  return count * nodes;
}

const void* Described::part_of(const void* data, std::size_t index, vnode_type type, Buffer& part) const {
  if (part.layout != nullptr) {
    part.first = index;
    return data;
  }
  return static_cast<const std::byte*>(data) + index * element_of(type).bytes;
}

void Described::combined(Collective collective, const void* in, void* out, std::size_t count, vnode_type type,
                         vnode_operator op) {
  describe(collective, in, count, out, count, type);
  set_operator(op, type);
}

void Described::broadcast(void* data, std::size_t count, vnode_type type, int root) {
  Buffer &from = arguments_.in, &to = arguments_.out;
  if (from.layout != to.layout && (from.layout == nullptr || to.layout == nullptr))  // one says it for both
    from.layout = to.layout = from.layout != nullptr ? from.layout : to.layout;
  describe(Collective::broadcast, data, count, data, count, type);
  arguments_.root = root;
}

void Described::reduce(const void* in, void* out, std::size_t count, vnode_type type, vnode_operator op,
                       int root) {
  describe(Collective::reduce, in, count, out, is_root(root) || in == out ? count : 0, type);
  arguments_.root = root;
  set_operator(op, type);
}

void Described::all_gather(const void* in, void* out, std::size_t count, vnode_type type) {
  const std::size_t all = times_all(count, type);
  const void* const own =
      in_place(in, out) ? part_of(out, static_cast<std::size_t>(group_.rank()) * count, type, arguments_.in)
                        : in;
  describe(Collective::all_gather, own, count, out, all, type);
}

void Described::gather(const void* in, void* out, std::size_t count, vnode_type type, int root) {
  arguments_.root = root;
  if (!is_root(root)) return describe(Collective::gather, in, count, nullptr, 0, type);
  const std::size_t all = times_all(count, type);
  const void* const own =
      in_place(in, out) ? part_of(out, static_cast<std::size_t>(root) * count, type, arguments_.in) : in;
  describe(Collective::gather, own, count, out, all, type);
}

void Described::scatter(const void* in, void* out, std::size_t count, vnode_type type, int root) {
  arguments_.root = root;
  if (!is_root(root)) return describe(Collective::scatter, nullptr, 0, out, count, type);
  const std::size_t all = times_all(count, type);
  void* const own =
      in_place(in, out)
          ? const_cast<void*>(part_of(out, static_cast<std::size_t>(root) * count, type, arguments_.out))
          : out;
  describe(Collective::scatter, in, all, own, count, type);
}

void Described::reduce_scatter(const void* in, void* out, std::size_t count, vnode_type type,
                               vnode_operator op) {
  describe(Collective::reduce_scatter, in, times_all(count, type), out, count, type);
  set_operator(op, type);
}

void Described::all_to_all(const void* in, void* out, std::size_t count, vnode_type type) {
  const std::size_t all = times_all(count, type);
  describe(Collective::all_to_all, in, all, out, all, type);
}

void Described::circular_shift(const void* in, void* out, std::size_t count, vnode_type type, int shift) {
  describe(Collective::circular_shift, in, count, out, count, type);
  arguments_.shift = shift;
}

std::size_t divide(Partition& partition, std::size_t parts, const std::size_t* counts,
                   const std::size_t* displacements, const char* name) {
  if (counts == nullptr && parts > 0) throw WrongArgument(fmt::format("the counts of {} are NULL", name));
  partition.counts.assign(counts, counts + parts);
  if (displacements != nullptr) partition.displacements.assign(displacements, displacements + parts);
  std::size_t reached = 0, next = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t first = displacements != nullptr ? displacements[i] : next;
    if (counts[i] > most_bytes || first > most_bytes - counts[i])
      throw WrongArgument(fmt::format("part {} of {}, {} elements from {}, is more than memory holds", i,
                                      name, counts[i], first));
    next = first + counts[i];
    if (counts[i] > 0) reached = std::max(reached, next);
  }
  return reached;
}

std::size_t DescribedParts::first_of_own(const Partition& parts) const {
  const auto own = static_cast<std::size_t>(group_.rank());
  if (parts.counts[own] == 0) return 0;  // where a part without elements begins means nothing
  if (own < parts.displacements.size()) return parts.displacements[own];
  std::size_t first = 0;
  for (std::size_t r = 0; r < own; ++r) first += parts.counts[r];
  return first;
}

void DescribedParts::all_gather_v(const void* in, std::size_t in_count, void* out, const std::size_t* counts,
                                  const std::size_t* displacements, vnode_type type) {
  const std::size_t all = divide_by_ranks(out_parts_, counts, displacements, "out");
  const void* const own =
      in_place(in, out) ? part_of(out, first_of_own(out_parts_), type, arguments_.in) : in;
  describe(Collective::all_gather, own, in_count, out, all, type);
  arguments_.parts = Arguments::Parts::given;
  arguments_.out.parts = &out_parts_;
}

void DescribedParts::gather_v(const void* in, std::size_t in_count, void* out, const std::size_t* counts,
                              const std::size_t* displacements, vnode_type type, int root) {
  arguments_.root = root;
  arguments_.parts = Arguments::Parts::given;
  arguments_.out.parts = &out_parts_;
  if (!is_root(root)) return describe(Collective::gather, in, in_count, nullptr, 0, type);
  const std::size_t all = divide_by_ranks(out_parts_, counts, displacements, "out");
  const void* const own =
      in_place(in, out) ? part_of(out, first_of_own(out_parts_), type, arguments_.in) : in;
  describe(Collective::gather, own, in_count, out, all, type);
}

void DescribedParts::scatter_v(const void* in, const std::size_t* counts, const std::size_t* displacements,
                               void* out, std::size_t out_count, vnode_type type, int root) {
  arguments_.root = root;
  arguments_.parts = Arguments::Parts::given;
  arguments_.in.parts = &in_parts_;
  if (!is_root(root)) return describe(Collective::scatter, nullptr, 0, out, out_count, type);
  const std::size_t all = divide_by_ranks(in_parts_, counts, displacements, "in");
  void* const own = in_place(in, out)
                        ? const_cast<void*>(part_of(out, first_of_own(in_parts_), type, arguments_.out))
                        : out;
  describe(Collective::scatter, in, all, own, out_count, type);
}

void DescribedParts::reduce_scatter_v(const void* in, void* out, const std::size_t* counts, vnode_type type,
                                      vnode_operator op) {
  const std::size_t all = divide_by_ranks(in_parts_, counts, nullptr, "in");
  describe(Collective::reduce_scatter, in, all, out, counts[static_cast<std::size_t>(group_.rank())], type);
  arguments_.parts = Arguments::Parts::given;
  arguments_.in.parts = &in_parts_;
  set_operator(op, type);
}

void DescribedParts::all_to_all_v(const void* in, const std::size_t* in_counts,
                                  const std::size_t* in_displacements, void* out,
                                  const std::size_t* out_counts, const std::size_t* out_displacements,
                                  vnode_type type) {
  const std::size_t sent = divide_by_ranks(in_parts_, in_counts, in_displacements, "in");
  const std::size_t received = divide_by_ranks(out_parts_, out_counts, out_displacements, "out");
  describe(Collective::all_to_all, in, sent, out, received, type);
  arguments_.parts = Arguments::Parts::given;
  arguments_.in.parts = &in_parts_;
  arguments_.out.parts = &out_parts_;
}

void DescribedExchange::exchange(const void* in, void* out, std::size_t count,
                                 const vnode_neighbours* neighbours) {
  const auto& [targets, sources] = ends(neighbours);
  const std::size_t parts = std::max({targets, sources, std::size_t{1}});
  if (count > most_bytes / parts)
    throw WrongArgument(fmt::format("{} elements of {} neighbours are more than memory holds", count, parts));
  describe(in, targets * count, out, sources * count);
}

void DescribedExchange::exchange_v(const void* in, const std::size_t* in_counts,
                                   const std::size_t* in_displacements, void* out,
                                   const std::size_t* out_counts, const std::size_t* out_displacements,
                                   const vnode_neighbours* neighbours) {
  const auto& [targets, sources] = ends(neighbours);
  const std::size_t sent = divide(in_parts_, targets, in_counts, in_displacements, "in"),
                    received = divide(out_parts_, sources, out_counts, out_displacements, "out");
  describe(in, sent, out, received);
  arguments_.parts = Arguments::Parts::given;
  arguments_.in.parts = &in_parts_;
  arguments_.out.parts = &out_parts_;
}

void DescribedExchange::exchange_pieces(const vnode_piece* in, const vnode_piece* out,
                                        const vnode_neighbours* neighbours) {
  const auto& [targets, sources] = ends(neighbours);
  take_pieces(in, targets, out, sources);
}

void DescribedExchange::all_to_all_w(const vnode_piece* in, const vnode_piece* out) {
  const auto nodes = static_cast<std::size_t>(group_.size());
  take_pieces(in, nodes, out, nodes);
  arguments_.exchange = false;
}

DescribedExchange::Ends DescribedExchange::ends(const vnode_neighbours* neighbours) {
  if (neighbours != nullptr) {
    arguments_.neighbours = &at_handle(neighbours).is;
    return {arguments_.neighbours->targets().size(), arguments_.neighbours->sources().size()};
  }
  const Neighbours& in_topology = Untyped::member(group_).neighbours(arguments_);
  return {in_topology.targets().size(), in_topology.sources().size()};
}

void DescribedExchange::describe(const void* in, std::size_t in_count, void* out, std::size_t out_count) {
  arguments_.in = piece_from({const_cast<void*>(in), in_count, nullptr}, *arguments_.type, "in");
  arguments_.out = piece_from({out, out_count, nullptr}, *arguments_.type, "out");
}

void DescribedExchange::take_pieces(const vnode_piece* in, std::size_t targets, const vnode_piece* out,
                                    std::size_t sources) {
  const auto take = [&](std::vector<Buffer>& list, const vnode_piece* given, std::size_t count,
                        const char* which) {
    for (std::size_t i = 0; i < count; ++i)
      list.push_back(piece_from((&needed(given, "a list of pieces"))[i], *arguments_.type, which));
  };
  take(in_pieces_, in, targets, "a piece of in");
  take(out_pieces_, out, sources, "a piece of out");
  arguments_.parts = Arguments::Parts::pieces;
  arguments_.in = {.count = targets, .pieces = in_pieces_.data()};
  arguments_.out = {.count = sources, .pieces = out_pieces_.data()};
}

}  // namespace vnode
