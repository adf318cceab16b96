// Tests what crosses the links between machines, which tools/machines counts.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

#include <vnode/cluster.hpp>

#include "own_cluster.hpp"

using namespace vnode_test;

namespace {

constexpr std::uint64_t headers = 66;  // of a packet: Ethernet, IP, TCP

/// Bytes of payload that a machine has sent and received, and the most that TCP may have sent again.
struct Crossed {
  std::uint64_t sent = 0, received = 0, resent = 0;
};

/// By machine, since the beginning.
std::vector<Crossed> crossed() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const char* const path = std::getenv("MACHINES_LINKS");
  if (path == nullptr) return {};
  std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  const int links = socket(AF_UNIX, SOCK_STREAM, 0);
  if (links < 0 || connect(links, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("the links of tools/machines cannot be asked");
  const std::string_view question = "mark links\n";
  if (write(links, question.data(), question.size()) < 0) throw std::runtime_error("nor written to");
  std::string text;
  char piece[4096];
  while (!text.ends_with("\n\n")) {
    const ssize_t got = read(links, piece, sizeof piece);
    if (got <= 0) throw std::runtime_error("the links of tools/machines do not answer");
    text.append(piece, static_cast<std::size_t>(got));
  }
  close(links);
  std::vector<Crossed> all;
  std::istringstream lines(text);
  std::string machine;
  for (std::uint64_t out, out_packets, in, in_packets, resent;
       lines >> machine >> out >> out_packets >> in >> in_packets >> resent;)
    all.push_back({out - headers * out_packets, in - headers * in_packets, resent});
  return all;
}

/// By machine, by one call, in node 0. Some hundreds of bytes of barriers are counted, too.
std::vector<Crossed> crossed_by(vnode::Node& me, const std::function<void()>& call) {
  call();  // makes plans and connections
  std::vector<Crossed> before;
  me.barrier();
  if (me.rank() == 0) before = crossed();
  me.barrier();
  call();
  me.barrier();
  std::vector<Crossed> after;
  if (me.rank() == 0) after = crossed();
  me.barrier();  // what others send next is not counted
  for (std::size_t i = 0; i < after.size(); ++i) {
    after[i].sent -= before[i].sent;
    after[i].received -= before[i].received;
    after[i].resent -= before[i].resent;
  }
  return after;
}

/// Describes what must cross, of m bytes among M machines: a machine that is not the root's receives all of a
/// broadcast and sends all of a reduction once; an all_reduce by slices takes each of them 2 (M - 1) / M of
/// it each way; an all_gather brings each what all others have.
class Least {
 public:
  Least(const std::vector<Crossed>& links, std::uint64_t bytes) : links_(links), bytes_(bytes) {}
  bool broadcast() const {
    return by_all_but_the_root(&Crossed::received) &&
           is_least(total(&Crossed::sent), (machines() - 1) * bytes_);
  }
  bool reduce() const {
    return by_all_but_the_root(&Crossed::sent) &&
           is_least(total(&Crossed::received), (machines() - 1) * bytes_);
  }
  bool all_reduce() const { return each_way(2 * (machines() - 1) * bytes_ / machines()); }
  bool all_gather() const { return each_way((machines() - 1) * bytes_); }

 private:
  /// Whether that is the least that must cross, but for headers of MPI and vnode, barriers, and what TCP sent
  /// again.
  bool is_least(std::uint64_t crossed, std::uint64_t least) const {
    return crossed >= least && crossed <= least + least / 200 + 4096 + total(&Crossed::resent);
  }
  std::uint64_t machines() const { return links_.size(); }
  std::uint64_t total(std::uint64_t Crossed::*way) const {
    std::uint64_t sum = 0;
    for (const Crossed& link : links_) sum += link.*way;
    return sum;
  }
  bool by_all_but_the_root(std::uint64_t Crossed::*way) const {
    bool good = is_least(links_.front().*way, 0);
    for (std::size_t i = 1; i < links_.size(); ++i) good = good && is_least(links_[i].*way, bytes_);
    return good;
  }
  bool each_way(std::uint64_t least) const {
    return std::ranges::all_of(links_, [&](const Crossed& link) {
      return is_least(link.sent, least) && is_least(link.received, least);
    });
  }
  const std::vector<Crossed>& links_;
  std::uint64_t bytes_;
};

/// Domains that are the machines, and the form of what crosses between them; none where each has one node.
vnode::Hierarchy by_machine(const vnode::Cluster& cluster, const vnode::Hierarchy::Ways& ways) {
  if (own_nodes() == 1) return {};
  vnode::Hierarchy::Domains domains(static_cast<std::size_t>(cluster.machines()));
  for (int rank = 0; rank < cluster.size(); ++rank)
    domains[static_cast<std::size_t>(rank / own_nodes())].push_back(rank);
  return vnode::Hierarchy({domains}, ways);
}

}  // namespace

TEST_CASE("no link carries more than it must: broadcast, reduce, all_reduce, all_gather of long messages") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  constexpr std::size_t length = 1 << 18;
  constexpr std::uint64_t bytes = length * sizeof(double);
  const vnode::Hierarchy leaders = by_machine(cluster, {.form = vnode::HierarchyForm::leaders});
  const vnode::Hierarchy slices =
      by_machine(cluster, {.outer = "rabenseifner", .form = vnode::HierarchyForm::slices});
  cluster.run([&](vnode::Node& me) {
    const auto p = static_cast<std::size_t>(me.size());
    std::vector<double> in(length, 1.0), out(length), part(length / p), all(part.size() * p);
    const auto look = [&](const char* what, std::uint64_t of, bool (Least::*least)() const,
                          const std::function<void()>& call) {
      const std::vector<Crossed> links = crossed_by(me, call);
      if (me.rank() != 0) return;
      std::string text = what;
      for (const Crossed& link : links)
        text += ": " + std::to_string(link.sent) + " out, of which up to " + std::to_string(link.resent) +
                " again, " + std::to_string(link.received) + " in";
      INFO(text);
      CHECK((Least(links, of).*least)());
    };
    const auto by = [&](const char* flat, const char* hierarchical, const vnode::Hierarchy& hierarchy) {
      return hierarchy ? vnode::CallOptions{.algorithm = hierarchical, .hierarchy = &hierarchy}
                       : vnode::CallOptions{.algorithm = flat};
    };
    const vnode::CallOptions broadcast = by("broadcast_binomial", "broadcast_hierarchical", leaders),
                             reduce = by("reduce_binomial", "reduce_hierarchical", leaders),
                             all_reduce = by("all_reduce_rabenseifner", "all_reduce_hierarchical", slices),
                             all_gather = by("all_gather_ring", "all_gather_hierarchical", leaders);
    look("broadcast", bytes, &Least::broadcast, [&] { me.broadcast(out, 0, broadcast); });
    look("reduce", bytes, &Least::reduce, [&] { me.reduce(out, std::plus<>{}, 0, reduce); });
    look("all_reduce", bytes, &Least::all_reduce, [&] { me.all_reduce(in, out, std::plus<>{}, all_reduce); });
    look("all_gather", all.size() * sizeof(double) / static_cast<std::uint64_t>(cluster.machines()),
         &Least::all_gather, [&] { me.all_gather(part, all, all_gather); });
  });
}
