#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <vnode/cluster.hpp>
#include <vnode/error.hpp>

#include "channel/wire.hpp"
#include "mpi/mpi.hpp"
#include "mpi/mpi_wire.hpp"

namespace vnode {
namespace {

/// Is the transport over MPI. All processes of the communicator make it together, and end it.
class MpiTransport final : public Transport {
 public:
  MpiTransport(MPI_Comm processes, int nodes_here);
  /// Receives what other processes have sent by tell() and has not been polled yet: MPI could give it to a
  /// later communicator that has the same number. While an exception unwinds it only tells the others how
  /// much this process has sent, and does not wait: there may be no exception in the others.
  ~MpiTransport() override;

  int processes() const override { return static_cast<int>(machines_.size()); }
  int process() const override { return process_; }
  int nodes(int process) const override;
  int machine(int process) const override { return machines_[static_cast<std::size_t>(process)]; }
  std::string machine_name(int process) const override { return names_[static_cast<std::size_t>(process)]; }
  Wire& wire(int node) override { return *wires_[static_cast<std::size_t>(node)]; }
  Wire& process_wire() override { return *process_wire_; }
  std::vector<std::vector<std::byte>> exchange(std::span<const std::byte> own,
                                               const std::function<void()>& look) override;
  std::string report() const override;

  int first_here() const { return nodes_.first[static_cast<std::size_t>(process_)]; }
  int machines() const;

 private:
  void find_nodes(int nodes_here);
  void find_machines();
  void tell_and_take_in(bool passing);
  void wait(MPI_Request& request, const char* call, const std::function<void()>& look);
  template <class T>
  std::vector<T> of_all(const T& own) const;

