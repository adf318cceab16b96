#include "questions/messages.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <vnode/operator.hpp>

#include "data/element.hpp"
#include "data/pattern.hpp"
#include "data/vectors.hpp"
#include "limits/limits.hpp"
#include "limits/raw.hpp"
#include "mpi/choice.hpp"

namespace vnode::bench {
namespace {

using SharedPattern = std::shared_ptr<const Pattern>;

// Holds two callers and what they send and receive. The others do nothing.
struct Pair {
  Rank first, second;
  std::shared_ptr<const Vectors> out, in;

  explicit Pair(const Setting& setting)
      : first(setting.root),
        second((setting.root + 1) % setting.nodes),
        out(std::make_shared<const Vectors>(setting.nodes, setting.bytes)),
        in(std::make_shared<const Vectors>(setting.nodes, setting.bytes)) {}
  Rank partner(Rank rank) const { return rank == first ? second : first; }
  bool plays(Rank rank) const { return rank == first || rank == second; }
};

// Returns a question without contestants: what both send, and whether the partner has it in the end.
Question between(const Pair& pair, const Setting& setting, const SharedPattern& pattern) {
  Question question;
  question.collective = false;
  // What is received into is written too, so that its lines are the receiver's.
  question.rewrite = [=, bytes = setting.bytes](const Seat& seat, Iteration iteration) {
    if (!pair.plays(seat.rank)) return;
    pattern->write((*pair.out)[seat.rank], bytes, seat.rank, iteration);
    pattern->write((*pair.in)[seat.rank], bytes, seat.rank, ~iteration);
  };
  question.wrong = [=, bytes = setting.bytes](const Seat& seat, const Contestant&,
                                              Iteration iteration) -> std::size_t {
    if (!pair.plays(seat.rank)) return 0;
    return pattern->differing((*pair.in)[seat.rank], bytes, {pair.partner(seat.rank)}, iteration);
  };
  return question;
}

SharedPattern bits_of(const Setting& setting) {
  return std::make_shared<const Pattern>(setting.datatype, std::nullopt, setting.seed);
}

// A ping-pong in which `first` begins.
struct PingPong : Pair {
  int turns;  // there and back, in one call

