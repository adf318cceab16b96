#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "command_line/options.hpp"

namespace vnode::bench {

/// What CLI11 fills, before it is checked.
struct Texts {
  std::string min_bytes = "8", max_bytes = "8M", step_bytes, message_size, root = "0", op = "sum", datatype,
              against, form = "blocking", format = "table", style = "nccl", output, checks, schedule, trace,
              banks, arenas;
  double bank_bandwidth = 0;  // 10^9 bytes per second
  int nodes = 0, threads = 1, gpus = 1, iterations = 0, warmup = 5;
};

/// The arguments as CLI11 can read them: --check has a number of its own or none.
std::vector<std::string> spelled_out(int argc, const char* const* argv);
/// Whether `--style osu` is among them: it decides what the short options mean.
bool osu_style(const std::vector<std::string>& arguments);

/// Tells CLI11 what there is, in nccl-tests' or OSU's dialect.
void describe(CLI::App& app, bool osu, Options& options, Texts& texts);

}  // namespace vnode::bench
