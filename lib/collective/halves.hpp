#pragma once

#include <vnode/collective.hpp>

namespace vnode {

/// Part of a linear array, and the node in it that has the message.
struct Held {
  Interval ranks;
  Rank holder = 0;
};

/// Who gets the message in the other half, `other`, while `own` keeps it in this one; `root` had it first of
/// all.
using Partner = Rank (*)(const Held& own, Interval other, Rank root);

/// Broadcast over a linear array that is split in halves again and again, the lower one the longer: in every
/// round each holder sends to a partner in the half where it is not. ceil(log2 p) rounds.
Schedule by_halves(const Parameters& parameters, Partner partner);

/// The pairs that may talk in its round `round`: found by going down to where `to` is. O(log p).
bool across_halves(const Parameters& parameters, Partner partner, int round, Rank from, Rank to);

/// The node with the same place in the other half, or its last.
Rank corresponding(const Held& own, Interval other, Rank root);
/// The node that is the farthest from the root: then all messages on one side of it run the same way.
Rank farthest(const Held& own, Interval other, Rank root);

/// The longest halves that are sent in each round by farthest partners, summed up: what it takes to send
/// every node a block of its own this way.
int halves_sent(const Parameters& parameters);

/// It has a name in formulas.
inline constexpr Symbol longest_halves[] = {
    {"h", "the longest halves that are sent in each round, summed up",
     [](const Parameters& parameters) { return double(halves_sent(parameters)); }}};

}  // namespace vnode
