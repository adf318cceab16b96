#pragma once

#include <nlohmann/json.hpp>

#include "report/station.hpp"

namespace vnode::bench {

/// The "machine" of every JSON report.
nlohmann::ordered_json machine_json(const Station& station);

}  // namespace vnode::bench
