// The n-ary combine takes what several nodes have published from all their boards at once, place by place.
#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <vnode/error.hpp>

#include "execute/execution.hpp"

namespace vnode {
namespace {

/// Combines n operands, one segment after the other, with room for partial results.
class NaryCombine {
 public:
  /// If `canonical`, combines as a tree, lowest bit first, ((0 1)(2 3))(4 5), rounded after every step; else
  /// from left to right. A segment has at most `bytes`.
  NaryCombine(const Work& work, bool canonical, std::size_t bytes)
      : work_(work), canonical_(canonical), bytes_(bytes) {}

  /// Sets into = operands[0] op operands[1] op ...; `into` may be one of the operands, but overlaps no other.
  void apply(std::byte* into, std::span<const std::byte* const> operands, std::size_t bytes);
  /// Returns room for a segment, which nobody else gets.
  std::byte* take_room();

 private:
  struct alignas(cache_line) Line {
    std::byte bytes[cache_line];
  };
  struct Partial {
    const std::byte* value;
    std::byte* room;  // its own, or null: an operand
    int level;
  };
  void from_left(std::byte* into, std::span<const std::byte* const> operands, std::size_t bytes);
  void as_tree(std::byte* into, std::span<const std::byte* const> operands, std::size_t bytes);
  void join_last(std::vector<Partial>& partials, std::byte* into, std::size_t bytes);

  const Work& work_;
  bool canonical_;
  std::size_t bytes_;
  std::vector<std::unique_ptr<Line[]>> rooms_;
  std::vector<std::byte*> free_;
  std::vector<Partial> partials_;
};

void NaryCombine::apply(std::byte* into, std::span<const std::byte* const> operands, std::size_t bytes) {
  if (operands.size() == 1) {
    if (into != operands[0]) std::memcpy(into, operands[0], bytes);
  } else if (canonical_) {
    as_tree(into, operands, bytes);
  } else if (work_.reduction->combine_all != nullptr) {
    work_.reduction->combine_all(into, operands.data(), operands.size(), bytes / work_.element_bytes);
  } else {
    from_left(into, operands, bytes);
  }
}

std::byte* NaryCombine::take_room() {
  if (free_.empty()) {
    rooms_.push_back(std::make_unique<Line[]>((bytes_ + sizeof(Line) - 1) / sizeof(Line)));
    free_.push_back(rooms_.back()[0].bytes);
  }
  std::byte* const room = free_.back();
  free_.pop_back();
  return room;
}

/// Combines from left to right. The running result lies in `into`, unless that holds an operand that is still
/// to come.
void NaryCombine::from_left(std::byte* into, std::span<const std::byte* const> operands, std::size_t bytes) {
  std::size_t occupied = 0;  // operands up to the one in `into`
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i] == into) occupied = i;
  std::byte* const room = occupied > 1 ? take_room() : nullptr;
  const std::byte* running = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i) {
    std::byte* const target = i < occupied ? room : into;
    work_.apply(Effect::combine_after, target, running, operands[i], bytes);
    running = target;
  }
  if (room != nullptr) free_.push_back(room);
}

/// Combines like a binary counter: partial results of equal level are joined, and at the end what is left,
/// from the right.
void NaryCombine::as_tree(std::byte* into, std::span<const std::byte* const> operands, std::size_t bytes) {
  partials_.clear();
  for (std::size_t i = 0; i < operands.size(); ++i) {
    partials_.push_back({operands[i], nullptr, 0});
    const bool last = i + 1 == operands.size();
    while (partials_.size() > 1 && (last || partials_[partials_.size() - 2].level == partials_.back().level))
      join_last(partials_, last && partials_.size() == 2 ? into : nullptr, bytes);
  }
}

/// Joins the last two partial results, into `into` or, if that is null, into room of their own.
void NaryCombine::join_last(std::vector<Partial>& partials, std::byte* into, std::size_t bytes) {
  const Partial right = partials.back();
  partials.pop_back();
  Partial& left = partials.back();
  std::byte* target = into != nullptr ? into : left.room != nullptr ? left.room : right.room;
  if (target == nullptr) target = take_room();
  work_.apply(Effect::combine_after, target, left.value, right.value, bytes);
  for (std::byte* const room : {left.room, right.room})
    if (room != nullptr && room != target) free_.push_back(room);
  left = {target, into == nullptr ? target : nullptr, left.level + 1};
}

