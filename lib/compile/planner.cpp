#include "compile/planner.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <vnode/error.hpp>

#include "compile/combines.hpp"
#include "compile/joined_parts.hpp"
#include "compile/node_memory.hpp"
#include "compile/publication.hpp"
#include "schedule/each_block.hpp"

namespace vnode {
namespace {

template <class List>
std::uint32_t count(const List& list) {
  return static_cast<std::uint32_t>(list.size());
}

/// Replays a node's part of a schedule, round by round, and writes down what it does (execute/execution.hpp
/// has the order of a round's phases and why it cannot deadlock).
class Planner {
 public:
  Planner(const Schedule& schedule, const Contract& contract, const BlockSizes& sizes, Aliasing aliasing,
          const Messages& messages, std::span<const OwnMessage> own, Rank rank)
      : schedule_(schedule),
        messages_(messages),
        sizes_(sizes),
        left_(own),
        rank_(rank),
        // A round takes at most one ticket for each message out and each message in.
        node_(contract, rank, sizes, aliasing, 2 * static_cast<std::uint32_t>(schedule.nodes())) {
    std::size_t come = 0;
    for (const OwnMessage& one : own)
      if (one.message->to == rank_) come += static_cast<std::size_t>(schedule.count(one.message->what));
    node_.expect(come, static_cast<std::size_t>(schedule.blocks()));
    for (const OwnMessage& one : own) {
      const Message& message = *one.message;
      if (message.from == rank_)
        each_known(message.what, [&](Index block) { node_.note_read(block, one.round); });
      else
        for (const Transfer* t : message.transfers)
          each_known(t->into, [&](Index block) {
            if (t->effect != Effect::replace) node_.note_read(block, one.round);
            node_.note_written(block);
          });
      ends_.push_back(blocks_.size());
    }
  }
  Program run() {
    while (round_ < messages_.rounds().size()) {
      const Messages::Of& round = messages_.rounds()[round_];
      if (round.way == Messages::Way::meeting)
        meet(round.owner);
      else if (round.way == Messages::Way::returned)
        play_and_return();
      else
        play(take_round(round_));
    }
    node_.finish(program_);
    program_.shrink_to_fit();
    return std::move(program_);
  }

 private:
  using Kind = Step::Kind;
  using Locations = std::vector<NodeMemory::Location>;
  using Index = NodeMemory::Index;

  /// Describes a message of the round that is being replayed, as this node sees it.
  struct End {
    const Message* message;
    bool sent;
    std::uint32_t index;            // in Program::outgoing or incoming
    std::span<const Index> blocks;  // those sent; or where they go, one transfer after the other
    std::uint32_t ticket = 0;
    std::uint32_t first_operand = 0;  // received, gathered: in operands_, in the order of its transfers
    Locations read = {};              // if sent: what the other end reads in place
  };

  /// Puts the blocks into the list of those that the node's messages carry, one after the other.
  template <class Function>
  void each_known(Blocks blocks, const Function& function) {
    each_block(schedule_.intervals(blocks), [&](int block) {
      blocks_.push_back(node_.index(block));
      function(blocks_.back());
    });
  }
  bool in_place(const End& end) const { return end.message->carriage != Carriage::lines; }
  bool shared(const End& end) const { return end.message->carriage == Carriage::shared; }
  bool announced(const End& end) const { return in_place(end) && !end.message->published; }

  /// Calls visit(transfer, where its blocks go) for the transfers of a message that comes.
  template <class Visit>
  void each_transfer(const End& end, const Visit& visit) const {
    // All have equally many blocks: those that their sender sends.
    const std::size_t blocks = end.blocks.size() / end.message->transfers.size();
    for (std::size_t first = 0; const Transfer* t : end.message->transfers) {
      visit(*t, end.blocks.subspan(first, blocks));
      first += blocks;
    }
  }

