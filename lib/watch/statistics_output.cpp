#include "watch/statistics_output.hpp"

#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <list>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>

#include <vnode/error.hpp>

#include "base/append_file.hpp"
#include "machine/binding.hpp"

namespace vnode {

/// Lists the outputs of the process. It is never destroyed, since teams may end later than anything else at
/// the end of the process.
struct StatisticsOutputs {
  static StatisticsOutputs& of_process() {
    static StatisticsOutputs* const outputs = [] {
      auto made = std::make_unique<StatisticsOutputs>();
      at_fork([] { of_process().mutex.lock(); }, [] { of_process().mutex.unlock(); },
              [] { of_process().inherit(); });
      return made.release();
    }();
    return *outputs;
  }

  void add(StatisticsOutput& output) {
    // Static teams are made after it, and so end before it.
    static const struct AtExit {
      ~AtExit() { of_process().write_rest(); }
    } at_exit;
    const std::lock_guard lock(mutex);
    list.push_back(&output);
  }
  /// Writes the outputs that are left when the process ends. A team whose run goes on stays in memory, and is
  /// written as it is.
  void write_rest() {
    const std::lock_guard lock(mutex);
    for (const StatisticsOutput* const output : list) output->write();
    list.clear();
  }
  /// Empties the list in a child of fork(), which does not own its parent's teams.
  void inherit() {
    of_parent.splice(of_parent.end(), list);
    mutex.unlock();
  }

  std::mutex mutex;                        // guards all below, and writes
  std::list<StatisticsOutput*> list;       // those to be written
  std::list<StatisticsOutput*> of_parent;  // outputs of parent processes, kept in memory
  bool has_failed = false;
};

std::string statistics_path(std::string_view named) {
  if (named.empty()) throw UsageError("VNODE_STATS is empty: it may be a file, or - for standard error");
  std::string path;
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (named[i] != '%') {
      path += named[i];
      continue;
    }
    const char kind = ++i < named.size() ? named[i] : ' ';
    if (kind != 'p' && kind != '%')
      throw UsageError(
          fmt::format("VNODE_STATS={}: %p stands for the number of the process, %% for a %", named));
    path += kind == 'p' ? fmt::to_string(process_number()) : "%";
  }
  return path;
}

namespace {

std::string reason(const std::system_error& error) {
  if (error.code() == std::errc::no_such_device_or_address)
    return "it is a FIFO, or a device, that nobody reads";
  return error.code().message();
}

}  // namespace

StatisticsOutput::StatisticsOutput(std::string path, std::function<Statistics()> statistics)
    : path_(std::move(path)), statistics_(std::move(statistics)) {
  try {
    if (path_ != "-") append_to_file(path_, {});
  } catch (const std::system_error& error) {
    throw SystemError(fmt::format("VNODE_STATS={}: the file cannot be written: {}", path_, reason(error)));
  }
  StatisticsOutputs::of_process().add(*this);
}

StatisticsOutput::~StatisticsOutput() {
  StatisticsOutputs& outputs = StatisticsOutputs::of_process();
  const std::lock_guard lock(outputs.mutex);
  if (std::erase(outputs.list, this) > 0) write();
}

/// Writes the statistics. Called with the list's mutex held.
void StatisticsOutput::write() const noexcept {
  const auto failed = [&](const char* why) {
    if (std::exchange(StatisticsOutputs::of_process().has_failed, true)) return;
    std::fprintf(stderr, "vnode: VNODE_STATS=%s: the statistics of a team cannot be written: %s\n",
                 path_.c_str(), why);
  };
  try {
    const Statistics statistics = statistics_();
    if (path_ == "-")
      fmt::print(stderr, "{}", statistics.text());
    else
      append_to_file(path_, path_.ends_with(".txt") ? statistics.text() : statistics.json());
  } catch (const std::system_error& error) {
    failed(reason(error).c_str());
  } catch (const std::exception& error) {
    failed(error.what());
  }
}

}  // namespace vnode