  int level_;
  const int exceptions_ = std::uncaught_exceptions();  // that were passing when it was made
  Turns turns_;
  Communicator control_;
  int process_ = 0;
  NodeTable nodes_;
  std::vector<int> machines_;  // by process
  std::vector<std::string> names_;
  std::vector<NodeCommunicators> communicators_;  // by number of a node in its process
  std::vector<std::unique_ptr<MpiWire>> wires_;  // of this process's nodes; they end before the communicators
  NodeTable process_table_;                      // each a node of its own
  std::vector<NodeCommunicators> process_communicators_;
  std::unique_ptr<MpiWire> process_wire_;
};

int level_of_threads() {
  int initialized = 0, finalized = 0, level = MPI_THREAD_SINGLE;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized == 0 || finalized != 0)
    throw UsageError(
        fmt::format("a cluster needs MPI, which {}: make it between MPI_Init_thread and MPI_Finalize",
                    finalized != 0 ? "is finalized" : "is not initialized"));
  MPI_Query_thread(&level);
  return level;
}

template <class T>
MPI_Datatype bytes_of() {
  static_assert(std::is_trivially_copyable_v<T>);
  return MPI_BYTE;
}

const char* name_of(int level) {
  switch (level) {
    case MPI_THREAD_MULTIPLE:
      return "MPI_THREAD_MULTIPLE";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    default:
      return "MPI_THREAD_SINGLE";
  }
}

MpiTransport::MpiTransport(MPI_Comm processes, int nodes_here)
    : level_(level_of_threads()), turns_(level_ == MPI_THREAD_SERIALIZED), control_(processes) {
  check_launcher();
  check_mpi(MPI_Comm_rank(control_, &process_), "MPI_Comm_rank");
  find_nodes(nodes_here);
  find_machines();
  void* value = nullptr;
  int known = 0;
  check_mpi(MPI_Comm_get_attr(control_, MPI_TAG_UB, &value, &known), "MPI_Comm_get_attr");
  const int most_tag = known != 0 ? *static_cast<int*>(value) : 32767;
  const bool yields = mpi_yields();
  // One thread makes them one after the other: MPI refuses several at a time.
  int most = 0;
  for (int process = 0; process < this->processes(); ++process) most = std::max(most, nodes(process));
  communicators_.reserve(static_cast<std::size_t>(most));
  for (int node = 0; node < most; ++node) communicators_.emplace_back(control_);
  for (int node = 0; node < nodes_here; ++node)
    wires_.push_back(
        std::make_unique<MpiWire>(nodes_, communicators_, process_, node, most_tag, yields, turns_));
  for (int process = 0; process < this->processes(); ++process) process_table_.processes.push_back(process);
  process_table_.first = process_table_.processes;
  process_table_.first.push_back(this->processes());
  process_communicators_.emplace_back(control_);
  process_wire_ = std::make_unique<MpiWire>(process_table_, process_communicators_, process_, 0, most_tag,
                                            yields, turns_);
}

MpiTransport::~MpiTransport() {
  int over = 0;
  MPI_Finalized(&over);
  if (over != 0) return;
  try {
    tell_and_take_in(std::uncaught_exceptions() > exceptions_);
  } catch (const std::exception&) {
    // Only this process is affected.
  }
}

void MpiTransport::tell_and_take_in(bool passing) {
  std::vector<MpiWire*> wires{process_wire_.get()};
  for (const auto& wire : wires_) wires.push_back(wire.get());
  const auto sum = [&](auto count, int process) {
    std::uint64_t all = 0;
    for (const MpiWire* wire : wires) all += (wire->*count)(process);
    return all;
  };
  constexpr int tag = 0;  // of these messages alone: all else on this communicator is collective
  const std::size_t count = machines_.size();
  // MPI keeps this memory, unless all its requests end here.
  auto* const told = new std::uint64_t[2 * count]();
  std::uint64_t* const received = told + count;
  std::vector<MPI_Request> requests;
  const auto begin = [&](auto call, std::uint64_t* place, int process, const char* name) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(call(place, 1, MPI_UINT64_T, process, tag, control_, &request), name);
    requests.push_back(request);
  };
  for (int process = 0; process < processes(); ++process) {
    if (process == process_) continue;
    const auto at = static_cast<std::size_t>(process);
    told[at] = sum(&MpiWire::told, process);
    begin(MPI_Isend, told + at, process, "MPI_Isend");
    begin(MPI_Irecv, received + at, process, "MPI_Irecv");
  }
  if (passing) {
    // What others send is received nevertheless: a communicator to come may have the number of this one.
    for (MPI_Request& request : requests) MPI_Request_free(&request);
    return;
  }
  check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  const std::vector<std::uint64_t> to_hear(received, received + count);
  delete[] told;
  struct Nothing final : Wire::Events {
    void arrived(Rank, std::span<const std::byte>) override {}
    void ended(void*, bool) override {}
  } nothing;
  for (int process = 0; process < processes(); ++process)
    while (sum(&MpiWire::heard, process) < to_hear[static_cast<std::size_t>(process)]) {
      for (MpiWire* wire : wires) wire->poll(nothing);
      std::this_thread::yield();
    }
}

template <class T>
std::vector<T> MpiTransport::of_all(const T& own) const {
  int processes = 0;
  check_mpi(MPI_Comm_size(control_, &processes), "MPI_Comm_size");
  std::vector<T> all(static_cast<std::size_t>(processes));
  check_mpi(MPI_Allgather(&own, sizeof own, bytes_of<T>(), all.data(), sizeof own, bytes_of<T>(), control_),
            "MPI_Allgather");
  return all;
}

void MpiTransport::find_nodes(int nodes_here) {
  struct Brought {
    int nodes, level;
  };
  nodes_.first.push_back(0);
  int process = 0;
  for (const auto& [nodes, level] : of_all(Brought{nodes_here, level_})) {
    if (nodes < 1)
      throw UsageError(
          fmt::format("process {} of a cluster wants {} nodes: each process has 1 or more", process, nodes));
    if (nodes > 1 && level < MPI_THREAD_SERIALIZED)
      throw UsageError(fmt::format(
          "process {} of a cluster wants {} nodes, but MPI grants it {} only: ask MPI_Init_thread for "
          "MPI_THREAD_MULTIPLE, or take 1 node",
          process, nodes, name_of(level)));
    nodes_.processes.insert(nodes_.processes.end(), static_cast<std::size_t>(nodes), process++);
    nodes_.first.push_back(nodes_.first.back() + nodes);
  }
}

