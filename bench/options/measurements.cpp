#include "options/measurements.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include <vnode/error.hpp>

namespace vnode::bench {
namespace {

void refuse_with(std::string_view flag, const std::vector<std::string_view>& unread,
                 const std::vector<CommandLine::Given>& given) {
  for (const auto& [names, value] : given)
    for (const std::string& name : names)
      if (std::ranges::find(unread, name) != unread.end())
        throw UsageError{fmt::format("--{} does not go with {}: leave it out", name, flag)};
}

}  // namespace

const std::vector<OtherMeasurement>& other_measurements() {
  static const std::vector<OtherMeasurement> all{
      {"limits",
       Measured::limits,
       "Measure what the machine itself can do between two cores",
       {"iters", "warmup", "check", "channel", "wait", "format", "output", "style", "op", "datatype",
        "cold"}},
      {"guidelines",
       Measured::guidelines,
       "Measure whether operations are consistent with each other",
       {"iters", "warmup",    "check",     "channel",    "wait",          "format", "output",
        "style", "min-bytes", "max-bytes", "step-bytes", "message-size",  "factor", "seed",
        "nodes", "nthreads",  "ngpus",     "topology",   "deterministic", "cold",   "nodes-as"}}};
  return all;
}

void refuse_others(const std::vector<std::string>& arguments, bool osu) {
  const auto refuse = [&](const char* option, const char* sentence) {
    if (std::ranges::find(arguments, option) != arguments.end())
      throw UsageError{fmt::format("{} is {}", option, sentence)};
  };
  refuse("-np", "mpirun's: the number of nodes is --nodes P");
  if (osu) {
    for (const char* const option : {"-b", "-e"})
      refuse(option, "nccl-tests': with --style osu sizes are -m MIN:MAX");
    for (const char* const option : {"-n", "-w", "-g", "-t"})
      refuse(option, "nccl-tests': with --style osu calls are -i N, those before -x N, nodes --nodes P");
    return;
  }
  refuse("-m", "OSU's: sizes are -b MIN -e MAX, or -m MIN:MAX with --style osu");
  refuse("-x", "OSU's: calls before are -w N, or -x N with --style osu");
  refuse("--iterations", "OSU's: calls are -n N, or -i N with --style osu");
}

void refuse_unread(const OtherMeasurement& known, const std::vector<CommandLine::Given>& given) {
  for (const auto& [names, value] : given) {
    if (names.empty())
      throw UsageError{fmt::format("{} {}: {} measures no operations that have a name: leave it out",
                                   known.name, value, known.name)};
    const auto reads = [&](const std::string& name) {
      return std::ranges::find(known.reads, name) != known.reads.end();
    };
    if (std::ranges::none_of(names, reads))
      throw UsageError{fmt::format("--{} does not go with {}: leave it out", names.back(), known.name)};
  }
}

void refuse_with_first(const std::vector<CommandLine::Given>& given) {
  refuse_with("--first", {"against", "warmup", "check", "trace", "cold", "beside", "banks", "style"}, given);
}

void refuse_with_cluster(const std::vector<CommandLine::Given>& given) {
  refuse_with("--cluster",
              {"against", "check", "trace", "cold", "beside", "banks", "style", "first", "schedule",
               "mapping", "arenas", "channel", "nodes-as"},
              given);
}

}  // namespace vnode::bench
