#include "call/arguments.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numeric>

#include <vnode/error.hpp>

#include "base/counted.hpp"

namespace vnode {
namespace {

using Range = CheckedCall::Part;

/// Checks the arguments of one call.
class Check {
 public:
  Check(const Arguments& call, Rank me, int nodes)
      : call_(call),
        me_(me),
        p_(static_cast<std::size_t>(nodes)),
        nodes_(nodes),
        name_(enums::name(call.collective)),
        input_(static_cast<const std::byte*>(call.in.data)),
        output_(static_cast<const std::byte*>(call.out.data)),
        made_{CallKey(call), {}, {}} {
    // What only this node knows is not part of the key.
    CallKey& key = made_.key;
    key.aliasing = Aliasing::none;
    key.count = key.out_count = 0;
    key.distance = 0;
    key.shift = 0;
    if (!has_root(call.collective)) key.root = -1;
    if (!combines(call.collective)) {
      key.keep_order = key.deterministic = key.at_once = false;
      key.operator_hash = 0;
      key.op_name = {};
    }
    if (has_root(call.collective)) check_rank("root", call.root, nodes);
    const CallOptions options = call.options != nullptr ? *call.options : CallOptions{};
    if (options.segments < 0)
      throw UsageError(
          fmt::format("{}: segments {} is negative: 0 leaves them to vnode", name_, options.segments));
    if (options.segments > most_rounds)
      throw UsageError(
          fmt::format("{}: segments {} are too many: {} is the most", name_, options.segments, most_rounds));
    if (options.schedule != nullptr && !options.algorithm.empty())
      throw UsageError(
          fmt::format("{}: both an algorithm, {}, and a schedule are asked for", name_, options.algorithm));
    if (options.hierarchy != nullptr && !*options.hierarchy)
      throw UsageError(fmt::format("{}: the hierarchy that is asked for has no domains", name_));
  }

  CheckedCall done() {
    switch (call_.collective) {
      case Collective::barrier:
        break;
      case Collective::broadcast:
        made_.key.count = call_.in.count;
        made_.key.aliasing = Aliasing::by_block;
        break;
      case Collective::reduce:
        made_.key.count = call_.in.count;
        rooted_output(call_.in.count, 0);
        break;
      case Collective::all_reduce:
      case Collective::scan:
      case Collective::exclusive_scan:
        equal_sizes(0, Aliasing::by_block);
        break;
      case Collective::circular_shift:
        made_.key.shift = static_cast<int>(((long{call_.shift} % nodes_) + nodes_) % nodes_);
        equal_sizes(0, Aliasing::in_place);
        break;
      case Collective::all_to_all:
        varies() ? all_to_all_v() : all_to_all();
        break;
      case Collective::all_gather:
        varies() ? all_gather_v() : all_gather();
        break;
      case Collective::reduce_scatter:
        varies() ? reduce_scatter_v() : reduce_scatter();
        break;
      case Collective::gather:
        varies() ? gather_v() : gather();
        break;
      case Collective::scatter:
        varies() ? scatter_v() : scatter();
        break;
    }
    return std::move(made_);
  }

 private:
  bool root() const { return me_ == call_.root; }
  bool varies() const { return call_.parts == Arguments::Parts::given; }
  std::size_t rank() const { return static_cast<std::size_t>(me_); }

  /// Throws UsageError unless the output has this number of elements.
  void expect_output(std::size_t elements, const char* why) const {
    if (call_.out.count != elements)
      throw UsageError(fmt::format("{}: out has {} and must have {}, {}", name_,
                                   counted(call_.out.count, "element"), elements, why));
  }

  /// Sets `aliasing` if input and output overlap. Then the output must begin `elements` elements behind the
  /// input's begin, or before it if `elements` is negative.
  void may_alias(std::ptrdiff_t elements, Aliasing aliasing) {
    if (overlaps_at(elements)) made_.key.aliasing = aliasing;
  }
  /// Tells whether input and output overlap. Throws UsageError if they do so in another way than may_alias()
  /// says.
  bool overlaps_at(std::ptrdiff_t elements) const {
    const std::size_t bytes = call_.type->bytes;
    if (!overlap(input_, call_.in.count * bytes, output_, call_.out.count * bytes)) return false;
    if (output_ - input_ != elements * static_cast<std::ptrdiff_t>(bytes))
      throw UsageError(fmt::format(
          "{}: in and out overlap: pass disjoint ranges, or one range for the call in place", name_));
    return true;
  }

  void equal_sizes(std::ptrdiff_t shift, Aliasing aliasing) {
    made_.key.count = call_.in.count;
    expect_output(call_.in.count, "as many as in");
    may_alias(shift, aliasing);
  }

  void rooted_output(std::size_t elements, std::ptrdiff_t shift) {
    made_.key.aliasing = Aliasing::by_block;
    if (!root()) return;
    expect_output(elements, "on the root");
    may_alias(shift, Aliasing::by_block);
  }

