#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>

#include "command_line/command.hpp"
#include "commands/team.hpp"
#include "report/report.hpp"
#include "targets/target.hpp"
#include "terminal/program.hpp"
#include "terminal/progress.hpp"

namespace {

using namespace vnode::bench;

struct Promises {
  const char* name;
  Verdicts (*measure)(const Options& options);
};
constexpr Promises all_promises[]{{"overheads", overheads},
                                  {"layouts", layouts_against_packing},
                                  {"halos", halos_against_messages},
                                  {"doors", through_doors},
                                  {"matching", matching}};

// Says what is measured, and which part of it.
struct Asked {
  Options options;
  std::string part = "all";
};

Asked read(int argc, char** argv) {
  Asked asked;
  Options& options = asked.options;
  const vnode::CommandLine program("vnode-targets",
                                   "Measures what docs/measuring.md promises, and says what is kept.");
  program
      .whole("--iters", {.least = 1, .most = 1 << 24}, vnode::into(options.effort.iterations),
             "Calls of each contestant that count [what 0.4 s allow]")
      .type_name("N");
  program
      .whole("--warmup", {.most = 1 << 24}, vnode::into(options.effort.warmup),
             "Calls of each contestant before")
      .type_name("N")
      .usual("5");
  program.whole<std::uint64_t>("--seed", {}, vnode::into(options.seed), "Of the data")
      .type_name("S")
      .usual("1");
  program.choice("--format", {{"table", Format::table}, {"csv", Format::csv}, {"json", Format::json}},
                 options.format, "How to report");
  vnode::Choices<std::string> parts;
  parts.emplace_back("all", "all");
  for (const Promises& part : all_promises) parts.emplace_back(part.name, part.name);
  program.choice("--part", parts, asked.part, "What to measure");
  program.read({argv + std::min(argc, 1), argv + argc});
  return asked;
}

int measure_targets(const Asked& asked) {
  const Options& options = asked.options;
  const vnode::Machine machine = vnode::Machine::discover();
  if (machine.allowed_cores() < 2)
    throw vnode::SystemError{"the targets are for two cores, and this process may use one"};
  check_room(options, 2);
  const Station where = station(*team_of(options, 2), machine, options.effort);
  std::vector<Promises> parts(std::begin(all_promises), std::end(all_promises));
  if (asked.part != "all")
    std::erase_if(parts, [&](const Promises& part) { return part.name != asked.part; });
  vnode::Listing listing{{"what", "target", "measured", "against", "bound", "ratio", "met"}};
  vnode::Progress progress;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    progress.show(static_cast<double>(i) / static_cast<double>(parts.size()), parts[i].name);
    for (const Verdict& verdict : parts[i].measure(options)) {
      vnode::Field ratio, met;
      if (verdict.against) ratio = verdict.measured / *verdict.against;
      if (std::isfinite(verdict.measured)) met = verdict.met();  // every call may have been late
      listing.row(
          {verdict.what, verdict.target, verdict.measured, verdict.against, verdict.bound, ratio, met});
    }
  }
  progress.clear();
  write(std::cout, options.format, "targets", listing, where);
  return 0;
}

}  // namespace

// Measures the targets that the project has set itself (docs/measuring.md, 8), for those who work on it.
int main(int argc, char** argv) {
  return vnode::run_program("vnode-targets", [=] {
    try {
      return measure_targets(read(argc, argv));
    } catch (const vnode::Answer& answer) {
      std::cout << answer.text;
      return 0;
    }
  });
}