  /// Adds the node's messages of a round to the program, and returns them.
  std::vector<End> take_round(std::uint16_t round) {
    std::vector<End> ends;
    for (; !left_.empty() && left_.front().round == round; left_ = left_.subspan(1), ++taken_) {
      const Message& message = *left_.front().message;
      const bool sent = message.from == rank_;
      MessageEnd end;
      end.peer = sent ? message.to : message.from;
      end.round = round;
      end.carriage = message.carriage;
      end.packed = message.packed;
      end.copies = message.carriage == Carriage::shared && node_.own_bytes() > 0;
      end.beside = message.beside;
      end.number = message.number;
      end.bytes = messages_.bytes(message);
      const std::size_t first = taken_ > 0 ? ends_[taken_ - 1] : 0;
      ends.push_back({&message, sent, sent ? count(program_.outgoing) : count(program_.incoming),
                      std::span(blocks_).subspan(first, ends_[taken_] - first)});
      if (sent)
        program_.outgoing.push_back({end});
      else
        program_.incoming.push_back({end, nullptr, message.lands()});
    }
    return ends;
  }

  /// Plans two rounds as one: signals are counted, and the last to come releases all instead of the owner.
  void meet(Rank owner) {
    const auto at = static_cast<std::uint32_t>(owner);
    node_.add({Kind::arrive, round_, round_, 0, at, -1});
    node_.add({Kind::await_release, static_cast<std::uint16_t>(round_ + 1), round_, 0, at, -1});
    ++program_.meetings;
    round_ = static_cast<std::uint16_t>(round_ + 2);
  }

  /// Saves the next round: the node that combines writes the results where they go.
  void play_and_return() {
    std::vector<End> there = take_round(round_), back = take_round(static_cast<std::uint16_t>(round_ + 1));
    for (const End& end : back)
      if (end.sent) {
        ReturnedResult& result = returned_[{end.message->what.first, end.message->what.count}];
        result.messages.push_back(end.index);
        result.kept = node_.needs_any_after(end.blocks, round_ + 1);
        if (!result.kept)
          for (const Index block : end.blocks) node_.note_read(block, round_);
      }
    place(there);
    place(back);
    announce(there);
    node_.copy_own(program_, round_);
    receive(there);
    returned_.clear();
    node_.await_all();
    node_.retire(retired_ = round_ + 1);
    round_ = static_cast<std::uint16_t>(round_ + 2);
  }

  void play(std::vector<End> ends) {
    if (!ends.empty() && retired_ < round_ - 1) node_.retire(round_ - 1);  // after rounds without this node
    node_.free_tickets(static_cast<std::size_t>(
        std::ranges::count_if(ends, [&](const End& end) { return announced(end); })));
    for (End& end : ends) {
      if (end.sent && in_place(end))
        for (const Index block : end.blocks) {
          append(end.read, node_.location(block));
          node_.note_pulled(block, round_);
        }
      if (!end.sent)
        each_transfer(end, [&](const Transfer& t, std::span<const Index> into) {
          if (t.effect != Effect::replace)
            for (const Index block : into) node_.note_operand(block, round_);
        });
    }
    place(ends);
    announce(ends);
    expose(ends);
    node_.copy_own(program_, round_);  // while messages are on their way
    serve(ends);
    receive(ends);
    if (!ends.empty()) node_.retire(retired_ = round_);
    ++round_;
  }

  /// Adds to the program where blocks lie that are sent, and where those go that arrive.
  void place(std::vector<End>& ends) {
    std::vector<Index> arrived;
    const End* sent = nullptr;  // the last of other blocks: what several nodes get lies where it does for one
    ++placed_;
    for (End& end : ends) {
      if (end.sent) {
        Outgoing& message = program_.outgoing[end.index];
        if (sent != nullptr && sent->message->what == end.message->what && !end.message->packed) {
          message.first = program_.outgoing[sent->index].first;
          message.count = program_.outgoing[sent->index].count;
          continue;
        }
        sent = &end;
        message.first = count(program_.sources);
        for (const Index block : end.blocks)
          append(program_.sources, message.first,
                 {node_.bytes(block), node_.spot(node_.version(block), block)});
        message.count = count(program_.sources) - message.first;
        continue;
      }
      Incoming& message = program_.incoming[end.index];
      message.first = count(program_.pieces);
      end.first_operand = count(operands_);
      each_transfer(end, [&](const Transfer& t, std::span<const Index> into) {
        const std::uint32_t first = count(program_.pieces);
        place(t, into, arrived);
        if (end.message->gathered) operands_.push_back({end.index, first, count(program_.pieces) - first});
      });
      message.count = count(program_.pieces) - message.first;
    }
    for (const Index block : arrived) node_.settle(block);
  }

