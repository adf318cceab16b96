#pragma once

#include <cstdint>
#include <string>

#include <vnode/model/schedule.hpp>
#include <vnode/own_schedule.hpp>

namespace vnode {

struct OwnSchedule::Content {
  Schedule schedule;   ///< the schedule
  std::string name;    ///< the name that the user gave
  std::uint64_t hash;  ///< of the schedule
};

/// Tells whether two schedules are the same.
inline bool operator==(const OwnSchedule& a, const OwnSchedule& b) {
  if (a.content() == b.content()) return true;
  return a.content()->hash == b.content()->hash && a.schedule() == b.schedule();
}

}  // namespace vnode