  std::size_t part_of(std::size_t elements, const char* which) const {
    if (elements % p_ != 0)
      throw UsageError(fmt::format("{}: {} has {}, which {} nodes cannot share equally", name_, which,
                                   counted(elements, "element"), p_));
    return elements / p_;
  }

  /// Throws UsageError if `part`, of `count` elements, is this node's equal part of `all`, as in a call in
  /// place, but the elements of `all` cannot be shared equally.
  void expect_equal_parts(const std::byte* part, std::size_t count, const std::byte* all,
                          std::size_t all_count, const char* which) const {
    if (part == all + rank() * count * call_.type->bytes && count == all_count / p_)
      part_of(all_count, which);
  }

  void all_to_all() {
    made_.key.count = part_of(call_.in.count, "in");
    expect_output(call_.in.count, "as many as in");
    may_alias(0, Aliasing::in_place);
  }
  void all_gather() {
    made_.key.count = call_.in.count;
    expect_equal_parts(input_, call_.in.count, output_, call_.out.count, "out");
    expect_output(call_.in.count * p_, "as many as all nodes together bring");
    may_alias(-static_cast<std::ptrdiff_t>(rank() * call_.in.count), Aliasing::by_block);
  }
  void reduce_scatter() {
    made_.key.count = part_of(call_.in.count, "in");
    expect_output(made_.key.count, "one part of in");
    may_alias(0, Aliasing::in_place);
  }
  void gather() {
    made_.key.count = call_.in.count;
    if (root()) expect_equal_parts(input_, call_.in.count, output_, call_.out.count, "out");
    rooted_output(call_.in.count * p_, -static_cast<std::ptrdiff_t>(rank() * call_.in.count));
  }
  void scatter() {
    made_.key.aliasing = Aliasing::by_block;
    made_.key.count = call_.out.count;
    if (!root()) return;
    expect_equal_parts(output_, call_.out.count, input_, call_.in.count, "in");
    if (call_.in.count != call_.out.count * p_)
      throw UsageError(fmt::format("scatter: in has {} on the root and must have {}, {} for each of {}",
                                   counted(call_.in.count, "element"), call_.out.count * p_, call_.out.count,
                                   counted(p_, "node")));
    may_alias(static_cast<std::ptrdiff_t>(rank() * call_.out.count), Aliasing::by_block);
  }

  /// Returns the parts of a range of `elements` elements, in bytes.
  std::vector<Range> parts(const Partition& partition, std::size_t elements, const char* which) const {
    const auto& [counts, displacements] = partition;
    if (counts.size() != p_)
      throw UsageError(fmt::format("{}: there are {} for {} and {}", name_, counted(counts.size(), "count"),
                                   which, counted(p_, "node")));
    if (!displacements.empty() && displacements.size() != p_)
      throw UsageError(fmt::format("{}: there are {} for {} and {}", name_,
                                   counted(displacements.size(), "displacement"), which,
                                   counted(p_, "node")));
    expect_not_negative(counts, "count", which);
    expect_not_negative(displacements, "displacement", which);
    std::vector<Range> list;
    std::size_t next = 0;
    for (std::size_t r = 0; r < p_; ++r) {
      const std::size_t first = displacements.empty() ? next : displacements[r];
      if (counts[r] > elements || first > elements - counts[r]) {
        if (counts[r] > 0)
          throw UsageError(fmt::format("{}: part {} of {}, {} from {}, is not within its {}", name_, r, which,
                                       counted(counts[r], "element"), first, counted(elements, "element")));
      }
      // The displacement of an empty part has no meaning.
      list.push_back({counts[r] > 0 ? first * call_.type->bytes : 0, counts[r] * call_.type->bytes});
      next = first + counts[r];
    }
    return list;
  }

  void expect_not_negative(std::span<const std::size_t> list, const char* what, const char* which) const {
    for (std::size_t r = 0; r < list.size(); ++r)
      if (const auto number = static_cast<std::ptrdiff_t>(list[r]); number < 0)
        throw UsageError(
            fmt::format("{}: {} {} of {} is {}: {}s are 0 or more", name_, what, r, which, number, what));
  }

  /// Throws UsageError if parts overlap, which must not be if they are written.
  void check_disjoint(std::vector<Range> list, const char* which) const {
    std::erase_if(list, [](const Range& part) { return part.bytes == 0; });
    std::ranges::sort(list, {}, &Range::offset);
    for (std::size_t i = 1; i < list.size(); ++i)
      if (list[i].offset < list[i - 1].offset + list[i - 1].bytes)
        throw UsageError(fmt::format("{}: parts of {} overlap at element {}", name_, which,
                                     list[i].offset / call_.type->bytes));
  }

  void expect_part(std::size_t elements, const Range& part, const char* which) const {
    if (elements * call_.type->bytes != part.bytes)
      throw UsageError(fmt::format("{}: {} of node {} has {}, its count is {}", name_, which, me_,
                                   counted(elements, "element"), part.bytes / call_.type->bytes));
  }

