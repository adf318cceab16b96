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

}  // namespace vnode
