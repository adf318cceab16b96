#include "compile/exchange_program.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace vnode {
namespace {

class Builder {
 public:
  Builder(const Schedule& schedule, Rank rank, const VaryingLayout& layout, std::size_t element_bytes)
      : schedule_(schedule), rank_(rank), layout_(layout) {
    program_.element_bytes = element_bytes;
  }

  void add(const Part& part) {
    const auto mark = static_cast<std::uint16_t>(program_.rounds.size());
    for (const Transfer& t : part.out) program_.out.push_back(message(t.to, mark, t.what, false));
    for (const Transfer& t : part.in) program_.in.push_back(message(t.from, mark, t.into, true));
    // Every node begins with another neighbour.
    const auto distance = [&](const ExchangeProgram::Message& m) {
      return (m.peer - rank_ + schedule_.nodes()) % schedule_.nodes();
    };
    const auto [out, in] = program_.rounds.empty() ? ExchangeProgram::Round{} : program_.rounds.back();
    std::ranges::stable_sort(program_.out.begin() + static_cast<std::ptrdiff_t>(out), program_.out.end(),
                             std::ranges::greater{}, distance);
    std::ranges::stable_sort(program_.in.begin() + static_cast<std::ptrdiff_t>(in), program_.in.end(), {},
                             distance);
    program_.rounds.push_back({program_.out.size(), program_.in.size()});
    arrived_.insert(arrived_now_.begin(), arrived_now_.end());
    arrived_now_.clear();
  }
  /// Adds what the node brings and takes away itself.
  ExchangeProgram done() {
    for (const auto& [block, from] : layout_.input)
      if (const auto to = layout_.output.find(block);
          to != layout_.output.end() && to->second.memory != from.memory)
        program_.own.push_back({from.memory, to->second.memory, from.count});
    if (program_.rounds.empty()) program_.rounds.emplace_back();
    return std::move(program_);
  }

 private:
  ExchangeProgram::Message message(Rank peer, std::uint16_t mark, Blocks blocks, bool arrives) {
    ExchangeProgram::Message made{peer, mark, static_cast<std::uint32_t>(program_.pieces.size()), 0, 0};
    for (const Interval& interval : schedule_.intervals(blocks))
      for (int block = interval.first; block < interval.last; ++block) {
        if (arrives) arrived_now_.push_back(block);
        append(made, arrives ? layout_.output.at(block) : source(block));
      }
    return made;
  }
  /// Appends a piece to a message; joins it to the piece before if it goes on where that ends.
  void append(ExchangeProgram::Message& message, const ExchangeProgram::Piece& piece) {
    if (piece.count == 0) return;
    message.count += piece.count;
    if (message.number > 0)
      if (ExchangeProgram::Piece& last = program_.pieces.back();
          last.memory.data + last.count * program_.element_bytes == piece.memory.data) {
        last.count += piece.count;
        return;
      }
    program_.pieces.push_back(piece);
    ++message.number;
  }
  const ExchangeProgram::Piece& source(int block) const {
    const auto own = layout_.input.find(block);
    return own != layout_.input.end() && !arrived_.contains(block) ? own->second : layout_.output.at(block);
  }

  const Schedule& schedule_;
  Rank rank_;
  const VaryingLayout& layout_;
  ExchangeProgram program_;
  std::unordered_set<int> arrived_;
  std::vector<int> arrived_now_;
};

}  // namespace

ExchangeProgram varying_program(const Schedule& schedule, const std::vector<Part>& parts, Rank rank,
                                const VaryingLayout& layout, std::size_t element_bytes) {
  Builder builder(schedule, rank, layout, element_bytes);
  for (const Part& part : parts) builder.add(part);
  return builder.done();
}

}  // namespace vnode
