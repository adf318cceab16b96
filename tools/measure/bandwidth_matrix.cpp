#include "measure/bandwidth_matrix.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/lab/numa_distances.hpp>
#include <vnode/lab/port_banks.hpp>
#include <vnode/placed_buffer.hpp>

#include "machine/bank_text.hpp"
#include "measure/bank_measurement.hpp"

namespace vnode {
namespace {

/// The first PU of each core that the process may use.
std::vector<int> one_of_each_core(const Machine& machine) {
  std::vector<int> pus;
  for (const Core& core : machine.cores) {
    const auto allowed = [&](int pu) { return machine.pus[static_cast<std::size_t>(pu)].allowed; };
    if (const auto pu = std::ranges::find_if(core.pus, allowed); pu != core.pus.end()) pus.push_back(*pu);
  }
  return pus;
}

/// The nearest to a bank first.
std::vector<int> by_distance(const Machine& machine, std::vector<int> pus, int bank) {
  const NumaDistances distances = numa_distances(machine);
  std::ranges::stable_sort(pus, {}, [&](int pu) {
    const auto numa = static_cast<std::size_t>(machine.pus[static_cast<std::size_t>(pu)].numa);
    return distances.values[numa][static_cast<std::size_t>(bank)];
  });
  return pus;
}

/// Memory of a bank, with its pages there, beyond the caches of the PUs.
PlacedBuffer<std::uint64_t> words_on(const Machine& machine, int bank, const std::vector<int>& pus,
                                     std::vector<std::string>& degraded) {
  const StreamedMemory memory = streamed_memory(machine, bank, pus);
  PlacedBuffer<std::uint64_t> words(memory.bytes / sizeof(std::uint64_t),
                                    {.policy = PagePolicy::bind, .banks = {bank}});
  words.pages().touch();
  const auto tell = [&](const std::string& sentence) {
    degraded.push_back(fmt::format("bank {}: {}", bank_text(machine, bank), sentence));
  };
  if (!memory.beyond_caches)
    tell(
        fmt::format("a quarter of it, {} MiB, is less than twice the caches of the cores, and a part of what "
                    "is read comes from these",
                    memory.bytes >> 20));
  for (const std::string& sentence : words.pages().degraded()) tell(sentence);
  const PageAudit pages = words.pages().audit();
  if (pages.on_bank(bank) < pages.touched())
    tell(fmt::format("{} of {} pages lie on other banks", pages.touched() - pages.on_bank(bank),
                     pages.touched()));
  return words;
}

}  // namespace

BandwidthMatrix bandwidth_matrix(const Machine& machine, const std::function<void(double)>& progress) {
  if (!machine.this_system)
    throw UsageError(
        fmt::format("{} is not the machine we run on: its memory cannot be measured", machine.source));
  BandwidthMatrix matrix{.pus = one_of_each_core(machine), .banks = banks_of(machine)};
  const std::size_t cores = matrix.pus.size(), banks = matrix.banks.size();
  matrix.read.assign(cores, std::vector<double>(banks));
  matrix.write = matrix.read;
  double done = 0;
  const auto step = [&] { progress(++done / static_cast<double>(2 * cores * banks)); };
  for (std::size_t bank = 0; bank < banks; ++bank) {
    auto words = words_on(machine, matrix.banks[bank], matrix.pus, matrix.degraded);
    matrix.bytes.push_back(words.size() * sizeof(std::uint64_t));
    const auto speed = [&](const std::vector<int>& pus, Streaming how) {
      return streamed(machine, pus, {words.data(), words.size()}, how);
    };
    for (std::size_t core = 0; core < cores; ++core, step()) {
      matrix.read[core][bank] = speed({matrix.pus[core]}, Streaming::read);
      matrix.write[core][bank] = speed({matrix.pus[core]}, Streaming::write);
    }
    BandwidthMatrix::Curve& curve = matrix.curves.emplace_back();
    curve.pus = by_distance(machine, matrix.pus, matrix.banks[bank]);
    for (std::size_t k = 1; k <= cores; ++k, step()) {
      const std::vector<int> readers(curve.pus.begin(), curve.pus.begin() + static_cast<std::ptrdiff_t>(k));
      curve.read.push_back(speed(readers, Streaming::read));
      curve.write.push_back(speed(readers, Streaming::write));
    }
  }
  return matrix;
}

}  // namespace vnode
