#include "measure/bandwidth.hpp"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <thread>

#include <vnode/error.hpp>
#include <vnode/model/numa_distances.hpp>
#include <vnode/model/port_banks.hpp>
#include <vnode/placed_buffer.hpp>

#include "machine/bank_text.hpp"
#include "statistics/statistics.hpp"
#include "timing/affinity.hpp"

namespace vnode {
namespace {

using Word = std::uint64_t;

constexpr std::size_t least_words = 1 << 16;

/// Returns the PUs of the cores near a NUMA node that the process may use, the first of each core.
std::vector<int> cores_near(const Machine& machine, int numa) {
  std::vector<int> pus;
  for (const Core& core : machine.cores)
    for (const int pu : core.pus)
      if (const Pu& one = machine.pus[static_cast<std::size_t>(pu)]; one.allowed && one.numa == numa) {
        pus.push_back(pu);
        break;
      }
  return pus;
}

/// Calls body(i) on a thread of its own on each PU pus[i], and ends when all have ended. If a thread cannot
/// be started or pinned, that is what is thrown, and `body` is called nowhere.
void on_pus(const Machine& machine, const std::vector<int>& pus,
            const std::function<void(std::size_t)>& body) {
  std::vector<std::exception_ptr> failures(pus.size());
  std::barrier ready(static_cast<std::ptrdiff_t>(pus.size()));
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < pus.size(); ++i) try {
      threads.emplace_back([&, i] {
        try {
          pin_to(machine, pus[i]);
        } catch (...) {
          failures[i] = std::current_exception();
        }
        ready.arrive_and_wait();
        if (std::ranges::all_of(failures, [](const auto& failure) { return failure == nullptr; })) body(i);
      });
    } catch (...) {
      failures[i] = std::current_exception();
      ready.arrive_and_drop();
    }
  threads.clear();
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

std::span<Word> part(std::span<Word> all, std::size_t i, std::size_t parts) {
  const std::size_t each = all.size() / parts;
  return all.subspan(i * each, each);
}

/// Returns the first PU of each core that the process may use.
std::vector<int> one_of_each_core(const Machine& machine) {
  std::vector<int> pus;
  for (const Core& core : machine.cores) {
    const auto allowed = [&](int pu) { return machine.pus[static_cast<std::size_t>(pu)].allowed; };
    if (const auto pu = std::ranges::find_if(core.pus, allowed); pu != core.pus.end()) pus.push_back(*pu);
  }
  return pus;
}

/// Sorts PUs, the nearest to a bank first.
std::vector<int> by_distance(const Machine& machine, std::vector<int> pus, int bank) {
  const NumaDistances distances = numa_distances(machine);
  std::ranges::stable_sort(pus, {}, [&](int pu) {
    const auto numa = static_cast<std::size_t>(machine.pus[static_cast<std::size_t>(pu)].numa);
    return distances.values[numa][static_cast<std::size_t>(bank)];
  });
  return pus;
}

/// Returns memory of a bank, with its pages there, beyond the caches of the PUs.
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

std::uint64_t caches_of(const Machine& machine, const std::vector<int>& pus) {
  std::vector<bool> streams(machine.pus.size());
  for (const int pu : pus) streams[static_cast<std::size_t>(pu)] = true;
  std::uint64_t bytes = 0;
  for (const Cache& cache : machine.caches)
    if (std::ranges::any_of(cache.pus, [&](int pu) { return streams[static_cast<std::size_t>(pu)]; }))
      bytes += cache.bytes;
  return bytes;
}

double streamed(const Machine& machine, const std::vector<int>& pus, std::span<Word> words, Streaming how) {
  constexpr int passes = 3;
  std::vector<std::chrono::steady_clock::time_point> met(passes + 1);
  std::vector<Word> sums(pus.size());
  std::size_t meetings = 0;
  const auto read_clock = [&]() noexcept { met[meetings++] = std::chrono::steady_clock::now(); };
  std::barrier meet(static_cast<std::ptrdiff_t>(pus.size()), read_clock);
  on_pus(machine, pus, [&](std::size_t i) {
    const std::span<Word> own = part(words, i, pus.size());
    meet.arrive_and_wait();
    for (int pass = 0; pass < passes; ++pass) {
      if (how == Streaming::write)
        std::ranges::fill(own, static_cast<Word>(pass));
      else
        sums[i] += std::reduce(own.begin(), own.end(), Word{0});
      meet.arrive_and_wait();
    }
  });
  // Nothing else needs the sums: this use keeps the compiler from leaving them out.
  [[maybe_unused]] volatile Word needed = std::reduce(sums.begin(), sums.end(), words.front());
  std::vector<double> seconds;
  for (std::size_t pass = 0; pass < passes; ++pass)
    seconds.push_back(std::max(std::chrono::duration<double>(met[pass + 1] - met[pass]).count(), 1e-9));
  return static_cast<double>(words.size_bytes()) / median(seconds);
}

StreamedMemory streamed_memory(const Machine& machine, int numa, const std::vector<int>& pus) {
  constexpr std::uint64_t least = 64 << 20;
  const NumaNode& node = machine.numas[static_cast<std::size_t>(numa)];
  const std::uint64_t twice = 2 * (caches_of(machine, pus) + node.cache_bytes);
  const std::uint64_t wanted = std::max(twice, least);
  const std::uint64_t bytes = node.bytes > 0 ? std::min(wanted, node.bytes / 4) : wanted;
  return {std::max<std::size_t>(bytes, least_words * sizeof(Word)), bytes >= twice};
}

StreamedMemory measured_memory(const Machine& machine, int numa) {
  StreamedMemory most;
  for (std::size_t from = 0; from < machine.numas.size(); ++from) {
    const auto one = streamed_memory(machine, numa, cores_near(machine, static_cast<int>(from)));
    most = {std::max(most.bytes, one.bytes), most.beyond_caches && one.beyond_caches};
  }
  return most;
}

std::vector<std::optional<double>> measured_bank(const Machine& machine, int numa) {
  std::vector<std::optional<double>> speeds(machine.numas.size());
  const std::vector<int> owners = cores_near(machine, numa);
  if (owners.empty()) return speeds;
  const std::size_t count = measured_memory(machine, numa).bytes / sizeof(Word);
  const auto memory = std::make_unique_for_overwrite<Word[]>(count);
  const std::span<Word> words(memory.get(), count);
  on_pus(machine, owners, [&](std::size_t i) { std::ranges::fill(part(words, i, owners.size()), Word{1}); });
  for (std::size_t from = 0; from < speeds.size(); ++from)
    if (const std::vector<int> readers = cores_near(machine, static_cast<int>(from)); !readers.empty())
      speeds[from] = streamed(machine, readers, words, Streaming::read);
  return speeds;
}

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
