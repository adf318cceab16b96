#pragma once

#include <filesystem>
#include <optional>

#include "campaign/results.hpp"

namespace vnode {

/// Carries out a campaign's experiments in their order. With a file, what is in it already is not done again,
/// and after each experiment the file is replaced by one with all results so far, or, where writing takes
/// long, so seldom that it takes a tenth of the time; SIGINT and SIGTERM are obeyed between experiments, when
/// the file is written: SystemError says how far it is; a second one ends the process at once. UsageError if
/// the file has results of another campaign, machine, environment, version or costs; SystemError if another
/// process writes it.
Results run_campaign(const Campaign& campaign, const std::optional<std::filesystem::path>& file);

/// The results of a file. std::system_error if it cannot be read, UsageError, which names it, if it has none.
Results read_results(const std::filesystem::path& file);

}  // namespace vnode