/// Processes that share memory are on one machine.
void MpiTransport::find_machines() {
  MPI_Comm shared = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(control_, MPI_COMM_TYPE_SHARED, process_, MPI_INFO_NULL, &shared),
            "MPI_Comm_split_type");
  int first = process_;
  check_mpi(MPI_Bcast(&first, 1, MPI_INT, 0, shared), "MPI_Bcast");
  check_mpi(MPI_Comm_free(&shared), "MPI_Comm_free");
  struct Host {
    int first;
    std::array<char, MPI_MAX_PROCESSOR_NAME> name;
  } own{first, {}};
  int length = 0;
  check_mpi(MPI_Get_processor_name(own.name.data(), &length), "MPI_Get_processor_name");
  std::vector<int> firsts;
  for (const Host& host : of_all(own)) {
    const auto known = std::ranges::find(firsts, host.first);
    machines_.push_back(static_cast<int>(known - firsts.begin()));
    if (known == firsts.end()) firsts.push_back(host.first);
    names_.emplace_back(host.name.data());
  }
}

int MpiTransport::nodes(int process) const {
  const auto at = static_cast<std::size_t>(process);
  return nodes_.first[at + 1] - nodes_.first[at];
}

int MpiTransport::machines() const { return *std::ranges::max_element(machines_) + 1; }

void MpiTransport::wait(MPI_Request& request, const char* call, const std::function<void()>& look) {
  for (;;) {
    int there = 0;
    {
      const auto turn = turns_.take();
      check_mpi(MPI_Test(&request, &there, MPI_STATUS_IGNORE), call);
    }
    if (there != 0) return;
    look();
    std::this_thread::yield();
  }
}

std::vector<std::vector<std::byte>> MpiTransport::exchange(std::span<const std::byte> own,
                                                           const std::function<void()>& look) {
  std::vector<int> sizes(machines_.size()), begins(machines_.size());
  const int size = static_cast<int>(own.size());
  MPI_Request request = MPI_REQUEST_NULL;
  {
    const auto turn = turns_.take();
    check_mpi(MPI_Iallgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, control_, &request),
              "MPI_Iallgather");
  }
  wait(request, "MPI_Iallgather", look);
  std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
  std::vector<std::byte> all(static_cast<std::size_t>(begins.back() + sizes.back()));
  {
    const auto turn = turns_.take();
    check_mpi(MPI_Iallgatherv(own.data(), size, MPI_BYTE, all.data(), sizes.data(), begins.data(), MPI_BYTE,
                              control_, &request),
              "MPI_Iallgatherv");
  }
  wait(request, "MPI_Iallgatherv", look);
  std::vector<std::vector<std::byte>> list;
  for (std::size_t process = 0; process < sizes.size(); ++process)
    list.emplace_back(all.begin() + begins[process], all.begin() + begins[process] + sizes[process]);
  return list;
}

std::string MpiTransport::report() const {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(version, &length);
  std::string_view first(version, static_cast<std::size_t>(length));
  first = first.substr(0, first.find_first_of("\n,"));
  std::string text = fmt::format("MPI: {}, {}", first, name_of(level_));
  if (level_ == MPI_THREAD_SERIALIZED)
    text += ": nodes take turns in it; MPI_THREAD_MULTIPLE would let them in at a time";
  if (level_ < MPI_THREAD_SERIALIZED)
    text += ": a process can have one node; MPI_THREAD_MULTIPLE would let it have more";
  return text;
}

}  // namespace

struct Cluster::Parts {
  Parts(MPI_Comm processes, int nodes_here, const Shape& shape, const TeamOptions& options)
      : transport(processes, nodes_here), team(transport, shape, options) {}
  MpiTransport transport;
  Team team;
};

Cluster::Cluster(MPI_Comm processes, int nodes_here, const Shape& shape, const TeamOptions& options)
    : parts_(std::make_unique<Parts>(processes, nodes_here, shape, options)) {}

Cluster::~Cluster() = default;

int Cluster::nodes_here() const { return parts_->transport.nodes(process()); }
Rank Cluster::first_here() const { return parts_->transport.first_here(); }
int Cluster::processes() const { return parts_->transport.processes(); }
int Cluster::process() const { return parts_->transport.process(); }
int Cluster::machines() const { return parts_->transport.machines(); }
int Cluster::machine() const { return parts_->transport.machine(process()); }

Team& Cluster::team() const { return parts_->team; }

std::string Cluster::report() const { return team().report() + parts_->transport.report() + '\n'; }

}  // namespace vnode
