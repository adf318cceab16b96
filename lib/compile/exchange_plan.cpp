#include "compile/exchange_plan.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>
#include <utility>

#include <vnode/error.hpp>

#include "base/counted.hpp"

namespace vnode {
namespace {

std::span<const Buffer> pieces_of(const Buffer& buffer) {
  return {buffer.pieces, buffer.pieces != nullptr ? buffer.count : 0};
}

/// Checks the arguments of one call.
class ExchangeCheck {
 public:
  ExchangeCheck(const Arguments& call, const Neighbours& neighbours, Rank me, int nodes)
      : call_(call),
        neighbours_(neighbours),
        me_(me),
        nodes_(nodes),
        name_(call.exchange ? "exchange" : "all_to_all"),
        out_(parts(neighbours.targets(), call.in, "in")),
        in_(parts(neighbours.sources(), call.out, "out")) {
    check_disjoint();
  }

  ExchangeProgram program() {
    ExchangeProgram made;
    made.element_bytes = call_.type->bytes;
    add(made, made.out, neighbours_.targets(), neighbours_.target_marks(), out_);
    add(made, made.in, neighbours_.sources(), neighbours_.source_marks(), in_);
    made.rounds = {{made.out.size(), made.in.size()}};
    // Everybody begins with another neighbour; of messages between the same two nodes each end takes the one
    // with the lowest mark first.
    std::ranges::sort(made.out, {}, [&](const ExchangeProgram::Message& message) {
      return std::tuple((message.peer - me_ + nodes_) % nodes_, message.mark);
    });
    std::ranges::sort(made.in, {}, [&](const ExchangeProgram::Message& message) {
      return std::tuple((me_ - message.peer + nodes_) % nodes_, message.mark);
    });
    add_own(made);
    return made;
  }

 private:
  std::string number_of(std::size_t count) const {
    return counted(count, call_.exchange ? "neighbour" : "node");
  }

  std::vector<ExchangeProgram::Piece> parts(std::span<const Rank> peers, const Buffer& whole,
                                            const char* which) const {
    for (const Rank peer : peers)
      if (peer != no_rank && (peer < 0 || peer >= nodes_))
        throw UsageError(fmt::format("{}: neighbour {} is not a node of {}: ranks are 0 to {}, or no_rank",
                                     name_, peer, counted(nodes_, "node"), nodes_ - 1));
    switch (call_.parts) {
      case Arguments::Parts::equal:
        return equal_parts(peers.size(), whole, which);
      case Arguments::Parts::given:
        return given_parts(peers.size(), whole, *whole.parts, which);
      case Arguments::Parts::pieces:
        break;
    }
    if (whole.count != peers.size())
      throw UsageError(fmt::format("{}: {} has {} for {}", name_, which, counted(whole.count, "piece"),
                                   number_of(peers.size())));
    std::vector<ExchangeProgram::Piece> list;
    for (const Buffer& piece : pieces_of(whole)) list.push_back(part(piece, 0, piece.count));
    return list;
  }

  static ExchangeProgram::Piece part(const Buffer& whole, std::size_t first, std::size_t count) {
    return {{static_cast<std::byte*>(whole.data), whole.layout != nullptr ? &whole.layout->form() : nullptr,
             whole.first + first},
            count};
  }
  std::vector<ExchangeProgram::Piece> equal_parts(std::size_t peers, const Buffer& whole,
                                                  const char* which) const {
    if (peers == 0 ? whole.count > 0 : whole.count % peers != 0)
      throw UsageError(fmt::format("{}: {} has {}, which {} cannot share equally", name_, which,
                                   counted(whole.count, "element"), number_of(peers)));
    std::vector<ExchangeProgram::Piece> list;
    for (std::size_t i = 0; i < peers; ++i)
      list.push_back(part(whole, i * (whole.count / peers), whole.count / peers));
    return list;
  }
  std::vector<ExchangeProgram::Piece> given_parts(std::size_t peers, const Buffer& whole,
                                                  const Partition& partition, const char* which) const {
    const auto& [counts, displacements] = partition;
    const auto expect = [&](std::size_t size, const char* what) {
      if (size != peers)
        throw UsageError(fmt::format("{}: there are {} for {} and {}", name_, counted(size, what), which,
                                     number_of(peers)));
    };
    expect(counts.size(), "count");
    if (!displacements.empty()) expect(displacements.size(), "displacement");
    std::vector<ExchangeProgram::Piece> list;
    std::size_t next = 0;
    for (std::size_t i = 0; i < peers; ++i) {
      const std::size_t count = counts[i], first = displacements.empty() ? next : displacements[i];
      if (count > whole.count || (count > 0 && first > whole.count - count))
        throw UsageError(fmt::format("{}: part {} of {}, {} from {}, is not within its {}", name_, i, which,
                                     counted(static_cast<std::ptrdiff_t>(count), "element"),
                                     static_cast<std::ptrdiff_t>(first), counted(whole.count, "element")));
      list.push_back(part(whole, count > 0 ? first : 0, count));
      next = first + count;
    }
    return list;
  }

