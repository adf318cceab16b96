#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <tuple>

#include <vnode/error.hpp>

#include "runtime/node_memory.hpp"
#include "runtime/patterns.hpp"
#include "runtime/plan.hpp"

namespace vnode {
namespace {

/// Replays a schedule, round by round, and writes down what each node does in it (runtime/execution.hpp has
/// the order of a round's phases and why it cannot deadlock).
class Planner {
 public:
  Planner(const Schedule& schedule, const Contract& contract, const BlockSizes& sizes, Aliasing aliasing,
          const Profile& profile)
      : schedule_(schedule), profile_(profile), sizes_(sizes) {
    if (schedule.rounds().size() > std::size_t{most_rounds})
      throw UsageError(fmt::format("a schedule to be run may have {} rounds at most", most_rounds));
    // A round takes at most one ticket for each message out and each message in.
    for (Rank rank = 0; rank < schedule.nodes(); ++rank)
      nodes_.emplace_back(contract, rank, sizes_, aliasing, 2 * static_cast<std::uint32_t>(schedule.nodes()));
    int round = 0;
    for (const Round& transfers : schedule.rounds()) {
      for (const Transfer& t : transfers) {
        each_block(t.what, [&](int b) { of(t.from).note_read(b, round); });
        if (t.effect != Effect::replace) each_block(t.into, [&](int b) { of(t.to).note_read(b, round); });
        each_block(t.into, [&](int b) { of(t.to).note_written(b); });
      }
      ++round;
    }
  }

  Plan run() {
    const std::vector<Round>& rounds = schedule_.rounds();
    while (round_ < rounds.size()) {
      if (const auto owner = meeting_place(schedule_, round_))
        meet(*owner);
      else if (returns())
        play_and_return(rounds[round_], rounds[round_ + 1]);
      else
        play(rounds[round_]);
    }
    plan_.canonical = profile_.canonical;
    for (NodeMemory& node : nodes_) plan_.programs.push_back(node.finish(plan_.parts));
    return std::move(plan_);
  }

 private:
  using Kind = Step::Kind;
  using Block = std::pair<Rank, int>;  // of a node

  NodeMemory& of(Rank rank) { return nodes_[static_cast<std::size_t>(rank)]; }
  Movement& movement(const Message& message) { return plan_.movements[message.movement]; }

  template <class Function>
  void each_block(Blocks blocks, Function&& function) const {
    for (const Interval& interval : schedule_.intervals(blocks))
      for (int b = interval.first; b < interval.last; ++b) function(b);
  }
  std::vector<int> listed(Blocks blocks) const {
    std::vector<int> list;
    each_block(blocks, [&](int b) { list.push_back(b); });
    return list;
  }

  bool returns() {
    if (!returns_to_sources(schedule_, round_)) return false;
    const auto long_and_wanted = [&](const Transfer& t) {
      std::size_t bytes = 0;
      bool wanted = true;
      each_block(t.what, [&](int b) {
        bytes += sizes_.bytes(b);
        wanted &= of(t.to).wanted(b) && of(t.from).wanted(b);
      });
      return wanted && bytes > profile_.max_inline;
    };
    return std::ranges::all_of(schedule_.rounds()[round_], long_and_wanted);
  }

  /// Both rounds in one: the signals are counted, and the last to come signals to all in the owner's stead.
  void meet(Rank owner) {
    const auto at = static_cast<std::uint32_t>(owner);
    for (NodeMemory& node : nodes_) {
      node.add({Kind::arrive, round_, round_, static_cast<std::uint32_t>(nodes_.size()), at, -1});
      node.add({Kind::await_release, static_cast<std::uint16_t>(round_ + 1), round_, 0, at, -1});
      node.count_meeting();
    }
    round_ = static_cast<std::uint16_t>(round_ + 2);
  }

