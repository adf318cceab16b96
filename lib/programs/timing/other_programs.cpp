#include "timing/other_programs.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <numeric>
#include <time.h>
#include <unistd.h>

namespace vnode {
namespace {

constexpr double least_seconds = 0.5;                  // the system counts in hundredths
constexpr double busy_share = 0.1, late_share = 0.05;  // from which on times are doubtful

}  // namespace

std::optional<OtherPrograms::Times> OtherPrograms::now() {
  std::ifstream file{"/proc/stat"};
  std::string word;
  // user, nice, system, idle, waiting for a disk, two kinds of interrupts, stolen by other machines
  std::array<double, 8> ticks{};
  file >> word;
  for (double& each : ticks) file >> each;
  timespec own{};
  if (!file || word != "cpu" || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own) != 0) return std::nullopt;
  const auto second = static_cast<double>(sysconf(_SC_CLK_TCK));
  const double all = std::accumulate(ticks.begin(), ticks.end(), 0.0);
  return Times{.all = all / second,
               .busy = (all - ticks[3] - ticks[4]) / second,
               .own = static_cast<double>(own.tv_sec) + static_cast<double>(own.tv_nsec) * 1e-9};
}

std::optional<double> OtherPrograms::share() const {
  const std::optional<Times> after = now();
  if (!before_ || !after || after->all - before_->all < least_seconds) return std::nullopt;
  const double others = (after->busy - before_->busy) - (after->own - before_->own);
  return std::clamp(others / (after->all - before_->all), 0.0, 1.0);
}

std::optional<std::string> busy_sentence(std::size_t late, std::size_t calls, std::optional<double> others) {
  const double share = calls == 0 ? 0 : static_cast<double>(late) / static_cast<double>(calls);
  const bool taken = others.value_or(0) >= busy_share;
  if (!taken && share < late_share) return std::nullopt;
  std::string text = "This machine was busy: ";
  if (taken) text += fmt::format("other programs had {:.0f} % of its processors", 100 * *others);
  const bool some_late = share >= late_share;
  if (taken && some_late) text += ", and ";
  if (some_late) text += fmt::format("in {:.0f} % of the calls a node came late", 100 * share);
  return text + ". Times are too long and ratios doubtful: measure again when it is idle.";
}

}  // namespace vnode