  /// Describes contiguous bytes of a part.
  struct Block {
    const std::byte* begin;
    const std::byte* end;
    bool written;
    std::size_t part;
  };
  /// Throws UsageError if a part that is written overlaps another part that is read or written.
  void check_disjoint() const {
    std::vector<Block> boxes;
    each_part([&](const ExchangeProgram::Piece& part, bool written, std::size_t number) {
      const auto at = [&](std::ptrdiff_t element) {
        return part.memory.data + element * static_cast<std::ptrdiff_t>(call_.type->bytes);
      };
      const LayoutForm* const form = part.memory.form;
      const auto first = static_cast<std::ptrdiff_t>(part.memory.first);
      if (form == nullptr)
        boxes.push_back({at(first), at(first + static_cast<std::ptrdiff_t>(part.count)), written, number});
      else
        boxes.push_back({at(form->first), at(form->last), written, number});
      // More elements than room: this alone shows an overlap, and to look at all elements might take long.
      if (written && form != nullptr && part.count > static_cast<std::size_t>(form->last - form->first))
        refuse_twice(number);
    });
    const bool own = std::ranges::any_of(in_, [](const ExchangeProgram::Piece& part) {
      return part.memory.form != nullptr && !part.memory.form->contiguous();
    });
    if (!own && !conflict(boxes)) return;
    std::vector<Block> blocks;
    each_part([&](const ExchangeProgram::Piece& part, bool written, std::size_t number) {
      const std::size_t bytes = call_.type->bytes;
      auto row = [&](std::ptrdiff_t offset, std::size_t length, std::size_t count, std::ptrdiff_t stride) {
        if (stride == 0) count = std::min<std::size_t>(count, 2);  // two in one place tell as much as all
        for (std::size_t i = 0; i < count; ++i, offset += stride) {
          const std::byte* const begin = part.memory.data + offset * static_cast<std::ptrdiff_t>(bytes);
          blocks.push_back({begin, begin + length * bytes, written, number});
        }
      };
      const std::size_t first = part.memory.first;
      if (part.memory.form == nullptr)
        row(static_cast<std::ptrdiff_t>(first), part.count, 1, 0);
      else
        each_row(part.memory.form->patterns, 0, first, first + part.count, row);
    });
    const auto found = conflict(blocks);
    if (!found) return;
    const auto& [a, b] = *found;
    if (a.written && b.written && a.part == b.part) refuse_twice(a.part);
    throw UsageError(
        fmt::format("{}: part {} of {} and part {} of {} overlap: all that is written must be apart", name_,
                    a.part, a.written ? "out" : "in", b.part, b.written ? "out" : "in"));
  }
  [[noreturn]] void refuse_twice(std::size_t part) const {
    throw UsageError(fmt::format("{}: part {} of out has an element twice: what arrives there would be lost",
                                 name_, part));
  }
  template <class Body>
  void each_part(const Body& body) const {
    for (std::size_t i = 0; i < out_.size(); ++i)
      if (out_[i].count > 0 && neighbours_.targets()[i] != no_rank) body(out_[i], false, i);
    for (std::size_t i = 0; i < in_.size(); ++i)
      if (in_[i].count > 0 && neighbours_.sources()[i] != no_rank) body(in_[i], true, i);
  }
  /// Returns two blocks that overlap, one of which is written, if there are any.
  static std::optional<std::pair<Block, Block>> conflict(std::vector<Block>& blocks) {
    std::ranges::sort(blocks, std::less<>(), &Block::begin);
    const Block* any = nullptr;      // of those before, the one that ends last
    const Block* written = nullptr;  // the one that is written and ends last
    for (const Block& block : blocks) {
      const Block* const other = block.written ? any : written;
      if (other != nullptr && block.begin < other->end) return std::pair(*other, block);
      if (any == nullptr || block.end > any->end) any = &block;
      if (block.written && (written == nullptr || block.end > written->end)) written = &block;
    }
    return {};
  }

