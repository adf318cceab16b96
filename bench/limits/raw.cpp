#include "limits/raw.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "limits/kernels.hpp"
#include "limits/limits.hpp"
#include "limits/mailbox.hpp"

namespace vnode::bench {
namespace {

const char* waiting(bool relaxing) { return relaxing ? "pause" : "spin"; }

/// Holds who takes part in a loop, and the place of each rank among them.
class Callers {
 public:
  explicit Callers(std::vector<Rank> ranks) : ranks_(std::move(ranks)) {
    for (std::size_t place = 0; place < ranks_.size(); ++place) {
      const auto rank = static_cast<std::size_t>(ranks_[place]);
      if (rank >= places_.size()) places_.resize(rank + 1, none);
      places_[rank] = place;
    }
  }
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t size() const { return ranks_.size(); }
  Rank operator[](std::size_t place) const { return ranks_[place]; }
  std::size_t place_of(Rank rank) const {
    const auto at = static_cast<std::size_t>(rank);
    return at < places_.size() ? places_[at] : none;
  }

 private:
  std::vector<Rank> ranks_;
  std::vector<std::size_t> places_;  // by rank
};

/// Calls visit(place, vector) for each vector that a caller's work takes from others. `vector` may be
/// changed.
template <class Visit>
void each_foreign(Work& work, const Callers& callers, std::size_t mine, const Visit& visit) {
  for (Movement& movement : work.movements)
    if (movement.giver != callers[mine]) visit(callers.place_of(movement.giver), movement.from);
  for (Fold& fold : work.folds)  // which has a vector of each caller, in the order of ranks
    for (std::size_t place = 0; place < fold.from.size(); ++place)
      if (place != mine) visit(place, fold.from[place]);
}

void carry_out(const Work& work, Part part, const CombineKernel& kernel) {
  for (const Movement& movement : work.movements)
    std::memcpy(movement.to + part.begin, movement.from + part.begin, part.size);
  fold(work, part, kernel);
}

/// Says what a caller does once those are there whose memory it reads or writes.
struct Role {
  Work work;
  Part part;
  std::vector<std::size_t> reaches{}, reached_by{};  // places

