#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <tuple>

#include <vnode/error.hpp>

#include "runtime/plan.hpp"
#include "runtime/scratch.hpp"

namespace vnode {
namespace {

/// Replays a schedule and follows where each version of each block lies.
///
/// A new version goes to the output if the contract wants the block there, else to scratch; never to the
/// memory that a neighbour may be reading in the same round. Memory that was exposed in an earlier round is
/// written only after an await, which the writer's round begins with. The last version ends in the output.
class Planner {
 public:
  Planner(const Schedule& schedule, const Contract& contract, std::size_t count, std::size_t element_bytes,
          const Profile& profile)
      : schedule_(schedule),
        contract_(contract),
        profile_(profile),
        blocks_(static_cast<std::size_t>(schedule.blocks())),
        nodes_(static_cast<std::size_t>(schedule.nodes())) {
    if (schedule.rounds().size() > std::numeric_limits<std::uint16_t>::max())
      throw UsageError("a schedule to be run may have 65535 rounds at most");
    starts_.resize(blocks_ + 1);
    for (std::size_t b = 0; b <= blocks_; ++b)
      starts_[b] = blocks_ == 0 ? 0 : (b * (count / blocks_) + std::min(b, count % blocks_)) * element_bytes;
    nodes_state_.resize(nodes_);
    plan_.programs.resize(nodes_);
    for (std::size_t node = 0; node < nodes_; ++node) begin(node);
    find_last_reads();
  }

  Plan run() {
    std::uint16_t round = 0;
    for (const Round& transfers : schedule_.rounds()) play(transfers, round++);
    for (std::size_t node = 0; node < nodes_; ++node) finish(node);
    return std::move(plan_);
  }

 private:
  static constexpr int never = -1;

  struct Version {  // of a block at a node
    bool present = false;
    Place place = Place::input;
    std::size_t slot = 0;  // of scratch
  };
  // What a neighbour may still read: await it before writing there.
  struct Exposure {
    Step await;
    std::vector<std::pair<bool, std::size_t>>
        memory;  // (is scratch, slot) or (not, block): input and output may be one
  };
  struct NodeState {
    std::vector<Version> versions;
    std::vector<int> last_read;
    std::vector<bool> wanted;
    std::size_t input_start = 0, output_start = 0;
    std::deque<Exposure> exposures;
    std::vector<std::uint32_t> free_cells;
    Scratch scratch;
    std::uint16_t publications = 0;
  };
  struct Message {
    Rank from = 0, to = 0;
    Blocks what;
    std::vector<const Transfer*> transfers;
    bool gathered = false, published = false;
    std::uint32_t movement = 0;
  };

  std::size_t bytes_of(std::size_t block) const { return starts_[block + 1] - starts_[block]; }

  template <class Function>
  void each_block(Blocks blocks, Function&& function) const {
    for (const Interval& interval : schedule_.intervals(blocks))
      for (int b = interval.first; b < interval.last; ++b) function(static_cast<std::size_t>(b));
  }

  void begin(std::size_t node) {
    NodeState& state = nodes_state_[node];
    state.versions.resize(blocks_);
    state.wanted.resize(blocks_);
    state.last_read.assign(blocks_, never);
    const std::vector<Interval>& inputs = contract_.shares[node].input;
    const std::vector<Interval>& outputs = contract_.shares[node].output;
    for (const Interval& interval : inputs)
      for (int b = interval.first; b < interval.last; ++b)
        state.versions[static_cast<std::size_t>(b)].present = true;
    for (const Interval& interval : outputs)
      for (int b = interval.first; b < interval.last; ++b) state.wanted[static_cast<std::size_t>(b)] = true;
    if (!inputs.empty()) state.input_start = starts_[static_cast<std::size_t>(inputs.front().first)];
    if (!outputs.empty()) state.output_start = starts_[static_cast<std::size_t>(outputs.front().first)];
    for (std::uint32_t cell = cells_per_call(schedule_.nodes()); cell-- > 0;)
      state.free_cells.push_back(cell);
  }