/// Combines places from the boards of the nodes that have published their operands: one, or several of which
/// each goes on from the result of the one before.
class PublishedCombine {
 public:
  PublishedCombine(Endpoint& endpoint, const Plan& plan, const Call& call, std::span<const Combine> places)
      : fabric_(endpoint.fabric()),
        plan_(plan),
        program_(plan.program(call.rank)),
        call_(call),
        places_(places),
        operands_(program_.operands.data() + places.back().first_operand, places.back().operands),
        work_{endpoint, call.element_bytes, call.reduction} {}

  void run() const {
    if (operands_.front().pieces == 0) return;
    const Guard guard(fabric_, work_.endpoint.rank());
    const Piece& end = pieces(places_.back()).back();
    const std::size_t all = end.at + end.bytes;
    // A result that is forwarded is forwarded while it is in the nearest cache.
    const std::size_t segment =
        segment_of(call_.element_bytes, forwards().empty() ? segment_bytes : forwarded_bytes);
    if (!work_.has_help(Effect::combine_after, all)) return combine(segment, 0, all);
    // This thread looks up the other ends beforehand, since it alone may note them; the arena's threads look
    // up nothing.
    for (const Operand& operand : operands_)
      if (!message(operand).lands) plan_.sources(call_.rank, message(operand));
    for (const std::uint32_t back : forwards()) plan_.pieces(call_.rank, program_.outgoing[back]);
    work_.divide(all, segment, [&](std::size_t first, std::size_t last) { combine(segment, first, last); });
  }

 private:
  struct Value {
    const std::byte* begin;
    std::size_t bytes;  // contiguous from here
  };
  /// Describes where a result goes.
  struct Forward {
    std::span<const Piece> wanted;
    Memories theirs;
  };

  /// Returns the pieces of a place's first operand: those of all others have the same places, and are cut
  /// alike.
  std::span<const Piece> pieces(const Combine& place) const {
    const Operand& first = program_.operands[place.first_operand];
    return std::span(program_.pieces).subspan(first.first_piece, first.pieces);
  }
  const Incoming& message(const Operand& operand) const { return program_.incoming[operand.incoming]; }
  /// Returns the messages, in Program::outgoing, that bring results of all places back.
  std::span<const std::uint32_t> forwards() const {
    const std::size_t first = places_.front().first_forward;
    return std::span(program_.forwards)
        .subspan(first, places_.back().first_forward + places_.back().forwards - first);
  }
  const std::byte* published(const Incoming& message) const {
    return call_.board(message.peer).payload(call_.head_of(message.round));
  }
  Value value(const Incoming& message, std::size_t from) const {
    if (message.lands) return {at(call_.memories, message.landing) + from, message.bytes - from};
    const std::byte* const payload = published(message);
    if (message.carriage == Carriage::lines) {
      const std::size_t begin = message.packed ? plan_.packed(call_.rank, message).at : 0;
      return {payload + begin + from, message.bytes - from};
    }
    auto part = plan_.sources(call_.rank, message).begin();
    for (; from >= part->bytes; ++part) from -= part->bytes;
    return {at(Announcement<Memories>::in(payload).memory, part->theirs) + from, part->bytes - from};
  }
  void combine(std::size_t segment, std::size_t first, std::size_t last) const;
  static void forward(const Forward& back, const std::byte* result, std::size_t from, std::size_t bytes);
  static std::byte* straight_to(const Forward& back, std::size_t from, std::size_t bytes);

  Fabric& fabric_;
  const Plan& plan_;
  const Program& program_;
  const Call& call_;
  std::span<const Combine> places_;
  std::span<const Operand> operands_;  // of the last place, and so of all
  Work work_;
};