  /// Puts a hash of the counts into the key, since all nodes know them and they must be equal.
  void agree_on(std::span<const std::size_t> counts) {
    std::uint64_t hash = 0;
    for (const std::size_t count : counts) hash = (hash ^ count) * 0x9e3779b97f4a7c15 + (hash >> 27);
    made_.key.count = hash;
    made_.key.counts = counts;
  }

  void all_gather_v() {
    made_.output_parts = parts(*call_.out.parts, call_.out.count, "out");
    check_disjoint(made_.output_parts, "out");
    made_.input_parts = {{0, call_.in.count * call_.type->bytes}};
    expect_part(call_.in.count, made_.output_parts[rank()], "in");
    agree_on(call_.out.parts->counts);
    own_part_may_alias(made_.output_parts[rank()], output_, call_.out.count, input_, call_.in.count);
  }
  void reduce_scatter_v() {
    const std::vector<Range> list = parts(*call_.in.parts, call_.in.count, "in");
    expect_part(call_.out.count, list[rank()], "out");
    const std::size_t sum =
        std::accumulate(call_.in.parts->counts.begin(), call_.in.parts->counts.end(), std::size_t{0});
    if (sum != call_.in.count)
      throw UsageError(
          fmt::format("{}: in has {}, the counts make {}", name_, counted(call_.in.count, "element"), sum));
    agree_on(call_.in.parts->counts);
    const bool begins = call_.in.count > 0 && output_ == input_;
    made_.key.aliasing = begins ? Aliasing::in_place : Aliasing::none;
    if (begins) return;
    may_alias(std::numeric_limits<std::ptrdiff_t>::max() / static_cast<std::ptrdiff_t>(call_.type->bytes),
              Aliasing::none);
  }
  void gather_v() {
    made_.input_parts = {{0, call_.in.count * call_.type->bytes}};
    if (!root()) return;
    made_.output_parts = parts(*call_.out.parts, call_.out.count, "out");
    check_disjoint(made_.output_parts, "out");
    expect_part(call_.in.count, made_.output_parts[rank()], "in");
    own_part_may_alias(made_.output_parts[rank()], output_, call_.out.count, input_, call_.in.count);
  }
  void scatter_v() {
    made_.output_parts = {{0, call_.out.count * call_.type->bytes}};
    if (!root()) return;
    made_.input_parts = parts(*call_.in.parts, call_.in.count, "in");
    expect_part(call_.out.count, made_.input_parts[rank()], "out");
    own_part_may_alias(made_.input_parts[rank()], input_, call_.in.count, output_, call_.out.count);
  }
  void all_to_all_v() {
    made_.input_parts = parts(*call_.in.parts, call_.in.count, "in");
    made_.output_parts = parts(*call_.out.parts, call_.out.count, "out");
    check_disjoint(made_.output_parts, "out");
    const std::size_t own_in = made_.input_parts[rank()].bytes, own_out = made_.output_parts[rank()].bytes;
    if (own_in != own_out)
      throw UsageError(fmt::format("all_to_all: node {} sends itself {} and expects {}", me_,
                                   counted(own_in / call_.type->bytes, "element"),
                                   own_out / call_.type->bytes));
    made_.overwrites = overlaps_at(0);
  }

  /// Throws UsageError unless `small` is this part of `whole`, or does not overlap it.
  void own_part_may_alias(const Range& part, const std::byte* whole, std::size_t whole_count,
                          const std::byte* small, std::size_t small_count) const {
    const std::size_t bytes = call_.type->bytes;
    if (overlap(whole, whole_count * bytes, small, small_count * bytes) && small != whole + part.offset)
      throw UsageError(fmt::format(
          "{}: in and out overlap: pass disjoint ranges, or one range for the call in place", name_));
  }

  const Arguments& call_;
  Rank me_;
  std::size_t p_;
  int nodes_;
  std::string_view name_;
  const std::byte* input_;
  const std::byte* output_;
  CheckedCall made_;
};

}

bool overlap(const std::byte* a, std::size_t a_bytes, const std::byte* b, std::size_t b_bytes) {
  const std::less<const std::byte*> before;
  return a_bytes > 0 && b_bytes > 0 && before(a, b + b_bytes) && before(b, a + a_bytes);
}

void check_rank(const char* what, Rank rank, int nodes, const char* or_else) {
  if (rank < 0 || rank >= nodes)
    throw UsageError(fmt::format("{} {} is not a node of a team of {}: ranks are 0 to {}{}", what, rank,
                                 nodes, nodes - 1, or_else));
}

CheckedCall checked(const Arguments& call, Rank me, int nodes) { return Check(call, me, nodes).done(); }

void check_once(std::string_view operation, const Buffer& data) {
  if (data.layout != nullptr && data.layout->overlaps())
    throw UsageError(fmt::format("{}: the layout {} picks an element twice: what arrives there would be lost",
                                 operation, data.layout->text()));
}

}