  void find_last_reads() {
    int round = 0;
    for (const Round& transfers : schedule_.rounds()) {
      for (const Transfer& t : transfers) {
        each_block(t.what, [&](std::size_t b) { of(t.from).last_read[b] = round; });
        if (t.effect != Effect::replace)
          each_block(t.into, [&](std::size_t b) { of(t.to).last_read[b] = round; });
      }
      ++round;
    }
  }

  NodeState& of(Rank rank) { return nodes_state_[static_cast<std::size_t>(rank)]; }
  std::vector<Step>& steps(Rank rank) { return plan_.programs[static_cast<std::size_t>(rank)].steps; }

  Spot spot(const NodeState& state, const Version& version, std::size_t block) const {
    switch (version.place) {
      case Place::input:
        return {Place::input, starts_[block] - state.input_start};
      case Place::output:
        return {Place::output, starts_[block] - state.output_start};
      case Place::scratch:
        break;
    }
    return {Place::scratch, state.scratch.offset(version.slot)};
  }

  std::vector<Message> messages_of(const Round& transfers) const {
    std::vector<Message> messages;
    std::map<std::tuple<Rank, Rank, std::uint32_t, std::uint32_t>, std::size_t> known;
    for (const Transfer& t : transfers) {
      const auto [at, fresh] = known.try_emplace({t.from, t.to, t.what.first, t.what.count}, messages.size());
      if (fresh) messages.push_back({t.from, t.to, t.what, {}});
      messages[at->second].transfers.push_back(&t);
    }
    return messages;
  }

  /// An n-ary combine goes over the sources' boards, and what one node sends to several goes over its own.
  void choose_boards(std::vector<Message>& messages) const {
    std::map<std::tuple<Rank, std::uint32_t, std::uint32_t>, std::vector<Message*>> combined, shown;
    for (Message& message : messages) {
      for (const Transfer* t : message.transfers)
        if (t->effect != Effect::replace || schedule_.count(t->what) == 0)
          combined[{t->to, t->into.first, t->into.count}].push_back(&message);
      shown[{message.from, message.what.first, message.what.count}].push_back(&message);
    }
    for (auto& [key, sources] : combined)
      if (sources.size() > 1)
        for (Message* message : sources) message->gathered = message->transfers.size() == 1;
    for (auto& [key, readers] : shown)
      if (readers.size() > 1 || readers.front()->gathered)
        for (Message* message : readers) message->published = true;
  }

  void play(const Round& transfers, std::uint16_t round) {
    std::vector<Message> messages = messages_of(transfers);
    choose_boards(messages);
    std::vector<bool> receives(nodes_);
    for (const Message& message : messages) receives[static_cast<std::size_t>(message.to)] = true;

    for (Message& message : messages) {
      message.movement = static_cast<std::uint32_t>(plan_.movements.size());
      Movement& movement = plan_.movements.emplace_back();
      movement.from = message.from;
      movement.to = message.to;
      movement.tag = round;
      each_block(message.what, [&](std::size_t b) { movement.bytes += bytes_of(b); });
      const std::size_t carried = message.published ? profile_.max_published : profile_.max_inline;
      if (movement.bytes > carried) {
        const bool shared = !message.published && movement.bytes >= profile_.min_shared &&
                            !receives[static_cast<std::size_t>(message.from)];
        movement.carriage = shared ? Carriage::shared : Carriage::pull;
      }
    }
    const std::vector<std::pair<NodeState*, std::size_t>> read_now = exposed_now(messages);
    make_room(messages);
    place_parts(messages, read_now);
    announce(messages, round);
    serve(messages, round);
    receive(messages, round);
    retire(messages, round);
  }

  /// (node, block): what neighbours read in place in this round.
  std::vector<std::pair<NodeState*, std::size_t>> exposed_now(const std::vector<Message>& messages) {
    std::vector<std::pair<NodeState*, std::size_t>> exposed;
    for (const Message& message : messages)
      if (plan_.movements[message.movement].carriage != Carriage::lines)
        each_block(message.what, [&](std::size_t b) { exposed.emplace_back(&of(message.from), b); });
    std::ranges::sort(exposed);
    return exposed;
  }

