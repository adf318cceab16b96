#include "mpi/choice.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

#include <vnode/error.hpp>

#include "data/element.hpp"
#include "mpi/peers.hpp"
#include "timing/clock.hpp"

namespace vnode::bench {
namespace {

// Returns a time that is long enough for MPI_Bcast to reach every process.
double lead_us(int nodes) { return 10 + nodes; }

std::string command(const MpiTask& task, const Lap& lap) {
  const Setting& setting = task.setting;
  const Arithmetic type = moved_by_mpi(setting.datatype);
  const Ticks lead = the_clock().ticks(lead_us(setting.nodes));
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {:d} {:d} {:d} {}\n", task.operation,
                     datatypes[type], name_of(setting.op), setting.bytes, size_of(setting.datatype),
                     setting.root, setting.shift, task.turns, setting.seed, lap.first, lead, lap.settling,
                     lap.iterations, lap.batch, lap.loop == Loop::osu, lap.core_each, lap.fetch, lap.cold);
}

void write_table(const MpiTask& task, const std::string& folder) {
  if (!task.pattern) return;
  std::ofstream file{folder + "/table", std::ios::binary};
  const std::span<const std::byte> table = task.pattern->table();
  file.write(reinterpret_cast<const char*>(table.data()), static_cast<std::streamsize>(table.size()));
}

// Fills the vectors as if vnode's nodes had made the call: what was brought is there as it was written, and
// what was taken is the processes' result.
void fetch(const MpiTask& task, const std::string& folder, Iteration iteration) {
  for (Rank rank = 0; rank < task.setting.nodes; ++rank) {
    task.pattern->write((*task.brought)[rank], task.brought->bytes(rank), rank, iteration);
    std::ifstream file{fmt::format("{}/result.{}", folder, rank), std::ios::binary};
    const auto bytes = static_cast<std::streamsize>(task.taken->bytes(rank));
    file.read(reinterpret_cast<char*>((*task.taken)[rank]), bytes);
    if (file.gcount() != bytes) throw SystemError{fmt::format("{} has left no result", folder)};
  }
}

}  // namespace

void add_mpi(Question& question, const MpiTask& task) {
  for (const std::unique_ptr<MpiPeer>& peer : task.setting.mpi->all()) {
    const std::string_view name = peer->name();
    const std::size_t end = std::min(name.find(' '), name.size());
    const std::string library = fmt::format("mpi:{}", name.substr(0, end));
    Contestant process{.by = end == name.size() ? "defaults" : std::string(name.substr(end + 1))};
    process.delivers = task.pattern != nullptr;
    if (task.operation == "send") process.repeats = 2.0 * task.turns;
    process.lap = [task, &peer = *peer](const Lap& lap) {
      write_table(task, peer.folder());
      Stamps stamps = peer.lap(command(task, lap), lap.iterations);
      if (lap.fetch)
        fetch(task, peer.folder(), lap.first + static_cast<Iteration>(lap.settling + lap.iterations) - 1);
      return stamps;
    };
    if (question.beside.empty() || question.beside.back().name != library)
      question.beside.push_back({library, 1, {}});
    question.beside.back().variants.push_back(std::move(process));
  }
}

}  // namespace vnode::bench