/// Combines bytes [first, last) of the places: for each segment all operands in rank order, so that the
/// running result stays in cache. Several threads may run it at a time, each with bytes of its own.
void PublishedCombine::combine(std::size_t segment, std::size_t first, std::size_t last) const {
  NaryCombine combine(work_, plan_.canonical(), std::min(segment, last - first));
  const bool all_kept = std::ranges::all_of(places_, &Combine::kept);
  std::byte* const room = all_kept ? nullptr : combine.take_room();

  // A result goes back to nodes whose operands it was made of, and these have shown their memories.
  std::vector<Forward> forwards;
  for (const std::uint32_t index : this->forwards()) {
    const Outgoing& back = program_.outgoing[index];
    const auto came = std::ranges::find_if(
        operands_, [&](const Operand& operand) { return message(operand).peer == back.peer; });
    forwards.push_back(
        {plan_.pieces(call_.rank, back), Announcement<Memories>::in(published(message(*came))).memory});
  }

  std::vector<const std::byte*> brought, terms;
  brought.reserve(operands_.size());
  terms.reserve(operands_.size() + 1);
  for (std::size_t from = first; from < last;) {
    fabric_.check_aborted();
    const Piece& whole = piece_at(pieces(places_.back()), from);
    std::size_t bytes = std::min({segment, whole.at + whole.bytes - from, last - from});
    brought.clear();
    for (const Operand& operand : operands_) {
      const Value next = value(message(operand), from);
      brought.push_back(next.begin);
      bytes = std::min(bytes, next.bytes);
    }
    std::size_t taken = 0;  // operands
    bool own_taken = false;
    const std::byte* running = nullptr;
    auto back = forwards.begin();
    for (const Combine& place : places_) {
      const Piece& part = piece_at(pieces(place), from);
      bool own_to_come = part.effect != Effect::replace && !own_taken;
      const std::byte* const own = own_to_come ? at(call_.memories, part.own) + (from - part.at) : nullptr;
      own_taken = own_taken || own_to_come;
      terms.clear();
      if (running != nullptr) terms.push_back(running);
      for (; taken < place.operands; ++taken) {
        if (own_to_come && message(operands_[taken]).peer > call_.rank) {
          own_to_come = false;
          terms.push_back(own);
        }
        terms.push_back(brought[taken]);
      }
      if (own_to_come) terms.push_back(own);
      std::byte* into = room;
      if (place.kept)
        into = at(call_.memories, part.into) + (from - part.at);
      else if (std::byte* const there = place.forwards == 1 ? straight_to(*back, from, bytes) : nullptr)
        into = there;
      combine.apply(into, terms, bytes);
      running = into;
      for (std::uint32_t i = 0; i < place.forwards; ++i, ++back)
        if (into == room || place.kept) forward(*back, into, from, bytes);
    }
    from += bytes;
  }
}

/// Writes bytes [from, from + bytes) of a result, which lie in `result`, to where another node wants them.
void PublishedCombine::forward(const Forward& back, const std::byte* result, std::size_t from,
                               std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const Piece& part = piece_at(back.wanted, from + done);
    const std::size_t now = std::min(bytes - done, part.at + part.bytes - from - done);
    std::memcpy(at(back.theirs, part.into) + (from + done - part.at), result + done, now);
    done += now;
  }
}

/// Returns where another node wants these bytes, if they lie together there; else null.
std::byte* PublishedCombine::straight_to(const Forward& back, std::size_t from, std::size_t bytes) {
  const Piece& part = piece_at(back.wanted, from);
  return from + bytes <= part.at + part.bytes ? at(back.theirs, part.into) + (from - part.at) : nullptr;
}

}  // namespace

/// In place, what a result is written over is an operand of results with more operands, which are made before
/// it, or from it where one goes on from the other.
void combine_published(Endpoint& endpoint, const Plan& plan, const Call& call,
                       std::span<const Combine> places) {
  while (!places.empty()) {
    std::size_t first = places.size() - 1;
    while (plan.may_go_on() && places[first].goes_on) --first;
    PublishedCombine(endpoint, plan, call, places.subspan(first)).run();
    places = places.first(first);
  }
}

}  // namespace vnode