  /// Cells for this round's announcements, by awaiting earlier rounds' where there are too few.
  void make_room(const std::vector<Message>& messages) {
    std::vector<std::size_t> needed(nodes_);
    for (const Message& message : messages)
      if (plan_.movements[message.movement].carriage != Carriage::lines && !message.published)
        for (const Rank rank : {message.from, message.to}) ++needed[static_cast<std::size_t>(rank)];
    for (std::size_t node = 0; node < nodes_; ++node)
      while (nodes_state_[node].free_cells.size() < needed[node]) await_oldest(static_cast<Rank>(node));
  }

  void await_oldest(Rank rank) {
    NodeState& state = of(rank);
    const Step step = state.exposures.front().await;
    steps(rank).push_back(step);
    if (step.kind == Step::Kind::await_cell) state.free_cells.push_back(step.cell);
    state.exposures.pop_front();
  }
  /// Awaits every exposure up to the last one that shares memory with what is about to be written.
  void await_readers(Rank rank, bool scratch, std::size_t where) {
    NodeState& state = of(rank);
    const auto touches = [&](const Exposure& exposure) {
      return std::ranges::find(exposure.memory, std::pair{scratch, where}) != exposure.memory.end();
    };
    while (std::ranges::any_of(state.exposures, touches)) await_oldest(rank);
  }

  void place_parts(std::vector<Message>& messages,
                   const std::vector<std::pair<NodeState*, std::size_t>>& read_now) {
    struct Arrival {
      NodeState* state;
      std::size_t block;
      Version version;
    };
    std::vector<Arrival> arrivals;
    std::map<std::pair<NodeState*, std::size_t>, Version>
        chosen;  // one place for all that arrives for a block
    for (Message& message : messages) {
      NodeState &from = of(message.from), &to = of(message.to);
      Movement& movement = plan_.movements[message.movement];
      movement.first_part = static_cast<std::uint32_t>(plan_.parts.size());
      for (const Transfer* t : message.transfers) {
        std::vector<std::size_t> what, into;
        each_block(t->what, [&](std::size_t b) { what.push_back(b); });
        each_block(t->into, [&](std::size_t b) { into.push_back(b); });
        std::size_t at = 0;
        for (std::size_t i = 0; i < what.size(); ++i) {
          const std::size_t block = into[i];
          const Version own = to.versions[block];
          const auto [choice, fresh] = chosen.try_emplace({&to, block});
          if (fresh) {
            const bool read = std::ranges::binary_search(read_now, std::pair{&to, block});
            choice->second = choose_place(message.to, block, own, read);
            arrivals.push_back({&to, block, choice->second});
          }
          Part part{at,
                    bytes_of(what[i]),
                    spot(from, from.versions[what[i]], what[i]),
                    spot(to, own, block),
                    spot(to, choice->second, block),
                    own.present ? t->effect : Effect::replace};
          if (part.effect == Effect::replace) part.own = part.into;
          at += part.bytes;
          append(movement, part);
        }
      }
      movement.parts = static_cast<std::uint32_t>(plan_.parts.size()) - movement.first_part;
    }
    for (const Arrival& arrival : arrivals) {
      Version& version = arrival.state->versions[arrival.block];
      if (version.present && version.place == Place::scratch &&
          !(arrival.version.place == Place::scratch && arrival.version.slot == version.slot))
        moved_out_.push_back({arrival.state, version.slot});
      version = arrival.version;
    }
  }

  Version choose_place(Rank rank, std::size_t block, const Version& own, bool read_now) {
    NodeState& state = of(rank);
    const bool in_user_memory = own.present && own.place != Place::scratch;
    Version version{true, Place::output, 0};
    if (state.wanted[block] && !(read_now && in_user_memory)) {
      await_readers(rank, false, block);
      return version;
    }
    version.place = Place::scratch;
    if (own.present && own.place == Place::scratch && !read_now) {
      await_readers(rank, true, own.slot);
      version.slot = own.slot;
    } else {
      version.slot = state.scratch.take(bytes_of(block));
    }
    return version;
  }

