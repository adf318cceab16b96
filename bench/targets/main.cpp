#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>

#include "base/bytes.hpp"
#include "command_line/command.hpp"
#include "commands/team.hpp"
#include "report/report.hpp"
#include "targets/target.hpp"
#include "terminal/program.hpp"
#include "terminal/progress.hpp"

namespace {

using namespace vnode::bench;

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
  const auto size = [&](const char* name, std::size_t& bytes, const char* what) {
    const auto store = [&bytes, name](const std::string& text) { bytes = vnode::parse_bytes(text, name); };
    program.option(name, store, what).type_name("N").usual(vnode::bytes_text(bytes));
  };
  size("--min-bytes", options.min_bytes, "Smallest m that the choices of algorithms are looked at for");
  size("--max-bytes", options.max_bytes, "Largest m");
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
  for (const char* const part : {"all", "limits", "operations", "choices", "overheads", "two-cores", "beside",
                                 "layouts", "halos", "doors", "matching"})
    parts.emplace_back(part, part);
  program.choice("--part", parts, asked.part, "What to measure");
  program.read({argv + std::min(argc, 1), argv + argc});
  return asked;
}

void add(vnode::Listing& listing, const Verdict& verdict) {
  vnode::Field ratio, met;
  if (verdict.against) ratio = verdict.measured / *verdict.against;
  if (std::isfinite(verdict.measured)) met = verdict.met();  // every call may have been late
  listing.row({verdict.what, verdict.target, verdict.line_ns, verdict.measured, verdict.against,
               verdict.bound, ratio, met, verdict.to_limit, verdict.to_mpi, verdict.to_thread_mpi,
               verdict.configuration.empty() ? vnode::Field() : vnode::Field(verdict.configuration)});
}

// Starts the MPIs for two processes. Returns null if none has started: the targets that are about MPI then go
// by what is known of it.
std::shared_ptr<MpiPeers> mpi_of_two(std::vector<std::string>& notes) {
  if (mpi_libraries().empty()) {
    notes.emplace_back(mpi_advice);
    return nullptr;
  }
  auto mpi = std::make_shared<MpiPeers>(2, true);
  notes = mpi->left_out();
  return mpi->all().empty() ? nullptr : mpi;
}

int measure_targets(const Asked& asked) {
  const Options& options = asked.options;
  const bool all = asked.part == "all";
  const vnode::Machine machine = vnode::Machine::discover();
  if (machine.allowed_cores() < 2)
    throw vnode::SystemError{"the targets are for two cores, and this process may use one"};
  check_room(options, 2);
  const Station where = station(*team_of(options, 2), machine, options.effort);
  std::vector<std::string> notes;
  const std::shared_ptr<MpiPeers> mpi = all || asked.part == "operations" ? mpi_of_two(notes) : nullptr;
  std::vector<std::pair<std::string_view, std::function<Verdicts()>>> parts{
      {"limits", [&] { return between_two_cores(options); }},
      {"operations", [&] { return operations_between_two_cores(options, mpi); }},
      {"choices", [&] { return choices_between_two_cores(options); }},
      {"overheads", [&] { return overheads(options); }},
      {"two-cores", [&] { return on_two_cores(options); }},
      {"beside", [&] { return beside_another_process(options); }},
      {"layouts", [&] { return layouts_against_packing(options); }},
      {"halos", [&] { return halos_against_messages(options); }},
      {"doors", [&] { return through_doors(options); }},
      {"matching", [&] { return matching(options); }}};
  if (!all) std::erase_if(parts, [&](const auto& part) { return part.first != asked.part; });
  vnode::Listing listing{{"what", "target", "line_ns", "measured", "against", "bound", "ratio", "met",
                          "to_limit", "to_mpi", "to_thread_mpi", "mpi"}};
  vnode::Progress progress;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    progress.show(static_cast<double>(i) / static_cast<double>(parts.size()), "targets");
    for (const Verdict& verdict : parts[i].second()) add(listing, verdict);
  }
  progress.clear();
  write(std::cout, options.format, "targets", listing, where, notes);
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