  /// Chooses one place for all that arrives for a block, unless the result only goes back.
  void place(const Transfer& t, std::span<const Index> blocks, std::vector<Index>& arrived) {
    const auto goes_back = returned_.find({t.into.first, t.into.count});
    const bool kept = goes_back == returned_.end() || goes_back->second.kept;
    std::size_t before = 0;  // bytes
    for (const Index into : blocks) {
      NodeMemory::Arrival& arrival = node_.arrival(into);
      if (arrival.placed != placed_) {
        arrival = {{Place::scratch, std::exchange(before, before + node_.bytes(into))}, placed_, &t};
        if (!kept) continue;
        node_.choose(into, round_);
        arrived.push_back(into);
      } else if (arrival.first == &t || arrival.first->into != t.into) {
        throw UsageError(cut_otherwise(round_, rank_, node_.number(into)));
      }
    }
    node_.make_room();
    const std::uint32_t first = count(program_.pieces);
    std::size_t at = 0;
    auto into = blocks.begin();
    each_block(schedule_, t, [&](int what, int place) {
      const std::size_t bytes = sizes_.bytes(what);
      if (bytes != sizes_.bytes(place)) throw UsageError(of_other_size(round_, t, what, place));
      const NodeMemory::Version& own = node_.version(*into);
      const Effect effect = own.present ? t.effect : Effect::replace;
      const Spot result = node_.spot(node_.arrival(*into).version, *into);
      append(program_.pieces, first,
             {at, bytes, effect == Effect::replace ? result : node_.spot(own, *into), result, effect});
      at += bytes;
      ++into;
    });
  }

  void announce(std::vector<End>& ends) {
    bool shown = false;
    for (End& end : ends) {
      if (!end.sent) continue;
      if (end.message->begun || end.message->published) {  // one step for all of them
        if (std::exchange(shown, true)) continue;
        if (end.message->published)
          publish(ends, end);
        else
          node_.add({Kind::signal, round_, end.index, 0, 0,
                     std::ranges::count_if(ends, &End::sent) == 1 ? end.message->to : -1});
        continue;
      }
      end.ticket = announced(end) ? node_.take_ticket() : 0;
      node_.add({Kind::send, round_, end.index, 0, end.ticket, end.message->to});
      if (end.message->carriage == Carriage::pull)
        node_.expose({Kind::await_done, round_, end.index, 0, end.ticket, end.message->to},
                     std::move(end.read));
    }
  }

  /// Adds one publication for all that the node shows on its board in this round.
  void publish(std::vector<End>& ends, const End& first) {
    std::vector<std::uint32_t> messages;
    Locations locations;
    for (const End& end : ends) {
      if (!end.sent || !end.message->published) continue;
      messages.push_back(end.index);
      locations.insert(locations.end(), end.read.begin(), end.read.end());
    }
    const auto [shown, readers, only] =
        publication(program_, messages, first.message->packed, schedule_.nodes());
    node_.add({Kind::publish, round_, shown, readers, program_.publications++, only});
    if (in_place(first))
      node_.expose({Kind::await_taken, round_, shown, readers, 0, only}, std::move(locations));
  }

  void expose(std::vector<End>& ends) {
    for (End& end : ends) {
      if (end.sent || !shared(end)) continue;
      end.ticket = node_.take_ticket();
      node_.add({Kind::expose, round_, end.index, 0, end.ticket, end.message->from});
    }
  }

