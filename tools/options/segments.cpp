#include "options/segments.hpp"

#include <vnode/lab/textbook.hpp>

namespace vnode {

Subject with_segments(Subject subject, const SubjectOptions& wanted, std::size_t bytes,
                      const CostModel& costs) {
  if (subject.algorithm == nullptr || !subject.algorithm->segments || wanted.segments) return subject;
  return vnode::subject(wanted, optimum_segments(*subject.algorithm, subject.parameters, bytes, costs));
}

}  // namespace vnode