  void append(const Movement& movement, const Part& part) {
    if (part.bytes == 0) return;
    const auto follows = [](const Spot& a, std::size_t bytes, const Spot& b) {
      return a.place == b.place && a.offset + bytes == b.offset;
    };
    if (plan_.parts.size() > movement.first_part) {
      Part& last = plan_.parts.back();
      if (last.effect == part.effect && last.at + last.bytes == part.at &&
          follows(last.theirs, last.bytes, part.theirs) && follows(last.own, last.bytes, part.own) &&
          follows(last.into, last.bytes, part.into)) {
        last.bytes += part.bytes;
        return;
      }
    }
    plan_.parts.push_back(part);
  }

  std::vector<std::pair<bool, std::size_t>> memory_of(const Message& message) {
    // Called before this round's arrivals have replaced the versions: place_parts remembers them by part.
    std::vector<std::pair<bool, std::size_t>> memory;
    const NodeState& state = of(message.from);
    std::size_t part_at = 0;
    each_block(message.what, [&](std::size_t b) {
      const Movement& movement = plan_.movements[message.movement];
      for (std::uint32_t i = 0; i < movement.parts; ++i) {
        const Part& part = plan_.parts[movement.first_part + i];
        if (part.at <= part_at && part_at < part.at + part.bytes) {
          if (part.theirs.place == Place::scratch)
            memory.emplace_back(true, state.scratch.slot_at(part.theirs.offset + (part_at - part.at)));
          else
            memory.emplace_back(false, b);
          break;
        }
      }
      part_at += bytes_of(b);
    });
    return memory;
  }

  std::uint32_t take_cell(Rank rank) {
    const std::uint32_t cell = of(rank).free_cells.back();
    of(rank).free_cells.pop_back();
    return cell;
  }

  void announce(std::vector<Message>& messages, std::uint16_t round) {
    std::map<std::tuple<Rank, std::uint32_t, std::uint32_t>, std::uint16_t> publications;
    for (Message& message : messages) {
      Movement& movement = plan_.movements[message.movement];
      if (message.published) {
        const auto [known, fresh] =
            publications.try_emplace({message.from, message.what.first, message.what.count});
        if (fresh) {
          known->second = of(message.from).publications++;
          publish(messages, message, round, known->second);
        }
        movement.tag = known->second;
        continue;
      }
      steps(message.from).push_back({Step::Kind::send, round, message.movement, 0, 0, message.to});
      if (movement.carriage == Carriage::lines) continue;
      movement.sender_cell = take_cell(message.from);
      if (movement.carriage == Carriage::pull)
        of(message.from)
            .exposures.push_back(
                {{Step::Kind::await_cell, round, message.movement, 0, movement.sender_cell, message.to},
                 memory_of(message)});
    }
    for (Message& message : messages) {
      Movement& movement = plan_.movements[message.movement];
      if (movement.carriage != Carriage::shared) continue;
      movement.receiver_cell = take_cell(message.to);
      steps(message.to).push_back({Step::Kind::expose, round, message.movement, 0, 0, message.from});
    }
  }

  void publish(const std::vector<Message>& messages, const Message& message, std::uint16_t round,
               std::uint16_t number) {
    const auto same = [&](const Message& other) {
      return other.published && other.from == message.from && other.what == message.what;
    };
    const auto readers = static_cast<std::uint32_t>(std::ranges::count_if(messages, same));
    const Rank peer = readers == 1 ? message.to : -1;
    steps(message.from).push_back({Step::Kind::publish, round, message.movement, readers, number, peer});
    if (plan_.movements[message.movement].carriage != Carriage::lines)
      of(message.from)
          .exposures.push_back(
              {{Step::Kind::await_taken, round, message.movement, 0, number, peer}, memory_of(message)});
  }

  void serve(const std::vector<Message>& messages, std::uint16_t round) {
    for (const Message& message : messages) {
      const Movement& movement = plan_.movements[message.movement];
      if (movement.carriage != Carriage::shared) continue;
      steps(message.from).push_back({Step::Kind::serve, round, message.movement, 0, 0, message.to});
      of(message.from)
          .exposures.push_back(
              {{Step::Kind::await_cell, round, message.movement, 0, movement.sender_cell, message.to},
               memory_of(message)});
    }
  }