  void serve(std::vector<End>& ends) {
    for (End& end : ends) {
      if (!end.sent || !shared(end)) continue;
      node_.add({Kind::serve, round_, end.index, 0, 0, end.message->to});
      node_.expose({Kind::await_done, round_, end.index, 0, end.ticket, end.message->to},
                   std::move(end.read));
    }
  }

  void receive(const std::vector<End>& ends) {
    const std::vector<const End*> all = in_turn(ends);
    std::vector<const End*> sources, begun;
    const End* last = nullptr;  // that it takes
    for (const End* end : all) {
      if (end->message->gathered) sources.push_back(end);
      if (end->message->begun) begun.push_back(end);
      if (end->message->published) last = end;
    }
    if (!begun.empty()) {
      node_.add({Kind::await_begun, round_, count(program_.gathers), 0, 0, -1});
      program_.gathers.push_back({.first_source = count(program_.gathered), .sources = count(begun)});
      for (const End* end : begun) program_.gathered.push_back(end->index);
    }
    for (const End* end : all) {
      if (end->message->gathered || end->message->begun) continue;
      const Kind kind = end->message->published ? Kind::take : Kind::receive;
      const std::uint32_t tells = sources.empty() && end == last ? 1 : 0;
      node_.add({kind, round_, end->index, tells, program_.readings, end->message->from});
      program_.readings += tells;
    }
    if (!sources.empty()) {
      node_.add({Kind::gather, round_, count(program_.gathers), 1, program_.readings++, -1});
      gather(sources);
    }
    operands_.clear();
    for (const End& end : ends) {
      if (end.sent || !shared(end)) continue;
      node_.add({Kind::await_done, round_, end.index, 0, end.ticket, end.message->from});
      node_.give_ticket(end.ticket);
    }
  }

  /// Returns the messages that it receives, in turn. Every node begins with another neighbour, so that not
  /// all read from one at the same time.
  std::vector<const End*> in_turn(const std::vector<End>& ends) const {
    std::vector<const End*> list;
    for (const End& end : ends)
      if (!end.sent) list.push_back(&end);
    std::ranges::stable_sort(list, {}, [this, p = schedule_.nodes()](const End* end) {
      return (end->message->from - rank_ + p) % p;
    });
    return list;
  }

  /// Adds the combines of all places that the gathered messages go to.
  void gather(std::vector<const End*>& sources) {
    std::ranges::sort(sources, {}, [](const End* end) { return end->message->from; });
    Gather made{count(program_.gathered), count(sources), count(program_.combines), 0};
    ByPlace<std::vector<Operand>> places;
    for (const End* end : sources) {
      program_.gathered.push_back(end->index);
      Incoming& incoming = program_.incoming[end->index];
      if (incoming.lands) incoming.landing = node_.landing(incoming.bytes);
      std::uint32_t operand = end->first_operand;
      for (const Transfer* t : end->message->transfers)
        places[{t->into.first, t->into.count}].push_back(operands_[operand++]);
    }
    add_combines(program_, places, returned_);
    made.combines = count(program_.combines) - made.first_combine;
    program_.gathers.push_back(made);
  }

  const Schedule& schedule_;
  const Messages& messages_;
  const BlockSizes& sizes_;
  std::span<const OwnMessage> left_;
  Rank rank_;
  NodeMemory node_;
  std::vector<Index> blocks_;         // that the node's messages carry, one message after the other
  std::vector<std::size_t> ends_;     // by message: where its blocks end
  std::size_t taken_ = 0;             // messages
  std::vector<Operand> operands_;     // of this round
  ByPlace<ReturnedResult> returned_;  // combined here
  std::uint16_t round_ = 0;
  int retired_ = -1;  // the last round after which the node has given memory back
  int placed_ = 0;    // how many times place() has been called for a round's messages
  Program program_;
};

}

Program make_program(const Schedule& schedule, const Contract& contract, const BlockSizes& sizes,
                     Aliasing aliasing, const Messages& messages, std::span<const OwnMessage> own,
                     Rank rank) {
  return Planner(schedule, contract, sizes, aliasing, messages, own, rank).run();
}

}  // namespace vnode