  void reach(std::size_t other) {
    if (std::ranges::find(reaches, other) == reaches.end()) reaches.push_back(other);
  }
};

std::vector<Role> pulling(const Work& work, const Callers& callers) {
  std::vector<Role> roles;
  for (std::size_t mine = 0; mine < callers.size(); ++mine) {
    roles.push_back({wanted_by(work, callers[mine]), {0, work.bytes}});
    each_foreign(roles.back().work, callers, mine,
                 [&](std::size_t place, const std::byte*) { roles.back().reach(place); });
  }
  return roles;
}

std::vector<Role> sharing(const Work& work, const Callers& callers) {
  std::vector<Role> roles;
  const auto parts = static_cast<int>(callers.size());
  for (std::size_t mine = 0; mine < callers.size(); ++mine) {
    roles.push_back({own_first(work, callers[mine]), part_of(work.bytes, static_cast<int>(mine), parts)});
    for (std::size_t other = 0; other < callers.size(); ++other)
      if (other != mine) roles.back().reach(other);
  }
  return roles;
}

/// Lets all say that they are there, by odd numbers, and then that they are done, by even ones.
Contestant by_rendezvous(const char* name, const Callers& callers, std::vector<Role> roles,
                         const CombineKernel& kernel, bool relaxing) {
  struct Turn {
    Flag flag;
    alignas(128) std::uint64_t number = 0;
  };
  auto turns = std::make_shared<std::vector<Turn>>(callers.size());
  for (std::size_t mine = 0; mine < callers.size(); ++mine)
    for (const std::size_t other : roles[mine].reaches) roles[other].reached_by.push_back(mine);
  const auto call = [=, roles = std::move(roles)](const Seat& seat) {
    const std::size_t mine = callers.place_of(seat.rank);
    if (mine == Callers::none) return;
    const Role& role = roles[mine];
    Turn& own = (*turns)[mine];
    own.number += 2;
    own.flag.raise(own.number - 1);
    for (const std::size_t other : role.reaches) (*turns)[other].flag.await(own.number - 1, relaxing);
    carry_out(role.work, role.part, kernel);
    own.flag.raise(own.number);
    for (const std::size_t other : role.reached_by) (*turns)[other].flag.await(own.number, relaxing);
  };
  return {.by = fmt::format("{} {}", name, waiting(relaxing)), .call = call};
}

Contestant by_mail(const Work& work, const Callers& callers, const CombineKernel& kernel, bool meeting,
                   bool relaxing) {
  struct Reading {
    std::size_t from, reader;  // the place of whose mailbox it is, and which of its readers this caller is
  };
  struct Side {
    Work work;                           // what it wants
    std::vector<const std::byte*> sent;  // what others want of it, which makes a message together
    std::vector<Reading> reads;
    std::size_t readers = 0;
    std::unique_ptr<Mailbox> box;  // null: nobody reads it
    std::vector<Work> by_slot;     // its work with others' vectors in their messages in that slot
  };
  auto sides = std::make_shared<std::vector<Side>>(callers.size());
  for (std::size_t mine = 0; mine < callers.size(); ++mine) {
    Side& side = (*sides)[mine];
    side.work = wanted_by(work, callers[mine]);
    std::vector<bool> reads(callers.size(), meeting);
    reads[mine] = false;
    each_foreign(side.work, callers, mine, [&](std::size_t place, const std::byte* vector) {
      reads[place] = true;
      std::vector<const std::byte*>& sent = (*sides)[place].sent;
      if (std::ranges::find(sent, vector) == sent.end()) sent.push_back(vector);
    });
    // Each begins with another, so that not all read from one at the same time.
    for (std::size_t i = 1; i < callers.size(); ++i)
      if (const std::size_t from = (mine + i) % callers.size(); reads[from])
        side.reads.push_back({from, (*sides)[from].readers++});
  }
  std::size_t slots = 1;
  for (Side& side : *sides)
    if (side.readers > 0) {
      side.box = std::make_unique<Mailbox>(side.sent.size() * work.bytes, meeting, relaxing, side.readers);
      slots = side.box->slots();
    }
  for (std::size_t mine = 0; mine < callers.size(); ++mine)
    for (std::size_t slot = 0; slot < slots; ++slot) {
      Side& side = (*sides)[mine];
      each_foreign(side.by_slot.emplace_back(side.work), callers, mine,
                   [&](std::size_t place, const std::byte*& vector) {
                     const Side& giver = (*sides)[place];
                     const auto at = std::ranges::find(giver.sent, vector) - giver.sent.begin();
                     vector = giver.box->message(slot) + static_cast<std::size_t>(at) * work.bytes;
                   });
    }
  const auto call = [=, bytes = work.bytes](const Seat& seat) {
    const std::size_t place = callers.place_of(seat.rank);
    if (place == Callers::none) return;
    Side& mine = (*sides)[place];
    if (mine.box) {
      std::byte* to = mine.box->next();
      for (const std::byte* vector : mine.sent) {
        std::memcpy(to, vector, bytes);
        to += bytes;
      }
      mine.box->post();
    }
    std::size_t slot = 0;
    for (const Reading& one : mine.reads) slot = (*sides)[one.from].box->await(one.reader);
    carry_out(mine.by_slot[slot], {0, bytes}, kernel);
    for (const Reading& one : mine.reads) (*sides)[one.from].box->take(one.reader);
  };
  return {.by = fmt::format("mail {}", waiting(relaxing)), .call = call};
}

/// Describes work that a tree can do: the vectors of all are combined to one result, if any of them is, and
/// one vector goes from the root to who wants it.
struct OneForAll {
  bool gathers = false, spreads = false;
  std::size_t root = 0;
  std::vector<const std::byte*> own{};  // by place: what it brings
  std::vector<std::byte*> to{};         // where it wants the result; null: it does not
};

std::optional<OneForAll> one_for_all(const Work& work, const Callers& callers, bool meeting) {
  OneForAll all{.own = std::vector<const std::byte*>(callers.size()),
                .to = std::vector<std::byte*>(callers.size())};
  if (work.folds.size() == 1 && work.movements.empty()) {
    const Fold& fold = work.folds.front();
    all.gathers = true;
    all.own = fold.from;
    for (const Fold::Tap& tap : fold.taps) {
      if (static_cast<std::size_t>(tap.after) != callers.size()) return {};
      all.to[callers.place_of(tap.taker)] = tap.to;
    }
    all.spreads = fold.taps.size() == callers.size();
    all.root = all.spreads ? 0 : callers.place_of(fold.taps.front().taker);
    return all.spreads || fold.taps.size() == 1 ? std::optional(all) : std::nullopt;
  }
  if (!work.folds.empty()) return {};
  all.gathers = meeting;
  all.spreads = true;
  if (work.movements.empty()) return meeting ? std::optional(all) : std::nullopt;
  const Movement& first = work.movements.front();
  if (meeting || work.movements.size() + 1 != callers.size()) return {};
  all.root = callers.place_of(first.giver);
  all.own[all.root] = first.from;
  for (const Movement& movement : work.movements) {
    if (movement.from != first.from) return {};
    all.to[callers.place_of(movement.taker)] = movement.to;
  }
  return all;
}

/// Combines what all have up a tree in which every caller has `radix` children, and lets all others read the
/// root's result; or passes on what the root has down such a tree.
Contestant by_tree(std::string name, const OneForAll& all, std::size_t bytes, const Callers& callers,
                   const CombineKernel& kernel, std::size_t radix, bool relaxing) {
  struct Branch {
    std::vector<std::size_t> children;             // places
    std::unique_ptr<Mailbox> up, down;             // to its parent; to those who get the result from it
    std::size_t from = Callers::none, reader = 0;  // from whom it gets the result itself
  };
  const std::size_t n = callers.size();
  auto branches = std::make_shared<std::vector<Branch>>(n);
  const auto at = [&](std::size_t position) { return (position + all.root) % n; };
  for (std::size_t position = 0; position < n; ++position) {
    Branch& branch = (*branches)[at(position)];
    for (std::size_t child = radix * position + 1; child <= radix * position + radix && child < n; ++child)
      branch.children.push_back(at(child));
    if (all.gathers && position > 0) branch.up = std::make_unique<Mailbox>(bytes, all.spreads, relaxing);
    const std::vector<std::size_t> readers = all.gathers ? std::vector<std::size_t>() : branch.children;
    if (!readers.empty()) branch.down = std::make_unique<Mailbox>(bytes, false, relaxing, readers.size());
    for (std::size_t reader = 0; reader < readers.size(); ++reader) {
      (*branches)[readers[reader]].from = at(position);
      (*branches)[readers[reader]].reader = reader;
    }
  }
  if (all.gathers && all.spreads) {
    (*branches)[all.root].down = std::make_unique<Mailbox>(bytes, true, relaxing, n - 1);
    for (std::size_t position = 1; position < n; ++position) {
      (*branches)[at(position)].from = all.root;
      (*branches)[at(position)].reader = position - 1;
    }
  }
  const auto call = [=](const Seat& seat) {
    const std::size_t place = callers.place_of(seat.rank);
    if (place == Callers::none) return;
    Branch& mine = (*branches)[place];
    std::byte* const to = all.to[place];
    const std::byte* own = all.own[place];
    if (all.gathers) {
      std::byte* const sum = mine.up ? mine.up->next() : to;
      for (const std::size_t child : mine.children) {
        Mailbox& box = *(*branches)[child].up;
        const std::byte* const theirs = box.message(box.await());
        if (bytes > 0) kernel.combine(sum, own, theirs, bytes);
        own = sum;
        box.take();
      }
      if (own != sum && bytes > 0) std::memcpy(sum, own, bytes);
      if (mine.up) mine.up->post();
    }
    if (mine.from != Callers::none) {
      Mailbox& box = *(*branches)[mine.from].down;
      const std::byte* const result = box.message(box.await(mine.reader));
      if (bytes > 0) std::memcpy(to, result, bytes);
      own = to;
      box.take(mine.reader);
    }
    if (mine.down) {
      std::byte* const next = mine.down->next();
      if (bytes > 0) std::memcpy(next, own, bytes);
      mine.down->post();
    }
  };
  return {.by = std::move(name), .call = call};
}

/// Lets the receiver copy from the sender's memory while the sender waits.
struct Offer {
  Flag offered, copied;
  const std::byte* from = nullptr;  // of the sender, before it raises `offered`
  struct alignas(128) {
    std::uint64_t number = 0;
  } sent, received;
};

RawLink offering(std::size_t bytes, bool relaxing) {
  auto offer = std::make_shared<Offer>();
  const auto send = [=](const std::byte* from) {
    offer->from = from;
    offer->offered.raise(++offer->sent.number);
    offer->copied.await(offer->sent.number, relaxing);
  };
  const auto receive = [=](std::byte* to) {
    offer->offered.await(++offer->received.number, relaxing);
    std::memcpy(to, offer->from, bytes);
    offer->copied.raise(offer->received.number);
  };
  return {fmt::format("pull {}", waiting(relaxing)), send, receive};
}

RawLink mailing(std::size_t bytes, bool relaxing) {
  auto box = std::make_shared<Mailbox>(bytes, false, relaxing);
  const auto send = [=](const std::byte* from) {
    std::memcpy(box->next(), from, bytes);
    box->post();
  };
  const auto receive = [=](std::byte* to) {
    std::memcpy(to, box->message(box->await()), bytes);
    box->take();
  };
  return {fmt::format("mail {}", waiting(relaxing)), send, receive};
}

}  // namespace

std::vector<Rank> all_of(int p) {
  std::vector<Rank> ranks(static_cast<std::size_t>(p));
  std::iota(ranks.begin(), ranks.end(), Rank{0});
  return ranks;
}

Limit raw(const Work& work, const std::vector<Rank>& ranks, Arithmetic datatype, StandardOperator op,
          bool meeting) {
  Limit limit{"raw", 1, {}};
  const CombineKernel kernel = combine_kernels(datatype, op).front();
  const Callers callers(ranks);
  const std::size_t others = callers.size() - 1;
  constexpr std::size_t few = 4;
  const std::optional<OneForAll> all =
      others > 1 ? one_for_all(work, callers, meeting) : std::optional<OneForAll>();
  for (const bool relaxing : {false, true}) {
    limit.variants.push_back(by_mail(work, callers, kernel, meeting, relaxing));
    if (all && all->gathers)
      limit.variants.push_back(by_tree(fmt::format("flat {}", waiting(relaxing)), *all, work.bytes, callers,
                                       kernel, others, relaxing));
    if (all && others > few)
      limit.variants.push_back(by_tree(fmt::format("radix {} {}", few, waiting(relaxing)), *all, work.bytes,
                                       callers, kernel, few, relaxing));
    if (work.bytes <= line_payload) continue;  // fits into the flag's line, which is then all that travels
    limit.variants.push_back(by_rendezvous("pull", callers, pulling(work, callers), kernel, relaxing));
    limit.variants.push_back(by_rendezvous("share", callers, sharing(work, callers), kernel, relaxing));
  }
  return limit;
}

std::vector<RawLink> raw_links(std::size_t bytes) {
  std::vector<RawLink> links;
  for (const bool relaxing : {false, true}) {
    links.push_back(mailing(bytes, relaxing));
    if (bytes > line_payload) links.push_back(offering(bytes, relaxing));
  }
  return links;
}

}  // namespace vnode::bench
