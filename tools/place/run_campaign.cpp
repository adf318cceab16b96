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

/// A signal that, while the object lives, only sets `interrupted`; the next one of either kind ends the
/// process as it usually would. One that is ignored (nohup, a shell's jobs in the background) stays so.
class Taken {
 public:
  explicit Taken(int number) : number_(number), before_(std::signal(number, take)) {
    if (before_ == SIG_IGN) std::signal(number, SIG_IGN);
  }
  ~Taken() { std::signal(number_, before_); }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;

 private:
  static void take(int number) {
    if (interrupted != 0) {
      std::signal(number, SIG_DFL);
      std::raise(number);
    }
    interrupted = 1;
  }

  const int number_;
  void (*const before_)(int);
};

/// Replaces a file by what there is, seldom enough.
class Keeper {
 public:
  explicit Keeper(const std::optional<std::filesystem::path>& file) : file_(file) {
    if (!file) return;
    check_replaceable(*file);
    lock_.emplace(only_writer(*file));
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
  std::optional<LockFile> lock_;
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
  const std::string text = read_file(file.string(), most_results_bytes);
  try {
    return results_from_json(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

Results run_campaign(const Campaign& campaign, const std::optional<std::filesystem::path>& file) {
  Experimenter experimenter(campaign);
  Results results = experimenter.beginning();
  Keeper keeper(file);  // from before it is read on, nobody else writes it
  if (file) resume(results, *file);
  const std::vector<Experiment> all = experiments(campaign);
  interrupted = 0;
  const Taken interrupt(SIGINT), end(SIGTERM);
  Progress progress;
  while (results.outcomes.size() < all.size()) {
    const Experiment& next = all[results.outcomes.size()];
    progress.show(static_cast<double>(results.outcomes.size()) / static_cast<double>(all.size()), text(next));
    results.outcomes.push_back(experimenter.outcome(next));
    const bool stop = interrupted != 0;  // once: what is told has to be what is kept
    keeper.keep(results, stop);
    if (stop && results.outcomes.size() < all.size()) tell_interruption(results, all.size(), file);
  }
  keeper.keep(results, true);
  return results;
}

}  // namespace vnode
