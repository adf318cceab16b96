#pragma once

#include <optional>
#include <string>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/team.hpp>

#include "questions/setting.hpp"

namespace vnode::bench {

/// Whether memory feeds all ports, for each of ours by its register name: the streams of the bank that has
/// most of them in a round, what they need, and, of banks that deliver `bandwidth` bytes per second, how much
/// slower they make it. One sentence if the team's buffers lie on no banks.
std::vector<std::string> bank_notes(Team& team, Collective collective, const Setting& setting,
                                    std::optional<double> bandwidth);

}  // namespace vnode::bench
