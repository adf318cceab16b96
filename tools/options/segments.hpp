#pragma once

#include <cstddef>

#include <vnode/lab/cost.hpp>

#include "options/subject.hpp"

namespace vnode {

/// The subject, its message of so many bytes cut into as many segments as its time by formula is least with,
/// unless `wanted` says how many, or it has none.
Subject with_segments(Subject subject, const SubjectOptions& wanted, std::size_t bytes,
                      const CostModel& costs);

}  // namespace vnode
