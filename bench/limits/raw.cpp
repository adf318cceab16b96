#include "limits/raw.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "base/pause.hpp"
#include "limits/kernels.hpp"
#include "limits/limits.hpp"

namespace vnode::bench {
namespace {

constexpr std::size_t flag_bytes = 16, line = 64, pair_of_lines = 128;

const char* waiting(bool relaxing) { return relaxing ? "pause" : "spin"; }

/// Says what one of the two callers does.
struct Role {
  Work work;
  bool reaches = false;  ///< it reads or writes what is the other's
};

// Tells whether a fold needs the other's vector: it then has one of each of both, in the order of ranks.
bool foreign(const Fold& fold) { return fold.from.size() > 1; }

Role pulled(const Work& work, Rank caller) {
  Role role{wanted_by(work, caller)};
  role.reaches = std::ranges::any_of(role.work.folds, foreign) ||
                 std::ranges::any_of(role.work.movements,
                                     [=](const Movement& movement) { return movement.giver != caller; });
  return role;
}

void carry_out(const Work& work, Part part, const CombineKernel& kernel) {
  for (const Movement& movement : work.movements)
    std::memcpy(movement.to + part.begin, movement.from + part.begin, part.size);
  fold(work, part, kernel);
}

/// Holds a value for each caller, by its place among the two, 0 or 1.
template <class T>
using OfBoth = std::array<T, 2>;

std::size_t place_of(const OfBoth<Rank>& callers, Rank rank) { return rank == callers[0] ? 0 : 1; }
bool plays(const OfBoth<Rank>& callers, Rank rank) { return rank == callers[0] || rank == callers[1]; }

/// Lets both say that they are there, by odd numbers, and then that they are done, by even ones.
struct Rendezvous {
  OfBoth<Flag> flags;
  struct alignas(128) {
    std::uint64_t number = 0;
  } calls[2];
};

Contestant by_rendezvous(const char* name, const OfBoth<Rank>& callers, const OfBoth<Role>& roles,
                         const OfBoth<Part>& parts, const CombineKernel& kernel, bool relaxing) {
  auto shared = std::make_shared<Rendezvous>();
  const auto call = [=](const Seat& seat) {
    if (!plays(callers, seat.rank)) return;
    const std::size_t mine = place_of(callers, seat.rank), other = 1 - mine;
    const std::uint64_t done = shared->calls[mine].number += 2;
    shared->flags[mine].raise(done - 1);
    if (roles[mine].reaches) shared->flags[other].await(done - 1, relaxing);
    carry_out(roles[mine].work, parts[mine], kernel);
    shared->flags[mine].raise(done);
    if (roles[other].reaches) shared->flags[other].await(done, relaxing);
  };
  return {.by = fmt::format("{} {}", name, waiting(relaxing)), .call = call};
}

/// Returns the vectors of one caller that the other needs, which make a message together.
std::vector<const std::byte*> needed(const Work& of_other, Rank giver, std::size_t giver_place) {
  std::vector<const std::byte*> vectors;
  for (const Movement& movement : of_other.movements)
    if (movement.giver == giver) vectors.push_back(movement.from);
  for (const Fold& fold : of_other.folds)
    if (foreign(fold)) vectors.push_back(fold.from[giver_place]);
  return vectors;
}

/// Returns the same work with the giver's vectors in a message, in the order of needed().
Work from_message(Work work, Rank giver, std::size_t giver_place, const std::byte* message) {
  const auto next = [&, bytes = work.bytes] { return std::exchange(message, message + bytes); };
  for (Movement& movement : work.movements)
    if (movement.giver == giver) movement.from = next();
  for (Fold& fold : work.folds)
    if (foreign(fold)) fold.from[giver_place] = next();
  return work;
}

Contestant by_mail(const Work& work, const OfBoth<Rank>& callers, const CombineKernel& kernel, bool meeting,
                   bool relaxing) {
  struct Side {
    std::vector<const std::byte*> sent;
    std::vector<Work> by_slot;     // what this one does with the other's message in that slot; or, alone, all
    std::unique_ptr<Mailbox> box;  // to the other; null: nothing is sent
  };
  auto sides = std::make_shared<OfBoth<Side>>();
  for (std::size_t mine = 0; mine < 2; ++mine) {
    const std::size_t other = 1 - mine;
    Side& side = (*sides)[mine];
    side.sent = needed(wanted_by(work, callers[other]), callers[mine], mine);
    if (meeting || !side.sent.empty())
      side.box = std::make_unique<Mailbox>(side.sent.size() * work.bytes, meeting, relaxing);
  }
  for (std::size_t mine = 0; mine < 2; ++mine) {
    const std::size_t other = 1 - mine;
    const Work own = wanted_by(work, callers[mine]);
    const Mailbox* const from = (*sides)[other].box.get();
    for (std::size_t slot = 0; slot < (from ? from->slots() : 1); ++slot)
      (*sides)[mine].by_slot.push_back(from ? from_message(own, callers[other], other, from->message(slot))
                                            : own);
  }
  const auto call = [=](const Seat& seat) {
    if (!plays(callers, seat.rank)) return;
    Side &mine = (*sides)[place_of(callers, seat.rank)], &other = (*sides)[1 - place_of(callers, seat.rank)];
    if (mine.box) {
      std::byte* to = mine.box->next();
      for (const std::byte* vector : mine.sent) {
        std::memcpy(to, vector, work.bytes);
        to += work.bytes;
      }
      mine.box->post();
    }
    const std::size_t slot = other.box ? other.box->await() : 0;
    carry_out(mine.by_slot[slot], {0, work.bytes}, kernel);
    if (other.box) other.box->take();
  };
  return {.by = fmt::format("mail {}", waiting(relaxing)), .call = call};
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

Mailbox::Mailbox(std::size_t bytes, bool answered, bool relaxing)
    : offset_(bytes <= line_payload ? flag_bytes : line),
      stride_((offset_ + bytes + pair_of_lines - 1) / pair_of_lines * pair_of_lines),
      slots_(answered ? 2 : 8),
      answered_(answered),
      relaxing_(relaxing),
      memory_(1, slots_ * stride_) {
  std::memset(memory_[0], 0, slots_ * stride_);
}

std::byte* Mailbox::next() {
  const std::uint64_t number = writer_.posted + 1;
  if (!answered_ && number > writer_.seen + slots_) {
    taken_.await(number - slots_, relaxing_);
    writer_.seen = taken_.value.load(std::memory_order_acquire);  // pairs with raise() in take()
  }
  return slot(number) + offset_;
}

void Mailbox::post() {
  const std::uint64_t number = ++writer_.posted;
  // Pairs with the load in await().
  std::atomic_ref{*reinterpret_cast<std::uint64_t*>(slot(number))}.store(number, std::memory_order_release);
}

std::size_t Mailbox::await() {
  const std::uint64_t number = reader_.taken + 1;
  const std::atomic_ref posted{*reinterpret_cast<std::uint64_t*>(slot(number))};
  while (posted.load(std::memory_order_acquire) != number)  // pairs with the store in post()
    if (relaxing_) pause();
  return number % slots_;
}

void Mailbox::take() {
  const std::uint64_t number = ++reader_.taken;
  if (!answered_ && number % (slots_ / 2) == 0) taken_.raise(number);
}

Limit raw(const Work& work, std::array<Rank, 2> callers, Arithmetic datatype, StandardOperator op,
          bool meeting) {
  Limit limit{"raw", 1, {}};
  const CombineKernel kernel = combine_kernels(datatype, op).front();
  const Part whole{0, work.bytes};
  OfBoth<Role> pulling{pulled(work, callers[0]), pulled(work, callers[1])};
  OfBoth<Role> sharing{Role{own_first(work, callers[0]), true}, Role{own_first(work, callers[1]), true}};
  for (const bool relaxing : {false, true}) {
    limit.variants.push_back(by_mail(work, callers, kernel, meeting, relaxing));
    if (work.bytes <= line_payload) continue;  // fits into the flag's line, which is then all that travels
    limit.variants.push_back(by_rendezvous("pull", callers, pulling, {whole, whole}, kernel, relaxing));
    limit.variants.push_back(by_rendezvous(
        "share", callers, sharing, {part_of(work.bytes, 0, 2), part_of(work.bytes, 1, 2)}, kernel, relaxing));
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