  /// Who combines writes the results where they go, and the next round is saved.
  void play_and_return(const Round& there, const Round& back) {
    std::vector<Message> messages = messages_of(schedule_, there), returned = messages_of(schedule_, back);
    for (Message& message : messages) {
      add_movement(message, true);
      message.gathered = message.published = true;
      movement(message).carriage = Carriage::pull;
    }
    place_parts(messages);
    for (Message& message : returned) {
      add_movement(message, true);
      movement(message).carriage = Carriage::pull;
      returned_[{message.from, message.what.first, message.what.count}].push_back(message.movement);
    }
    place_parts(returned);
    Read read;
    announce(messages, read);
    receive(messages);
    returned_.clear();
    for (NodeMemory& node : nodes_) {
      node.await_all();
      node.retire(round_ + 1);
    }
    round_ = static_cast<std::uint16_t>(round_ + 2);
  }

  void play(const Round& transfers) {
    std::vector<Message> messages = messages_of(schedule_, transfers);
    std::vector<bool> receiving(nodes_.size());
    for (const Message& message : messages) receiving[static_cast<std::size_t>(message.to)] = true;
    for (Message& message : messages)
      add_movement(message, receiving[static_cast<std::size_t>(message.from)]);
    publish_together(messages);
    share(messages);
    make_room(messages);
    std::map<std::uint32_t, std::vector<NodeMemory::Location>>
        read;  // by movement: what a neighbour reads in place
    for (const Message& message : messages) {
      if (movement(message).carriage != Carriage::lines)
        each_block(message.what, [&](int b) {
          read[message.movement].push_back(of(message.from).location(b));
          of(message.from).note_pulled(b, round_);
        });
      for (const Transfer* t : message.transfers)
        if (t->effect != Effect::replace)
          each_block(t->into, [&](int b) { of(t->to).note_operand(b, round_); });
    }
    place_parts(messages);
    announce(messages, read);
    expose(messages);
    for (NodeMemory& node : nodes_) node.copy_own(plan_.parts, round_);  // while messages are on their way
    serve(messages, read);
    receive(messages);
    for (NodeMemory& node : nodes_) node.retire(round_);
    ++round_;
  }

  /// A sender that receives in this round, too, has enough to copy of its own.
  void add_movement(Message& message, bool sender_receives) {
    message.movement = static_cast<std::uint32_t>(plan_.movements.size());
    Movement& made = plan_.movements.emplace_back();
    made.from = message.from;
    made.to = message.to;
    made.tag = round_;
    each_block(message.what, [&](int b) { made.bytes += sizes_.bytes(b); });
    if (made.bytes <= (message.published ? profile_.max_published : profile_.max_inline)) return;
    const bool shared = !message.published && made.bytes >= profile_.min_shared && !sender_receives;
    made.carriage = shared ? Carriage::shared : Carriage::pull;
  }

  /// What a node shows to several others, or would let several others read, becomes one publication, which
  /// tells where its memories are; unless it is one short payload for all.
  void publish_together(std::vector<Message>& messages) {
    std::map<Rank, std::vector<Message*>> shown;
    for (Message& message : messages)
      if (message.published || movement(message).carriage != Carriage::lines)
        shown[message.from].push_back(&message);
    for (const auto& entry : shown) {
      const std::vector<Message*>& list = entry.second;
      const auto same = [&](const Message* other) {
        return other->published && other->what == list[0]->what;
      };
      if (list.size() < 2 || std::ranges::all_of(list, same)) continue;
      for (Message* message : list) {
        message->published = true;
        movement(*message).carriage = Carriage::pull;
      }
    }
  }

  /// Notes what else the ends of a shared message have to do.
  void share(const std::vector<Message>& messages) {
    std::map<Rank, std::uint16_t> taken;
    for (const Message& message : messages)
      if (movement(message).carriage == Carriage::shared) ++taken[message.to];
    for (const Message& message : messages) {
      Movement& made = movement(message);
      if (made.carriage != Carriage::shared) continue;
      made.beside = static_cast<std::uint16_t>(taken[message.to] - 1);
      made.sender_copies = of(message.from).own_bytes() > 0;
      made.receiver_copies = of(message.to).own_bytes() > 0;
    }
  }

