#include "place/run_campaign.hpp"

#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include <vnode/error.hpp>

#include "base/counted.hpp"
#include "files/file.hpp"
#include "place/experimenter.hpp"
#include "terminal/progress.hpp"

namespace vnode {
namespace {

volatile std::sig_atomic_t interrupted = 0;

/// While it lives, SIGINT and SIGTERM only set `interrupted`.
class Interruption {
 public:
  Interruption() {
    interrupted = 0;
    before_int_ = std::signal(SIGINT, take);
    before_term_ = std::signal(SIGTERM, take);
  }
  ~Interruption() {
    std::signal(SIGINT, before_int_);
    std::signal(SIGTERM, before_term_);
  }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

 private:
  static void take(int) { interrupted = 1; }

  void (*before_int_)(int);
  void (*before_term_)(int);
};

/// Replaces a file by what there is, seldom enough.
class Keeper {
 public:
  explicit Keeper(std::optional<std::filesystem::path> file) : file_(std::move(file)) {
    if (file_) check_replaceable(*file_);
  }
  void keep(const Results& results, bool at_once) {
    constexpr int share = 9;
    const auto begin = Clock::now();
    if (!file_ || (!at_once && begin - last_ < share * duration_)) return;
    replace_file(*file_, to_json(results));
    last_ = Clock::now();
    duration_ = last_ - begin;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const std::optional<std::filesystem::path> file_;
  Clock::time_point last_{};
  Clock::duration duration_{};
};

/// What is there already.
void resume(Results& results, const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return;
  Results old = read_results(file);
  if (const std::string reason = why_not_resumed(old, results); !reason.empty())
    throw UsageError(fmt::format("{}: {}; name another file, or remove it", file.string(), reason));
  results = std::move(old);
}

[[noreturn]] void tell_interruption(const Results& results, std::size_t all,
                                    const std::optional<std::filesystem::path>& file) {
  throw SystemError(fmt::format(
      "interrupted after {} of {}{}", results.outcomes.size(), counted(all, "experiment"),
      file ? fmt::format(": {} has them, and the same command goes on from there", file->string()) : ""));
}

}  // namespace

Results read_results(const std::filesystem::path& file) {
  const std::string text = read_file(file.string());
  try {
    return results_from_json(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

Results run_campaign(const Campaign& campaign, const std::optional<std::filesystem::path>& file) {
  Experimenter experimenter(campaign);
  Results results = experimenter.beginning();
  if (file) resume(results, *file);
  const std::vector<Experiment> all = experiments(campaign);
  Keeper keeper(file);
  const Interruption interruption;
  Progress progress;
  while (results.outcomes.size() < all.size()) {
    const Experiment& next = all[results.outcomes.size()];
    progress.show(static_cast<double>(results.outcomes.size()) / static_cast<double>(all.size()), text(next));
    results.outcomes.push_back(experimenter.outcome(next));
    keeper.keep(results, interrupted != 0);
    if (interrupted != 0 && results.outcomes.size() < all.size())
      tell_interruption(results, all.size(), file);
  }
  keeper.keep(results, true);
  return results;
}

}  // namespace vnode
