#pragma once

#include <cstdint>
#include <string>

#include <vnode/lab/schedule.hpp>
#include <vnode/own_schedule.hpp>

namespace vnode {

struct OwnSchedule::Content {
  Schedule schedule;   ///< itself
  std::string name;    ///< as given
  std::uint64_t hash;  ///< of the schedule
};

/// Whether they are the same schedule.
inline bool operator==(const OwnSchedule& a, const OwnSchedule& b) {
  if (a.content() == b.content()) return true;
  return a.content()->hash == b.content()->hash && a.schedule() == b.schedule();
}

}  // namespace vnode