  /// Tickets for this round's announcements, by awaiting earlier rounds' where there are too few.
  void make_room(const std::vector<Message>& messages) {
    std::vector<std::size_t> needed(nodes_.size());
    for (const Message& message : messages)
      if (movement(message).carriage != Carriage::lines && !message.published)
        for (const Rank rank : {message.from, message.to}) ++needed[static_cast<std::size_t>(rank)];
    for (std::size_t node = 0; node < nodes_.size(); ++node) nodes_[node].free_tickets(needed[node]);
  }

  void place_parts(const std::vector<Message>& messages) {
    struct Arrival {
      NodeMemory::Version version;
      const Transfer* first = nullptr;  // that goes there
    };
    std::map<Block, Arrival> chosen;  // one place for all that arrives for a block
    for (const Message& message : messages) {
      NodeMemory &from = of(message.from), &to = of(message.to);
      const auto first = static_cast<std::uint32_t>(plan_.parts.size());
      for (const Transfer* t : message.transfers) {
        Operand& operand =
            operands_[t] = {message.movement, static_cast<std::uint32_t>(plan_.parts.size()), 0};
        const std::vector<int> what = listed(t->what), into = listed(t->into);
        std::size_t at = 0;
        for (std::size_t i = 0; i < what.size(); ++i) {
          const Block block{message.to, into[i]};
          const auto [choice, fresh] = chosen.try_emplace(block);
          if (fresh)
            choice->second = {to.choose(into[i], round_), t};
          else if (choice->second.first == t || choice->second.first->into != t->into)
            throw UsageError(cut_otherwise(round_, message.to, into[i]));
          if (sizes_.bytes(what[i]) != sizes_.bytes(into[i]))
            throw UsageError(of_other_size(round_, *t, what[i], into[i]));
          const NodeMemory::Version& own = to.version(into[i]);
          const Effect effect = own.present ? t->effect : Effect::replace;
          const Spot result = to.spot(choice->second.version, into[i]);
          const std::size_t bytes = sizes_.bytes(what[i]);
          append(plan_.parts, operand.first_part,
                 {at, bytes, from.spot(from.version(what[i]), what[i]),
                  effect == Effect::replace ? result : to.spot(own, into[i]), result, effect});
          at += bytes;
        }
        operand.parts = static_cast<std::uint32_t>(plan_.parts.size()) - operand.first_part;
      }
      movement(message).first_part = first;
      movement(message).parts = static_cast<std::uint32_t>(plan_.parts.size()) - first;
    }
    for (const auto& [block, arrival] : chosen) of(block.first).settle(block.second, arrival.version);
  }

  using Read = std::map<std::uint32_t, std::vector<NodeMemory::Location>>;

  void announce(const std::vector<Message>& messages, Read& read) {
    std::map<Rank, std::uint16_t> publications;
    for (const Message& message : messages) {
      NodeMemory& from = of(message.from);
      Movement& made = movement(message);
      if (message.published) {
        const auto [known, fresh] = publications.try_emplace(message.from);
        if (fresh) {
          known->second = from.next_publication();
          publish(messages, message, known->second, read);
        }
        made.tag = known->second;
        continue;
      }
      const std::uint32_t ticket = made.carriage == Carriage::lines ? 0 : from.take_ticket();
      from.add({Kind::send, round_, message.movement, 0, ticket, message.to});
      if (made.carriage == Carriage::pull)
        from.expose({Kind::await_done, round_, message.movement, 0, ticket, message.to},
                    std::move(read[message.movement]));
      else if (made.carriage == Carriage::shared)
        served_[message.movement].first = ticket;
    }
  }

  /// All that a node shows on its board in this round, at once.
  void publish(const std::vector<Message>& messages, const Message& message, std::uint16_t number,
               Read& read) {
    std::uint32_t readers = 0;
    std::vector<NodeMemory::Location> locations;
    for (const Message& other : messages) {
      if (!other.published || other.from != message.from) continue;
      ++readers;
      std::ranges::move(read[other.movement], std::back_inserter(locations));
    }
    const Rank peer = readers == 1 ? message.to : -1;
    of(message.from).add({Kind::publish, round_, message.movement, readers, number, peer});
    if (movement(message).carriage != Carriage::lines)
      of(message.from)
          .expose({Kind::await_taken, round_, message.movement, 0, number, peer}, std::move(locations));
  }

