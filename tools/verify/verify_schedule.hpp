#pragma once

#include <optional>
#include <string>

#include <vnode/collective.hpp>
#include <vnode/lab/ports.hpp>

#include "options/format.hpp"
#include "options/place.hpp"

namespace vnode {

/// A schedule of the user's own, and what it is to achieve.
struct ScheduleTrial {
  std::string file;
  Collective collective = Collective::broadcast;
  PlaceOptions place;          // root and shift
  std::optional<Ports> ports;  // by default ports_of() the schedule
  Format format = Format::text;
};

/// Prints whether the schedule is right, what is wrong with it, what else it is good for, and how its mutants
/// fare. One that is accepted is a right schedule, too. Returns whether it is right. UsageError if the file
/// cannot be a schedule for that at all.
bool verify_schedule(const ScheduleTrial& trial);

}  // namespace vnode