  void add(ExchangeProgram& made, std::vector<ExchangeProgram::Message>& messages,
           std::span<const Rank> peers, std::span<const std::uint16_t> marks,
           const std::vector<ExchangeProgram::Piece>& parts) const {
    for (std::size_t i = 0; i < peers.size(); ++i)
      if (peers[i] != no_rank && peers[i] != me_) {
        messages.push_back(
            {peers[i], marks[i], static_cast<std::uint32_t>(made.pieces.size()), 1, parts[i].count});
        made.pieces.push_back(parts[i]);
      }
  }
  /// Adds the messages that the node sends to itself.
  void add_own(ExchangeProgram& made) const {
    const auto sources = neighbours_.sources(), targets = neighbours_.targets();
    std::size_t expected = static_cast<std::size_t>(std::ranges::count(sources, me_));
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i] != me_) continue;
      std::size_t j = 0;
      while (j < sources.size() &&
             (sources[j] != me_ || neighbours_.source_marks()[j] != neighbours_.target_marks()[i]))
        ++j;
      if (j == sources.size() || expected == 0)
        throw UsageError(
            fmt::format("{}: node {} is its own target more often than its own source", name_, me_));
      --expected;
      if (out_[i].count != in_[j].count)
        throw UsageError(fmt::format("{}: node {} sends itself {} and expects {}", name_, me_,
                                     counted(out_[i].count, "element"), in_[j].count));
      made.own.push_back({out_[i].memory, in_[j].memory, in_[j].count});
    }
    if (expected > 0)
      throw UsageError(
          fmt::format("{}: node {} is its own source more often than its own target", name_, me_));
  }

  const Arguments& call_;
  const Neighbours& neighbours_;
  Rank me_;
  int nodes_;
  const char* name_;
  std::vector<ExchangeProgram::Piece> out_, in_;  // what goes out, and what comes in
};

}  // namespace

ExchangePlan::ExchangePlan(const Arguments& call, const Neighbours& neighbours, Rank me, int nodes,
                           std::size_t most_eager)
    : ExchangePlan(call, ExchangeCheck(call, neighbours, me, nodes).program(), 0, {}) {
  program_.most_eager = most_eager;
  for (const auto& message : program_.out) bytes_sent_ += message.count * program_.element_bytes;
  for (const auto& message : program_.own) bytes_sent_ += message.count * program_.element_bytes;
}

ExchangePlan::ExchangePlan(const Arguments& call, ExchangeProgram program, std::size_t bytes_sent,
                           std::vector<std::byte> copy)
    : parts_(call.parts),
      exchange_(call.exchange),
      element_hash_(call.type->hash),
      in_(call.in),
      out_(call.out),
      program_(std::move(program)),
      bytes_sent_(bytes_sent),
      copy_(std::move(copy)) {
  if (call.neighbours != nullptr) neighbours_ = *call.neighbours;
}

ExchangePlan::Kept::Kept(const Buffer& from)
    : memory{static_cast<std::byte*>(from.data), from.layout != nullptr ? &from.layout->form() : nullptr,
             from.first},
      count(from.count),
      is_plain(from.layout == nullptr && from.parts == nullptr && from.pieces == nullptr) {
  if (from.layout != nullptr) layout = *from.layout;
  if (from.parts != nullptr) parts = *from.parts;
  for (const Buffer& piece : pieces_of(from)) pieces.emplace_back(piece);
}

bool ExchangePlan::Kept::is_divided_as(const Buffer& buffer) const {
  return memory.first == buffer.first &&
         memory.form == (buffer.layout != nullptr ? &buffer.layout->form() : nullptr) &&
         (buffer.parts == nullptr ||
          (parts.counts == buffer.parts->counts && parts.displacements == buffer.parts->displacements)) &&
         std::ranges::equal(pieces, pieces_of(buffer),
                            [](const Kept& kept, const Buffer& piece) { return kept.is(piece); });
}

bool ExchangePlan::is_of(const Arguments& call) const {
  return call.parts == parts_ && call.exchange == exchange_ && call.type->hash == element_hash_ &&
         in_.is(call.in) && out_.is(call.out) &&
         (call.neighbours == nullptr ? !neighbours_ : neighbours_ && *neighbours_ == *call.neighbours);
}

}  // namespace vnode