  void expose(const std::vector<Message>& messages) {
    for (const Message& message : messages) {
      if (movement(message).carriage != Carriage::shared) continue;
      const std::uint32_t ticket = served_[message.movement].second = of(message.to).take_ticket();
      of(message.to).add({Kind::expose, round_, message.movement, 0, ticket, message.from});
    }
  }

  void serve(const std::vector<Message>& messages, Read& read) {
    for (const Message& message : messages) {
      if (movement(message).carriage != Carriage::shared) continue;
      NodeMemory& from = of(message.from);
      from.add({Kind::serve, round_, message.movement, 0, 0, message.to});
      from.expose(
          {Kind::await_done, round_, message.movement, 0, served_[message.movement].first, message.to},
          std::move(read[message.movement]));
    }
  }

  void receive(const std::vector<Message>& messages) {
    std::map<Rank, std::vector<const Message*>> gathers;
    for (const Message* message : in_turn(messages)) {
      if (message->gathered) {
        gathers[message->to].push_back(message);
        continue;
      }
      const Kind kind = message->published ? Kind::take : Kind::receive;
      of(message->to).add({kind, round_, message->movement, 0, 0, message->from});
    }
    for (auto& [rank, sources] : gathers) {
      of(rank).add({Kind::gather, round_, static_cast<std::uint32_t>(plan_.gathers.size()), 0, 0, -1});
      gather(sources);
    }
    operands_.clear();
    for (const Message& message : messages) {
      if (movement(message).carriage != Carriage::shared) continue;
      const std::uint32_t ticket = served_[message.movement].second;
      of(message.to).add({Kind::await_done, round_, message.movement, 0, ticket, message.from});
      of(message.to).give_ticket(ticket);
    }
  }

  /// Every node begins with another neighbour, so that not all read from one at the same time.
  std::vector<const Message*> in_turn(const std::vector<Message>& messages) const {
    std::vector<const Message*> list;
    for (const Message& message : messages) list.push_back(&message);
    const int p = schedule_.nodes();
    std::ranges::stable_sort(list, {}, [=](const Message* m) { return (m->from - m->to + p) % p; });
    return list;
  }

  /// The combines of all places that one node's gathered messages go to.
  void gather(std::vector<const Message*>& sources) {
    const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    std::ranges::sort(sources, {}, &Message::from);
    Gather made{size(plan_.gathered), size(sources), size(plan_.combines), 0};
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Operand>> places;
    for (const Message* message : sources) {
      plan_.gathered.push_back(message->movement);
      for (const Transfer* t : message->transfers)
        places[{t->into.first, t->into.count}].push_back(operands_[t]);
    }
    const Rank rank = sources.front()->to;
    for (const auto& [place, operands] : places) {
      const auto forwards = returned_.find({rank, place.first, place.second});
      plan_.combines.push_back({size(plan_.operands), size(operands), size(plan_.gathered), 0});
      if (forwards != returned_.end()) {
        plan_.gathered.insert(plan_.gathered.end(), forwards->second.begin(), forwards->second.end());
        plan_.combines.back().forwards = size(forwards->second);
      }
      plan_.operands.insert(plan_.operands.end(), operands.begin(), operands.end());
    }
    made.combines = size(plan_.combines) - made.first_combine;
    plan_.gathers.push_back(made);
  }

  const Schedule& schedule_;
  const Profile& profile_;
  const BlockSizes& sizes_;
  std::vector<NodeMemory> nodes_;
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>
      served_;  // by movement that both ends copy: the sender's ticket and the receiver's
  std::map<const Transfer*, Operand> operands_;  // of this round
  std::map<std::tuple<Rank, std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>>
      returned_;  // by node and place combined there: the movements that bring the result back
  std::uint16_t round_ = 0;
  Plan plan_;
};

}

Plan make_plan(const Schedule& schedule, const Contract& contract, const BlockSizes& sizes, Aliasing aliasing,
               const Profile& profile) {
  return Planner(schedule, contract, sizes, aliasing, profile).run();
}

}
