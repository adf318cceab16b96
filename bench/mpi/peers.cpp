#include "mpi/peers.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include <vnode/error.hpp>

#include "mpi/program.hpp"

namespace vnode::bench {
namespace {

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

MpiPeers::MpiPeers(int nodes, bool core_each) {
  const std::vector<MpiLibrary> libraries = mpi_libraries();
  if (libraries.empty()) throw SystemError{mpi_advice};
  folder_ = temporary_folder();
  for (const MpiLibrary& library : libraries) start(library, nodes, core_each);
  wait_until_ready();
}

// They start beside each other, while the next library's program is compiled.
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