  // There are so many turns that reading the clock does not count; one turn of a long message is enough.
  explicit PingPong(const Setting& setting) : Pair(setting), turns(setting.bytes <= 4096 ? 8 : 1) {}
};

// Returns a contestant that calls pass(seat, sending), which sends this rank's `out` to the partner, or
// receives `in` from it.
template <class Pass>
Contestant ping_pong(const char* by, const PingPong& game, Pass pass) {
  return {.by = by,
          .call =
              [game, pass](const Seat& seat) {
                if (!game.plays(seat.rank)) return;
                const bool begins = seat.rank == game.first;
                for (int turn = 0; turn < game.turns; ++turn) {
                  pass(seat, begins);
                  pass(seat, !begins);
                }
              },
          .repeats = 2.0 * game.turns};
}

struct alignas(128) Slot {
  std::atomic<const std::byte*> offered{nullptr};
};

struct Mailbox {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::byte> letter;
  bool full = false;
};

// Returns the contestant that calls Node::send and Node::recv.
Contestant send_vnode(const PingPong& game, Arithmetic datatype) {
  return with_size_of(datatype, [&]<class T>(std::type_identity<T>) {
    return ping_pong("vnode", game, [game](const Seat& seat, bool sending) {
      const std::size_t count = game.out->bytes() / sizeof(T);
      if (sending)
        seat.node->send(std::span{reinterpret_cast<const T*>((*game.out)[seat.rank]), count},
                        game.partner(seat.rank));
      else
        seat.node->recv(std::span{reinterpret_cast<T*>((*game.in)[seat.rank]), count},
                        game.partner(seat.rank));
    });
  });
}

// Returns a contestant with an atomic pointer, wait and notify; the receiver copies.
Contestant send_std(const PingPong& game) {
  auto boxes = std::make_shared<std::array<Slot, 2>>();  // to the first, to the second
  return ping_pong("std", game, [game, boxes](const Seat& seat, bool sending) {
    const bool to_first = (seat.rank == game.first) != sending;
    std::atomic<const std::byte*>& offered = (*boxes)[to_first ? 0 : 1].offered;
    if (sending) {
      const std::byte* mine = (*game.out)[seat.rank];
      offered.store(mine, std::memory_order_release);
      offered.notify_one();
      offered.wait(mine, std::memory_order_acquire);
    } else {
      offered.wait(nullptr, std::memory_order_acquire);
      std::memcpy((*game.in)[seat.rank], offered.load(std::memory_order_relaxed), game.in->bytes());
      offered.store(nullptr, std::memory_order_release);
      offered.notify_one();
    }
  });
}

// Returns the limit of a message there and back by hand, in all ways.
Limit send_raw(const PingPong& game) {
  Limit limit{"raw", 1, {}};
  const std::vector<RawLink> there = raw_links(game.out->bytes()), back = raw_links(game.out->bytes());
  for (std::size_t i = 0; i < there.size(); ++i)
    limit.variants.push_back(
        ping_pong(there[i].name.c_str(), game,
                  [game, there = there[i], back = back[i]](const Seat& seat, bool sending) {
                    const RawLink& link = (seat.rank == game.first) == sending ? there : back;
                    if (sending)
                      link.send((*game.out)[seat.rank]);
                    else
                      link.receive((*game.in)[seat.rank]);
                  }));
  return limit;
}

// Returns a contestant with a mutex, a condition variable, a copy into the mailbox and one out of it.
Contestant send_naive(const PingPong& game) {
  auto boxes = std::make_shared<std::array<Mailbox, 2>>();  // to the first, to the second
  return ping_pong("naive", game, [game, boxes](const Seat& seat, bool sending) {
    const bool to_first = (seat.rank == game.first) != sending;
    Mailbox& box = (*boxes)[to_first ? 0 : 1];
    std::unique_lock lock{box.mutex};
    box.changed.wait(lock, [&] { return box.full != sending; });
    if (sending) {
      const std::byte* mine = (*game.out)[seat.rank];
      box.letter.assign(mine, mine + game.out->bytes());
    } else {
      std::ranges::copy(box.letter, (*game.in)[seat.rank]);
    }
    box.full = sending;
    box.changed.notify_one();
  });
}

struct Shelves {
  std::mutex mutex;
  std::condition_variable changed;
  std::array<std::vector<std::byte>, 2> of;  // the first's, the second's
  std::array<bool, 2> full{};
};

// Returns the contestant that calls Node::sendrecv.
Contestant sendrecv_vnode(const Pair& pair, Arithmetic datatype) {
  Contestant contestant{.by = "vnode", .call = {}};
  with_size_of(datatype, [&]<class T>(std::type_identity<T>) {
    contestant.call = [pair](const Seat& seat) {
      if (!pair.plays(seat.rank)) return;
      const std::size_t count = pair.out->bytes() / sizeof(T);
      const Rank partner = pair.partner(seat.rank);
      seat.node->sendrecv(std::span{reinterpret_cast<const T*>((*pair.out)[seat.rank]), count}, partner,
                          std::span{reinterpret_cast<T*>((*pair.in)[seat.rank]), count}, partner);
    };
  });
  return contestant;
}

// Returns a contestant that copies the partner's vector by memcpy between two std::barriers.
Contestant sendrecv_std(const Pair& pair) {
  auto meeting = std::make_shared<std::barrier<>>(2);
  return {.by = "std", .call = [meeting, pair](const Seat& seat) {
            if (!pair.plays(seat.rank)) return;
            meeting->arrive_and_wait();
            std::memcpy((*pair.in)[seat.rank], (*pair.out)[pair.partner(seat.rank)], pair.in->bytes());
            meeting->arrive_and_wait();
          }};
}

// Returns a contestant with a mutex, a condition variable and a shelf for each caller, which puts, waits and
// takes.
Contestant sendrecv_naive(const Pair& pair) {
  auto shelves = std::make_shared<Shelves>();
  return {.by = "naive", .call = [shelves, pair](const Seat& seat) {
            if (!pair.plays(seat.rank)) return;
            const std::size_t mine = seat.rank == pair.first ? 0 : 1, other = 1 - mine;
            const std::byte* out = (*pair.out)[seat.rank];
            std::unique_lock lock{shelves->mutex};
            shelves->changed.wait(lock, [&] { return !shelves->full[mine]; });
            shelves->of[mine].assign(out, out + pair.out->bytes());
            shelves->full[mine] = true;
            shelves->changed.notify_one();
            shelves->changed.wait(lock, [&] { return shelves->full[other]; });
            std::ranges::copy(shelves->of[other], (*pair.in)[seat.rank]);
            shelves->full[other] = false;
            shelves->changed.notify_one();
          }};
}

}  // namespace

Question send_question(const Setting& setting) {
  const PingPong game(setting);
  const SharedPattern pattern = bits_of(setting);
  Question question = between(game, setting, pattern);
  question.contestants.push_back(send_vnode(game, setting.datatype));
  for (const std::string& name : setting.against)
    if (name == "mpi")
      add_mpi(question, {"send", setting, game.out, game.in, pattern, game.turns});
    else
      question.contestants.push_back(name == "std" ? send_std(game) : send_naive(game));
  if (setting.limits) {
    question.limits.push_back(line_transfer(setting.nodes));
    if (setting.bytes <= most_raw_bytes) {
      question.limits.push_back(send_raw(game));
    } else {
      Limit one_way = copying(
          {setting.bytes, {{game.first, game.second, (*game.out)[game.first], (*game.in)[game.second]}}, {}});
      for (Contestant& variant : one_way.variants) variant.delivers = false;  // nothing comes back
      question.limits.push_back(std::move(one_way));
    }
  }
  return question;
}

Question sendrecv_question(const Setting& setting) {
  const Pair pair(setting);
  const SharedPattern pattern = bits_of(setting);
  Question question = between(pair, setting, pattern);
  question.contestants.push_back(sendrecv_vnode(pair, setting.datatype));
  for (const std::string& name : setting.against)
    if (name == "mpi")
      add_mpi(question, {"sendrecv", setting, pair.out, pair.in, pattern});
    else
      question.contestants.push_back(name == "std" ? sendrecv_std(pair) : sendrecv_naive(pair));
  if (setting.limits) {
    const Work both_ways{setting.bytes,
                         {{pair.first, pair.second, (*pair.out)[pair.first], (*pair.in)[pair.second]},
                          {pair.second, pair.first, (*pair.out)[pair.second], (*pair.in)[pair.first]}},
                         {}};
    question.limits.push_back(exchange(setting.nodes));
    question.limits.push_back(setting.bytes <= most_raw_bytes ? raw(both_ways, {pair.first, pair.second},
                                                                    setting.datatype, setting.op, true)
                                                              : copying(both_ways));
  }
  return question;
}

}  // namespace vnode::bench
