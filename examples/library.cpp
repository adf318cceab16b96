// What docs/library.md shows, as a program that checks its answers.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

namespace {

bool right = true;

void check(bool condition, std::string_view what) {
  if (condition) return;
  right = false;
  std::fprintf(stderr, "library: %.*s is wrong\n", static_cast<int>(what.size()), what.data());
}

// Some work that needs no other node.
void compute() {}

void options() {
  vnode::TeamOptions options;
  options.mapping = "scatter";                    // nodes far from each other
  options.time_limit = std::chrono::seconds{60};  // a hang becomes a report
  options.algorithms = "all_reduce=ring:1M-max";  // the rest is chosen
  vnode::Team team{4, vnode::shapes::mesh{2, 2}, options};

  std::vector<double> partial(4);
  team.run([&](vnode::Node& me) { partial[static_cast<std::size_t>(me.rank())] = me.rank() + 1; });
  const double sum = std::accumulate(partial.begin(), partial.end(), 0.0);

  check(sum == 10, "what nodes leave outside");
}

void operators(vnode::Node& me) {
  std::vector<double> x(1000, me.rank());
  me.all_reduce(x, vnode::maximum{});

  struct Best {
    double cost;
    int rank;
  };
  std::array<Best, 1> best{{{10.0 - me.rank(), me.rank()}}};
  me.all_reduce(best, vnode::commutative{[](Best a, Best b) { return b.cost < a.cost ? b : a; }});

  check(x[0] == me.size() - 1, "a maximum");
  check(best[0].rank == me.size() - 1, "an operator of one's own");
}

void sixteen_bits(vnode::Node& me) {
  std::vector<vnode::bfloat16> gradient(1000, vnode::bfloat16(0.1));
  me.all_reduce(gradient, std::plus<>{});  // summed in float, and rounded once
  const float first = gradient[0];

  check(std::abs(first - 0.1F * static_cast<float>(me.size())) < 0.002F, "a sum of bfloat16");
}

void values(vnode::Node& me) {
  const double mine = me.rank();
  const double norm = std::sqrt(me.all_reduce(mine * mine, std::plus<>{}));
  const long first = me.exclusive_scan(10L, std::plus<>{});  // where this node's ten elements begin
  const std::vector<double> all = me.all_gather(mine);

  check(norm > 0 && first == 10L * me.rank() && all.back() == me.size() - 1, "a value");
}

void varying(vnode::Node& me) {
  const auto p = static_cast<std::size_t>(me.size());
  std::vector<std::size_t> counts(p);  // node r brings r elements
  std::iota(counts.begin(), counts.end(), std::size_t{0});
  const std::vector<int> mine(counts[static_cast<std::size_t>(me.rank())], me.rank());
  std::vector<int> all(p * (p - 1) / 2);
  me.all_gather_v(mine, all, {counts});

  check(all.empty() || all.back() == me.size() - 1, "all_gather_v");
}

void groups(vnode::Node& me) {
  vnode::Group row = me.split(vnode::shapes::along{1});  // of a mesh: nodes that differ in the column only
  vnode::Group half = me.split(me.rank() % 2);           // by color
  vnode::Group near = me.split(vnode::Domain::l3);       // threads that share a cache
  std::vector<int> pivot(10, me.rank());
  row.broadcast(pivot);  // from node 0 of each row

  check(pivot[0] == row.team_rank(0), "a row's broadcast");
  check(half.size() == me.size() / 2 && near.size() >= 1, "a split");
}

void requests(vnode::Node& me) {
  std::vector<double> x(1 << 16, 1.0), y(1 << 16, me.rank()), z(y.size());
  vnode::Request sum = me.nonblocking().all_reduce(x, std::plus<>{});
  vnode::Request shifted = me.nonblocking().circular_shift(y, z, 1);
  compute();
  shifted.wait();
  sum.wait();

  check(x[0] == me.size() && z[0] == (me.rank() + me.size() - 1) % me.size(), "a nonblocking call");
}

void persistent(vnode::Node& me) {
  std::vector<double> edge(100, me.rank()), ghost(100);
  vnode::Persistent halo = me.persistent().circular_shift(edge, ghost, 1);
  for (int step = 0; step < 10; ++step) {
    halo.start();
    compute();  // what needs no ghost points
    halo.wait();
  }

  check(ghost[0] == (me.rank() + me.size() - 1) % me.size(), "a persistent shift");
}

void messages(vnode::Node& me) {
  const vnode::Rank next = (me.rank() + 1) % me.size(), before = (me.rank() + me.size() - 1) % me.size();
  std::vector<int> out(5, me.rank()), in(10);
  const std::size_t received = me.sendrecv(out, next, in, before);

  const int tag = 7;
  vnode::Request coming = me.irecv(in, before, tag);
  me.send(out, next, tag);
  coming.wait();

  check(received == 5 && coming.count() == 5 && in[0] == before, "a message");

  std::map<vnode::Rank, std::vector<int>> results;
  if (me.rank() == 0) {
    vnode::MessageInfo info;
    std::vector<int> result(10);
    for (int i = 1; i < me.size(); ++i) {
      me.recv(result, vnode::any_source, vnode::any_tag, info);
      results[info.source].assign(result.data(), result.data() + info.count<int>());
    }
  } else {
    me.send(out, 0, me.rank());
  }

  bool all_right = me.rank() > 0 || std::ssize(results) == me.size() - 1;
  for (const auto& [source, result] : results) all_right = all_right && result == std::vector<int>(5, source);
  check(all_right, "messages from any source");
}

void choices(vnode::Node& me) {
  std::vector<float> x(1 << 18, 1.0F);
  me.all_reduce(x, std::plus<>{}, {.algorithm = "all_reduce_two_tree", .segments = 16});
  me.all_reduce(x, std::plus<>{}, {.deterministic = true});
  const std::string_view chosen = me.last_algorithm();

  check(x[0] == static_cast<float>(me.size() * me.size()) && !chosen.empty(), "a call with options");
}

void layouts(vnode::Node& me) {
  constexpr std::size_t rows = 6, columns = 8;
  std::vector<double> matrix(rows * columns, me.rank());
  namespace layouts = vnode::layouts;
  const vnode::Layout column = layouts::vector(rows, 1, columns);  // 6 blocks of 1, every 8
  const vnode::Layout tile = layouts::subarray({rows, columns}, {2, 3}, {4, 5});
  me.broadcast(laid(matrix, column.shifted(2)), 1);  // the third column
  me.all_reduce(laid(matrix, tile), std::plus<>{});  // 2 x 3 elements in a corner
  std::vector<double> first_columns(rows * 4);       // packed: one after the other
  me.all_gather(laid(std::as_const(matrix), column), first_columns);

  check(matrix[2] == 1 && matrix[5 * columns + 6] == 6 && first_columns[3 * rows] == 3, "layouts");
}

void neighbours(vnode::Node& me) {
  // A block of a torus of nodes in its frame: rows and columns of the border go out, the frame comes in.
  constexpr std::size_t n = 10, frame = n + 2;
  std::vector<double> block(frame * frame, me.rank());
  const auto strip = [&](std::size_t height, std::size_t width, std::size_t row, std::size_t column) {
    return laid(block, vnode::layouts::subarray({frame, frame}, {height, width}, {row, column}));
  };
  const std::array border{strip(1, n, 1, 1), strip(1, n, n, 1), strip(n, 1, 1, 1), strip(n, 1, 1, n)};
  const std::array halo{strip(1, n, 0, 1), strip(1, n, n + 1, 1), strip(n, 1, 1, 0), strip(n, 1, 1, n + 1)};
  me.exchange(border, halo);

  // In a mesh of 2 x 2 each node has a neighbour in one direction of each dimension.
  const bool upper = me.rank() < 2, left = me.rank() % 2 == 0;
  check(block[upper ? (n + 1) * frame + 1 : 1] == (me.rank() + 2) % 4, "a halo's row");
  check(block[frame + (left ? n + 1 : 0)] == (me.rank() ^ 1), "a halo's column");
}

void listed_neighbours(vnode::Node& me) {
  const vnode::Rank next = (me.rank() + 1) % me.size(), before = (me.rank() + me.size() - 1) % me.size();
  const std::array<int, 1> mine{me.rank()};
  std::array<int, 1> theirs{};
  me.exchange(mine, theirs, vnode::Neighbours({before}, {next}));  // sources, targets

  check(theirs[0] == before, "neighbours in a list");
}

void failures() {
  vnode::Team team{4};
  bool caught = false;
  try {
    team.run([](vnode::Node& me) {
      if (me.rank() == 2) throw std::runtime_error("no input for node 2");
      me.barrier();  // the others leave it by Aborted
    });
  } catch (const std::runtime_error& error) {
    caught = std::string_view(error.what()) == "no input for node 2";  // what node 2 has thrown
  }
  team.run([](vnode::Node& me) { me.barrier(); });  // the team is as good as new

  check(caught, "an exception");
}

void joined() {
  vnode::Team team{3, {.threads = vnode::Threads::callers}};
  std::vector<int> sums(3);
  std::vector<std::jthread> threads;  // or OpenMP's, a pool's, ...
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      vnode::Membership me = team.join(i);  // returns when all three have joined
      sums[static_cast<std::size_t>(i)] = me->all_reduce(i, std::plus<>{});
    });  // leaves
  threads.clear();

  check(sums == std::vector<int>(3, 3), "a team of callers");
}