  void receive(const std::vector<Message>& messages, std::uint16_t round) {
    std::map<std::tuple<Rank, std::uint32_t, std::uint32_t>, std::vector<std::pair<Rank, std::uint32_t>>>
        gathers;
    for (const Message& message : messages) {
      if (message.gathered) {
        const Blocks into = message.transfers.front()->into;
        gathers[{message.to, into.first, into.count}].emplace_back(message.from, message.movement);
        continue;
      }
      const auto kind = message.published ? Step::Kind::take : Step::Kind::receive;
      steps(message.to).push_back({kind, round, message.movement, 0, 0, message.from});
    }
    for (auto& [key, sources] : gathers) {
      std::ranges::sort(sources);
      steps(std::get<0>(key))
          .push_back({Step::Kind::gather, round, static_cast<std::uint32_t>(plan_.gathered.size()),
                      static_cast<std::uint32_t>(sources.size()), 0, -1});
      for (const auto& [rank, movement] : sources) plan_.gathered.push_back(movement);
    }
    for (const Message& message : messages) {
      const Movement& movement = plan_.movements[message.movement];
      if (movement.carriage != Carriage::shared) continue;
      steps(message.to)
          .push_back(
              {Step::Kind::await_cell, round, message.movement, 0, movement.receiver_cell, message.from});
      of(message.to).free_cells.push_back(movement.receiver_cell);
    }
  }

  /// Gives back scratch whose version is not read again and that no neighbour may be reading.
  void retire(const std::vector<Message>& messages, std::uint16_t round) {
    const auto release = [&](NodeState& state, std::size_t slot) {
      for (const Exposure& exposure : state.exposures)
        if (std::ranges::find(exposure.memory, std::pair{true, slot}) != exposure.memory.end()) return;
      state.scratch.give_back(slot);
    };
    for (const auto& [state, slot] : moved_out_) release(*state, slot);
    moved_out_.clear();
    for (const Message& message : messages)
      for (const Rank rank : {message.from, message.to}) {
        NodeState& state = of(rank);
        const auto look = [&](std::size_t b) {
          Version& version = state.versions[b];
          if (!version.present || version.place != Place::scratch || state.wanted[b] ||
              state.last_read[b] > round)
            return;
          release(state, version.slot);
          version.present = false;
        };
        for (const Transfer* t : message.transfers) each_block(rank == t->from ? t->what : t->into, look);
      }
  }

  void finish(std::size_t node) {
    const Rank rank = static_cast<Rank>(node);
    NodeState& state = nodes_state_[node];
    for (std::size_t b = 0; b < blocks_; ++b) {
      const Version& version = state.versions[b];
      if (!state.wanted[b] || !version.present || version.place == Place::output || bytes_of(b) == 0)
        continue;
      await_readers(rank, false, b);
      const Spot into{Place::output, starts_[b] - state.output_start};
      steps(rank).push_back({Step::Kind::copy, 0, static_cast<std::uint32_t>(plan_.parts.size()), 0, 0, -1});
      plan_.parts.push_back({0, bytes_of(b), spot(state, version, b), into, into, Effect::replace});
    }
    while (!state.exposures.empty()) await_oldest(rank);
    plan_.programs[node].scratch_bytes = state.scratch.bytes();
  }

  const Schedule& schedule_;
  const Contract& contract_;
  const Profile& profile_;
  std::size_t blocks_, nodes_;
  std::vector<std::size_t> starts_;  // byte offset of each block in the whole vector, and its end
  std::vector<NodeState> nodes_state_;
  std::vector<std::pair<NodeState*, std::size_t>> moved_out_;
  Plan plan_;
};

}

Plan make_plan(const Schedule& schedule, const Contract& contract, std::size_t count,
               std::size_t element_bytes, const Profile& profile) {
  return Planner(schedule, contract, count, element_bytes, profile).run();
}

}
