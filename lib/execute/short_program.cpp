#include "execute/short_program.hpp"

#include <algorithm>

#include "execute/transfer.hpp"

namespace vnode {
namespace {

/// Returns the only piece of a message in lines, if it covers the message; else null.
const Piece* whole(const Program& program, const Incoming& message) {
  if (message.carriage != Carriage::lines || message.count != 1) return nullptr;
  const Piece& piece = program.pieces_of(message).front();
  return piece.at == 0 && piece.bytes == message.bytes ? &piece : nullptr;
}

}  // namespace

std::optional<ShortProgram> ShortProgram::of(const Plan& plan, Endpoint& endpoint, const Context& context,
                                             Rank rank, std::uint32_t signature, std::size_t element_bytes) {
  const Program& program = plan.program(rank);
  if (program.scratch_bytes != 0 || program.tickets != 0) return {};
  ShortProgram made;
  made.signature_ = signature;
  made.context_ = &context;
  made.state_ = &context.member_state(rank);
  made.rank_ = rank;
  std::span<const Step> steps(program.steps);
  if (steps.size() == 2 && steps.front().kind == Step::Kind::arrive) {
    made.meeting_ = steps.front().first + 1;
    made.arrival_ = context.arrival(static_cast<Rank>(steps.front().index), rank);
    made.steps_ = 1;
    made.goes_ = Goes::meeting;
    made.comes_ = Comes::meeting;
    return made;
  }
  if (steps.size() == 4 && steps[1].kind == Step::Kind::bring) {
    const OwnCopy& taken = program.copies[1];
    if (taken.bytes > segment_bytes) return {};
    made.meeting_ = steps[2].first + 1;
    made.arrival_ = context.arrival(static_cast<Rank>(steps[2].index), rank);
    made.steps_ = 2;
    made.goes_ = Goes::value;
    made.comes_ = Comes::value;
    made.value_ = {0, steps[1].count != 0, program.copies[0].bytes, element_bytes};
    made.sent_ = program.copies[0].from;
    made.into_ = taken.into;
    made.in_bytes_ = static_cast<std::uint16_t>(taken.bytes);
    made.taken_ = taken.from.offset;
    return made;
  }
  if (!steps.empty() && steps.front().kind == Step::Kind::signal) {
    made.goes_ = Goes::signal;
    made.to_ = steps.front().peer < 0 ? -1 : context.node(steps.front().peer);
    steps = steps.subspan(1);
  } else if (!steps.empty() &&
             (steps.front().kind == Step::Kind::send || steps.front().kind == Step::Kind::publish)) {
    if (!made.goes_out(program, steps.front(), endpoint)) return {};
    steps = steps.subspan(1);
  }
  if (!steps.empty() && steps.front().kind == Step::Kind::copy) {
    const OwnCopy& copied = program.copies[steps.front().first];
    if (copied.bytes > segment_bytes) return {};  // an arena may help with it
    made.copied_ = copied.from;
    made.copied_into_ = copied.into;
    made.copied_bytes_ = copied.bytes;
    steps = steps.subspan(1);
  }
  made.steps_ = static_cast<std::uint16_t>(program.steps.size() - steps.size());
  if (steps.size() > 1 && steps.back().kind == Step::Kind::publish) {
    if (made.goes_ != Goes::nothing) return {};
    if (!made.goes_out(program, steps.back(), endpoint)) return {};
    made.goes_ = Goes::nothing;
    made.shows_last_ = true;
    steps = steps.first(steps.size() - 1);
  }
  if (!steps.empty() && !made.comes_in(plan, steps, endpoint)) return {};
  if (made.shows_last_ && made.comes_ == Comes::message) return {};
  made.elements_ = static_cast<std::uint16_t>(made.in_bytes_ / element_bytes);
  return made;
}

/// Notes what it sends or shows in this step. Returns false if that is not done in short.
bool ShortProgram::goes_out(const Program& program, const Step& step, Endpoint& endpoint) {
  const Outgoing& sent = program.outgoing[step.first];
  if (sent.carriage != Carriage::lines || (sent.count > 1 && step.kind == Step::Kind::send)) return false;
  const bool shows = step.kind == Step::Kind::publish;
  goes_ = shows ? Goes::publication : Goes::message;
  to_ = step.peer < 0 ? -1 : context_->node(sent.peer);
  if (!shows && (out_ = endpoint.fabric().channel(endpoint.rank(), to_).lines()) == nullptr) return false;
  out_round_ = sent.round;
  out_bytes_ = static_cast<std::uint16_t>(sent.bytes);
  out_stamp_ = Head{.context = context_->id(), .round = sent.round, .bytes = out_bytes_}.stamp();
  if (sent.count > 1)
    packed_ = program.sources_of(sent);
  else if (sent.count > 0)
    sent_ = program.sources_of(sent).front().theirs;
  if (shows) readers_ = std::span(program.readers).subspan(sent.readers, step.count);
  return true;
}

/// Notes what it receives or reads in these steps. Returns false if that is not done in short.
bool ShortProgram::comes_in(const Plan& plan, std::span<const Step> steps, Endpoint& endpoint) {
  const Program& program = plan.program(rank_);
  in_round_ = steps.front().round;
  comes_ = Comes::publications;
  for (const Step& step : steps) {
    if (step.kind == Step::Kind::take) {
      const Incoming& message = program.incoming[step.first];
      const Piece* const piece = whole(program, message);
      if (piece == nullptr || piece->effect != Effect::replace || !is_read(plan, message)) return false;
      reads_.back().into = piece->into;
    } else if (steps.size() > 1) {
      return false;
    } else if (step.kind == Step::Kind::await_begun) {
      comes_ = Comes::begun;
      const Gather& awaited = program.gathers[step.first];
      for (std::uint32_t i = 0; i < awaited.sources; ++i)
        awaited_.push_back(
            &context_->member_state(program.incoming[program.gathered[awaited.first_source + i]].peer));
    } else if (step.kind == Step::Kind::receive) {
      return is_received(program, program.incoming[step.first], endpoint);
    } else {
      return step.kind == Step::Kind::gather && is_combined(plan, program.gathers[step.first]);
    }
  }
  return true;
}

bool ShortProgram::is_received(const Program& program, const Incoming& message, Endpoint& endpoint) {
  comes_ = Comes::message;
  from_ = context_->node(message.peer);
  if (message.carriage != Carriage::lines ||
      (in_ = endpoint.fabric().channel(from_, endpoint.rank()).lines()) == nullptr)
    return false;
  in_bytes_ = static_cast<std::uint16_t>(message.bytes);
  in_stamp_ = Head{.context = context_->id(), .round = message.round, .bytes = in_bytes_}.stamp();
  if (message.count == 0) return true;
  const Piece* const piece = whole(program, message);
  if (piece == nullptr) return false;
  own_ = piece->own;
  into_ = piece->into;
  effect_ = piece->effect;
  return true;
}

bool ShortProgram::is_combined(const Plan& plan, const Gather& gather) {
  const Program& program = plan.program(rank_);
  const Combine& place = program.combines[gather.first_combine];
  if (gather.combines != 1 || place.operands != gather.sources || place.forwards != 0) return false;
  std::size_t before = 0;  // operands of lower ranks
  for (std::uint32_t i = 0; i < place.operands; ++i) {
    const Incoming& message = program.incoming[program.operands[place.first_operand + i].incoming];
    const Piece* const piece = whole(program, message);
    if (piece == nullptr || !is_read(plan, message)) return false;
    if (i == 0) {
      own_ = piece->own;
      into_ = piece->into;
      effect_ = piece->effect;
    }
    if (message.peer < rank_) ++before;
  }
  gathers_ = true;
  at_once_ = !plan.canonical();
  operands_.resize(reads_.size() + (effect_ != Effect::replace));
  own_operand_ = effect_ != Effect::replace ? before : operands_.size();
  for (std::size_t i = 0; i < reads_.size(); ++i) reads_[i].operand = i + (i >= own_operand_);
  // A tree of more than three operands is another expression than theirs from left to right.
  return at_once_ || operands_.size() <= 3;
}

/// Adds a publication to those that it reads. Returns false if it is not like the others.
bool ShortProgram::is_read(const Plan& plan, const Incoming& message) {
  if (message.lands || message.round != in_round_) return false;
  const Outgoing* const packed = message.packed ? &plan.packed(rank_, message) : nullptr;
  const auto all = static_cast<std::uint16_t>(packed != nullptr ? packed->all_bytes : message.bytes);
  if (!reads_.empty() && (message.bytes != in_bytes_ || all != shown_bytes_)) return false;
  in_bytes_ = static_cast<std::uint16_t>(message.bytes);
  shown_bytes_ = all;
  reads_.push_back({&context_->member_state(message.peer).board,
                    context_->node(message.peer),
                    packed != nullptr ? packed->at : 0,
                    0,
                    {}});
  return true;
}

bool ShortProgram::bring(Endpoint& endpoint, Point first, const Memories& memories,
                         const Reduction* reduction) const {
  meeting::open(*state_, at(memories, sent_), name(first));
  meeting::BroughtValue value = value_;
  value.name = name(first);
  meeting::bring(endpoint, *context_, rank_, arrival_, token_of(first), value, reduction);
  return true;
}

bool ShortProgram::show(Endpoint& endpoint, Point first, const Memories& memories) const {
  alignas(cache_line) std::byte all[Board::max_inline];
  const std::byte* payload = packed_.empty() ? at(memories, sent_) : all;
  std::byte* next = all;
  for (const Source& part : packed_) {
    copy_small(next, at(memories, part.theirs), part.bytes);
    next += part.bytes;
  }
  if (!state_->board.publish(head(first, out_round_, out_bytes_), first + out_round_, payload, readers_,
                             ReadWords(*context_, rank_)))
    return false;
  ++state_->published;
  ring(endpoint);
  return true;
}

/// Combines what others show, and the node's own operand, by rank from left to right. The result may go where
/// the own operand lies.
void ShortProgram::combine(const Memories& memories, const Reduction& reduction) const {
  if (own_operand_ < operands_.size()) operands_[own_operand_] = at(memories, own_);
  std::byte* const into = at(memories, into_);
  if (reduction.combine_all != nullptr && at_once_)
    return reduction.combine_all(into, operands_.data(), operands_.size(), elements_);
  alignas(cache_line) std::byte value[Board::max_inline];
  const std::byte* running = operands_.front();
  for (const std::byte* const next : std::span(operands_).subspan(1)) {
    reduction.combine(reduction.state, value, running, next, elements_);
    running = value;
  }
  copy_small(into, running, in_bytes_);
}

/// Tells as Execution::tell_read() does.
void ShortProgram::tell_read(Endpoint& endpoint, Point first) const {
  ++state_->read_rounds;
  state_->read.store(first + in_round_, std::memory_order_release);  // pairs with ReadWords
  Fabric& fabric = endpoint.fabric();
  if (!fabric.some_sleep()) return;
  for (const Read& one : reads_) fabric.ring(one.node);
}

}  // namespace vnode
