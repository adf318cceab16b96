#pragma once

#include <vnode/collective.hpp>

#include "collectives/task.hpp"
#include "measure/contestant.hpp"
#include "questions/setting.hpp"

namespace vnode::bench {

/// Its data, its limits, its check, and nobody who competes.
Question collective_question(const std::shared_ptr<const Task>& task);

/// What every collective operation on data asks for: that what each brings gets to where its contract says,
/// combined where it says so. `varying`: ours by the v-variant.
Question collective_question(Collective collective, bool varying, const Setting& setting);

}  // namespace vnode::bench