void counted() {
  vnode::Team team{4, {.statistics = true}};
  team.run([](vnode::Node& me) {
    std::vector<double> x(1000, me.rank());
    for (int i = 0; i < 100; ++i) me.all_reduce(x, std::plus<>{});
  });
  const vnode::Statistics calls = team.statistics();
  const vnode::CallStatistics& sums = calls.rows.front();

  check(sums.operation == "all_reduce" && sums.calls == 100 && sums.bytes == 100 * 8000, "statistics");
}

void placed() {
  std::vector<double> y(1 << 16);
  vnode::Team team{2};
  auto x = team.buffer<double>(0, y.size());  // on the memory that node 0's ports want
  team.run([&](vnode::Node& me) {
    if (me.rank() == 0) std::ranges::fill(x, 1.0);  // the owner touches it first
    me.broadcast(me.rank() == 0 ? std::span<double>(x) : std::span<double>(y));
  });

  check(y[0] == 1, "a placed buffer");
}

}  // namespace

int main() {
  options();
  vnode::Team team{4, vnode::shapes::mesh{2, 2}};
  for (const auto part : {operators, sixteen_bits, values, varying, layouts, groups, requests, persistent,
                          messages, neighbours, listed_neighbours, choices})
    team.run(part);
  failures();
  joined();
  counted();
  placed();
  if (right) std::puts("library: right");
  return right ? 0 : 1;
}
