#include "mpi/peers.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <unistd.h>

#include <vnode/error.hpp>

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

// Holds the launcher's options of one configuration, and what tells it from the others.
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

std::string temporary_folder() {
  std::string name = std::filesystem::temp_directory_path() / "vnode-bench-mpi.XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw SystemError{fmt::format("cannot make a folder {}", name)};
  return name;
}

std::string compiled(const MpiLibrary& library, const std::string& folder) {
  const std::string source = folder + "/peer.c", program = folder + "/peer." + library.name;
  std::ofstream{source} << mpi_program;
  Child compiler{{library.compiler, "-O3", "-std=gnu11", "-o", program, source}, program + ".log"};
  if (!compiler.wait())
    throw SystemError{fmt::format("{} cannot compile vnode-bench's peer program: {}", library.compiler,
                                  compiler.last_words())};
  return program;
}

}  // namespace

const char* const mpi_advice =
    "no MPI is installed: apt-get install openmpi-bin libopenmpi-dev mpich libmpich-dev";

std::vector<MpiLibrary> mpi_libraries() {
  std::vector<MpiLibrary> found;
  for (const std::string_view known : mpi_names) {
    const std::string name{known};
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

MpiPeers::MpiPeers(int nodes, bool core_each, const std::vector<std::string>& asked) {
  std::vector<MpiLibrary> libraries = mpi_libraries();
  if (libraries.empty()) throw SystemError{mpi_advice};
  std::erase_if(libraries, [&](const MpiLibrary& library) {
    return !asked.empty() && std::ranges::count(asked, library.name) == 0;
  });
  if (libraries.empty())
    throw SystemError{fmt::format("{0} is not installed: apt-get install {0}{1} lib{0}-dev", asked.front(),
                                  asked.front() == "openmpi" ? "-bin" : "")};
  folder_ = temporary_folder();
  for (const MpiLibrary& library : libraries) start(library, nodes, core_each);
  wait_until_ready();
}

// The configurations start beside each other, while the next library's program is compiled.
void MpiPeers::start(const MpiLibrary& library, int nodes, bool core_each) try {
  const std::string program = compiled(library, folder_);
  for (const MpiConfiguration& configuration : mpi_configurations(library, core_each))
    peers_.push_back(std::make_unique<MpiPeer>(configuration, nodes, program,
                                               fmt::format("{}/{}", folder_, peers_.size())));
} catch (const SystemError& error) {
  left_out_.push_back(fmt::format("left out: {}", error.what()));
}

void MpiPeers::wait_until_ready() {
  std::erase_if(peers_, [&](const std::unique_ptr<MpiPeer>& peer) {
    try {
      peer->wait_until_ready();
      return false;
    } catch (const SystemError& error) {
      left_out_.push_back(fmt::format("left out: {}", error.what()));
      return true;
    }
  });
}

MpiPeers::~MpiPeers() {
  peers_.clear();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace vnode::bench
