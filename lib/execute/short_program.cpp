#include "execute/short_program.hpp"

#include <span>

#include "execute/transfer.hpp"

namespace vnode {

std::optional<ShortProgram> ShortProgram::of(const Program& program, Endpoint& endpoint,
                                             const Context& context, std::uint32_t signature,
                                             std::size_t element_bytes) {
  if (program.scratch_bytes != 0 || program.tickets != 0) return {};
  ShortProgram made;
  made.signature_ = signature;
  const auto stamp = [&](const MessageEnd& message, std::uint16_t& bytes) {
    bytes = static_cast<std::uint16_t>(message.bytes);
    return Head{.context = context.id(), .round = message.round, .bytes = bytes}.stamp();
  };
  const auto is_plain = [](const MessageEnd& message) {
    return message.carriage == Carriage::lines && message.count <= 1;
  };
  const std::span<const Step> steps(program.steps);
  auto step = steps.begin();
  if (step != steps.end() && step->kind == Step::Kind::send) {
    const Outgoing& sent = program.outgoing[step->first];
    made.to_ = context.node(sent.peer);
    if (!is_plain(sent) || (made.out_ = endpoint.lines_to(made.to_)) == nullptr) return {};
    made.out_stamp_ = stamp(sent, made.out_bytes_);
    if (sent.count > 0) made.sent_ = program.sources_of(sent).front().theirs;
    ++step;
  }
  if (step != steps.end() && step->kind == Step::Kind::copy) {
    const OwnCopy& copied = program.copies[step->first];
    if (copied.bytes > segment_bytes) return {};  // an arena may help with it
    made.copied_ = copied.from;
    made.copied_into_ = copied.into;
    made.copied_bytes_ = copied.bytes;
    ++step;
  }
  made.steps_ = static_cast<std::uint16_t>(step - steps.begin());
  if (step != steps.end() && step->kind == Step::Kind::receive) {
    const Incoming& received = program.incoming[step->first];
    made.from_ = context.node(received.peer);
    if (!is_plain(received) || (made.in_ = endpoint.lines_from(made.from_)) == nullptr) return {};
    made.in_stamp_ = stamp(received, made.in_bytes_);
    if (received.count > 0) {
      const Piece& piece = program.pieces_of(received).front();
      if (piece.at != 0 || piece.bytes != received.bytes) return {};
      made.own_ = piece.own;
      made.into_ = piece.into;
      made.effect_ = piece.effect;
      made.elements_ = static_cast<std::uint16_t>(piece.bytes / element_bytes);
    }
    ++step;
  }
  if (step != steps.end()) return {};
  return made;
}

}  // namespace vnode
