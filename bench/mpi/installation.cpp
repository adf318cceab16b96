#include "mpi/installation.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <unistd.h>

namespace vnode::bench {
namespace {

std::optional<std::string> program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders{path ? path : "/usr/bin"};
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = folder + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate)) return candidate;
  }
  return std::nullopt;
}

using Words = std::vector<std::string>;

// The launcher's options of one configuration, and what tells it from the others.
struct Choices {
  std::string name;
  Words words;
};

std::vector<Choices> choices(const std::string& library, bool core_each) {
  if (library == "mpich") return {{"", core_each ? Words{"-bind-to", "core"} : Words{}}};
  if (!core_each)
    return {
        {" yield_when_idle", {"--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"}}};
  const Words bound{"--bind-to", "core", "--mca"};
  const auto with = [&](const char* key, const char* value) {
    Words words = bound;
    words.insert(words.end(), {key, value});
    return words;
  };
  return {{"", {"--bind-to", "core"}},
          {" coll_sm_priority=100", with("coll_sm_priority", "100")},
          {" single_copy=none", with("btl_vader_single_copy_mechanism", "none")},
          {" coll=^tuned", with("coll", "^tuned")}};
}

}  // namespace

const char* const mpi_advice =
    "no MPI is installed: apt-get install openmpi-bin libopenmpi-dev mpich libmpich-dev, or tools/dev setup "
    "peers";

std::vector<MpiLibrary> mpi_libraries() {
  std::vector<MpiLibrary> found;
  for (const std::string name : {"openmpi", "mpich"}) {
    const auto compiler = program("mpicc." + name), launcher = program("mpirun." + name);
    if (compiler && launcher) found.push_back({name, *compiler, *launcher});
  }
  return found;
}

std::vector<MpiConfiguration> mpi_configurations(const MpiLibrary& library, bool core_each) {
  std::vector<MpiConfiguration> all;
  for (const Choices& choice : choices(library.name, core_each)) {
    Words command{library.launcher};
    command.insert(command.end(), choice.words.begin(), choice.words.end());
    if (library.name == "openmpi" && geteuid() == 0) command.emplace_back("--allow-run-as-root");
    all.push_back({library.name + choice.name, std::move(command)});
  }
  return all;
}

}  // namespace vnode::bench
