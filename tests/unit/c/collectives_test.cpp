// Collectives by vnode.h: what they compute, in all forms, out of place and in place.
#include <algorithm>
#include <cstdint>
#include <doctest/doctest.h>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <vnode/vnode.h>

#include "forms.hpp"
#include "teams.hpp"

using namespace vnode_test;

namespace {

using Numbers = std::vector<std::int64_t>;

/// Returns what node `rank` contributes: `count` numbers that are different on every node and at every place.
Numbers numbers_of(std::size_t rank, std::size_t count) {
  Numbers made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<std::int64_t>(rank * 1000 + i);
  return made;
}
/// Their sum over the ranks first .. last - 1.
Numbers sum_of(std::size_t first, std::size_t last, std::size_t count) {
  Numbers sum(count);
  for (std::size_t r = first; r < last; ++r)
    for (std::size_t i = 0; i < count; ++i) sum[i] += numbers_of(r, count)[i];
  return sum;
}
Numbers part(const Numbers& whole, std::size_t first, std::size_t count) {
  const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}
Numbers joined(const std::vector<Numbers>& parts) {
  Numbers all;
  for (const Numbers& one : parts) all.insert(all.end(), one.begin(), one.end());
  return all;
}

/// Describes one call, for each size of a team and each form.
struct At {
  vnode_node* me;
  std::size_t rank, p;
  Form form;
  int root;
  bool is_root() const { return static_cast<std::size_t>(root) == rank; }
};

void everywhere(const std::function<void(const At&)>& body) {
  for (const int nodes : {1, 2, 3, 8}) {
    const CTeam team(nodes);
    for (const Form form : forms)
      CHECK(wrong(team.run([&](vnode_node* me) {
              body({me, static_cast<std::size_t>(vnode_group_rank(me)), static_cast<std::size_t>(nodes), form,
                    nodes - 1});
              return 0;
            })) == "");
  }
}

constexpr std::size_t m = 5;

}  // namespace

TEST_CASE("broadcast copies the root's data to all") {
  everywhere([](const At& at) {
    Numbers x = numbers_of(at.rank, m);
    CHECK(wrong(in_form(at.form, vnode_broadcast, vnode_broadcast_nonblocking, vnode_broadcast_persistent,
                        at.me, x.data(), m, VNODE_I64, at.root)) == "");
    CHECK(x == numbers_of(at.p - 1, m));
  });
}

TEST_CASE("reduce combines on the root, and what others give for out is not touched") {
  everywhere([](const At& at) {
    const auto reduce = [&](const void* in, void* out) {
      return in_form(at.form, vnode_reduce, vnode_reduce_nonblocking, vnode_reduce_persistent, at.me, in, out,
                     m, VNODE_I64, VNODE_SUM, at.root);
    };
    const Numbers in = numbers_of(at.rank, m);
    Numbers out(m, -1);
    CHECK(wrong(reduce(in.data(), out.data())) == "");
    CHECK(out == (at.is_root() ? sum_of(0, at.p, m) : Numbers(m, -1)));
    CHECK(wrong(reduce(in.data(), at.is_root() ? out.data() : nullptr)) == "");
    Numbers x = in;
    CHECK(wrong(reduce(x.data(), x.data())) == "");
    CHECK(x == (at.is_root() ? sum_of(0, at.p, m) : in));
  });
}

TEST_CASE("all_reduce and the scans combine") {
  everywhere([](const At& at) {
    const Numbers in = numbers_of(at.rank, m);
    const auto check = [&](auto blocking, auto nonblocking, auto persistent, const Numbers& expected) {
      Numbers out(m, -1), x = in;
      CHECK(wrong(in_form(at.form, blocking, nonblocking, persistent, at.me, in.data(), out.data(), m,
                          VNODE_I64, VNODE_SUM)) == "");
      CHECK(out == expected);
      CHECK(wrong(in_form(at.form, blocking, nonblocking, persistent, at.me, x.data(), x.data(), m, VNODE_I64,
                          VNODE_SUM)) == "");
      if (at.rank > 0) CHECK(x == expected);
    };
    check(vnode_all_reduce, vnode_all_reduce_nonblocking, vnode_all_reduce_persistent, sum_of(0, at.p, m));
    check(vnode_scan, vnode_scan_nonblocking, vnode_scan_persistent, sum_of(0, at.rank + 1, m));
    check(vnode_exclusive_scan, vnode_exclusive_scan_nonblocking, vnode_exclusive_scan_persistent,
          at.rank == 0 ? Numbers(m, -1) : sum_of(0, at.rank, m));
  });
}

TEST_CASE("all_gather and gather lay parts by rank") {
  everywhere([](const At& at) {
    const Numbers in = numbers_of(at.rank, m);
    std::vector<Numbers> parts;
    for (std::size_t r = 0; r < at.p; ++r) parts.push_back(numbers_of(r, m));
    const Numbers expected = joined(parts);
    Numbers out(at.p * m, -1), x(at.p * m, -1);
    std::copy(in.begin(), in.end(), x.begin() + static_cast<std::ptrdiff_t>(at.rank * m));
    const Numbers given = x;
    CHECK(wrong(in_form(at.form, vnode_all_gather, vnode_all_gather_nonblocking, vnode_all_gather_persistent,
                        at.me, in.data(), out.data(), m, VNODE_I64)) == "");
    CHECK(out == expected);
    CHECK(wrong(in_form(at.form, vnode_all_gather, vnode_all_gather_nonblocking, vnode_all_gather_persistent,
                        at.me, x.data(), x.data(), m, VNODE_I64)) == "");
    CHECK(x == expected);

    const auto gather = [&](const void* from, void* to) {
      return in_form(at.form, vnode_gather, vnode_gather_nonblocking, vnode_gather_persistent, at.me, from,
                     to, m, VNODE_I64, at.root);
    };
    out.assign(at.p * m, -1);
    CHECK(wrong(gather(in.data(), at.is_root() ? out.data() : nullptr)) == "");
    CHECK(out == (at.is_root() ? expected : Numbers(at.p * m, -1)));
    x = given;
    CHECK(wrong(at.is_root() ? gather(x.data(), x.data()) : gather(in.data(), nullptr)) == "");
    CHECK(x == (at.is_root() ? expected : given));
  });
}

TEST_CASE("scatter hands out the root's parts, in place too") {
  everywhere([](const At& at) {
    const auto scatter = [&](const void* in, void* out) {
      return in_form(at.form, vnode_scatter, vnode_scatter_nonblocking, vnode_scatter_persistent, at.me, in,
                     out, m, VNODE_I64, at.root);
    };
    Numbers all = numbers_of(7, at.p * m), out(m, -1);
    CHECK(wrong(scatter(at.is_root() ? all.data() : nullptr, out.data())) == "");
    CHECK(out == part(all, at.rank * m, m));
    out.assign(m, -1);
    CHECK(wrong(at.is_root() ? scatter(all.data(), all.data()) : scatter(nullptr, out.data())) == "");
    CHECK(all == numbers_of(7, at.p * m));
    if (!at.is_root()) CHECK(out == part(all, at.rank * m, m));
  });
}

TEST_CASE("reduce_scatter, all_to_all and circular_shift") {
  everywhere([](const At& at) {
    const Numbers in = numbers_of(at.rank, at.p * m);
    const auto reduce_scatter = [&](const void* from, void* to) {
      return in_form(at.form, vnode_reduce_scatter, vnode_reduce_scatter_nonblocking,
                     vnode_reduce_scatter_persistent, at.me, from, to, m, VNODE_I64, VNODE_SUM);
    };
    const Numbers reduced = part(sum_of(0, at.p, at.p * m), at.rank * m, m);
    Numbers out(m, -1), x = in;
    CHECK(wrong(reduce_scatter(in.data(), out.data())) == "");
    CHECK(out == reduced);
    CHECK(wrong(reduce_scatter(x.data(), x.data())) == "");
    CHECK(part(x, 0, m) == reduced);

    const auto all_to_all = [&](const void* from, void* to) {
      return in_form(at.form, vnode_all_to_all, vnode_all_to_all_nonblocking, vnode_all_to_all_persistent,
                     at.me, from, to, m, VNODE_I64);
    };
    std::vector<Numbers> parts;
    for (std::size_t r = 0; r < at.p; ++r) parts.push_back(part(numbers_of(r, at.p * m), at.rank * m, m));
    Numbers exchanged(at.p * m, -1);
    CHECK(wrong(all_to_all(in.data(), exchanged.data())) == "");
    CHECK(exchanged == joined(parts));
    x = in;
    CHECK(wrong(all_to_all(x.data(), x.data())) == "");
    CHECK(x == joined(parts));

    const auto shift = [&](const void* from, void* to) {
      return in_form(at.form, vnode_circular_shift, vnode_circular_shift_nonblocking,
                     vnode_circular_shift_persistent, at.me, from, to, m, VNODE_I64, -1);
    };
    const Numbers own = numbers_of(at.rank, m), next = numbers_of((at.rank + 1) % at.p, m);
    CHECK(wrong(shift(own.data(), out.data())) == "");
    CHECK(out == next);
    out = own;
    CHECK(wrong(shift(out.data(), out.data())) == "");
    CHECK(out == next);
    CHECK(wrong(in_form(at.form, vnode_barrier, vnode_barrier_nonblocking, vnode_barrier_persistent,
                        at.me)) == "");
  });
}

TEST_CASE("parts of different lengths are gathered, scattered and exchanged, in place too") {
  everywhere([](const At& at) {
    // Rank r has r + 1 elements; with displacements there is a gap before each part.
    std::vector<std::size_t> counts(at.p), gaps(at.p);
    std::iota(counts.begin(), counts.end(), std::size_t{1});
    std::size_t end = 0;
    for (std::size_t r = 0; r < at.p; ++r) {
      gaps[r] = end + 1;
      end = gaps[r] + counts[r];
    }
    const Numbers in = numbers_of(at.rank, counts[at.rank]);
    Numbers spread(end, -1), dense;
    for (std::size_t r = 0; r < at.p; ++r) {
      const Numbers one = numbers_of(r, counts[r]);
      std::copy(one.begin(), one.end(), spread.begin() + static_cast<std::ptrdiff_t>(gaps[r]));
      dense.insert(dense.end(), one.begin(), one.end());
    }
    Numbers only_own(end, -1);
    std::copy(in.begin(), in.end(), only_own.begin() + static_cast<std::ptrdiff_t>(gaps[at.rank]));

    const auto all_gather = [&](const void* from, void* to, const std::size_t* displacements) {
      return in_form(at.form, vnode_all_gather_v, vnode_all_gather_v_nonblocking,
                     vnode_all_gather_v_persistent, at.me, from, in.size(), to, counts.data(), displacements,
                     VNODE_I64);
    };
    Numbers out(dense.size(), -1);
    CHECK(wrong(all_gather(in.data(), out.data(), nullptr)) == "");
    CHECK(out == dense);
    Numbers x = only_own;
    CHECK(wrong(all_gather(x.data(), x.data(), gaps.data())) == "");
    CHECK(x == spread);

    const auto gather = [&](const void* from, void* to) {
      return in_form(at.form, vnode_gather_v, vnode_gather_v_nonblocking, vnode_gather_v_persistent, at.me,
                     from, in.size(), to, at.is_root() ? counts.data() : nullptr,
                     at.is_root() ? gaps.data() : nullptr, VNODE_I64, at.root);
    };
    x.assign(end, -1);
    CHECK(wrong(gather(in.data(), at.is_root() ? x.data() : nullptr)) == "");
    if (at.is_root()) CHECK(x == spread);
    x = only_own;
    CHECK(wrong(at.is_root() ? gather(x.data(), x.data()) : gather(in.data(), nullptr)) == "");
    if (at.is_root()) CHECK(x == spread);

    const auto scatter = [&](const void* from, void* to) {
      return in_form(at.form, vnode_scatter_v, vnode_scatter_v_nonblocking, vnode_scatter_v_persistent, at.me,
                     from, at.is_root() ? counts.data() : nullptr, at.is_root() ? gaps.data() : nullptr, to,
                     in.size(), VNODE_I64, at.root);
    };
    Numbers own(in.size(), -1);
    CHECK(wrong(scatter(at.is_root() ? spread.data() : nullptr, own.data())) == "");
    CHECK(own == in);
    own.assign(in.size(), -1);
    x = spread;
    CHECK(wrong(at.is_root() ? scatter(x.data(), x.data()) : scatter(nullptr, own.data())) == "");
    CHECK((at.is_root() ? x : own) == (at.is_root() ? spread : in));

    const auto reduce_scatter = [&](const void* from, void* to) {
      return in_form(at.form, vnode_reduce_scatter_v, vnode_reduce_scatter_v_nonblocking,
                     vnode_reduce_scatter_v_persistent, at.me, from, to, counts.data(), VNODE_I64, VNODE_SUM);
    };
    const std::size_t first = at.rank * (at.rank + 1) / 2;
    const Numbers reduced = part(sum_of(0, at.p, dense.size()), first, counts[at.rank]);
    x = numbers_of(at.rank, dense.size());
    CHECK(wrong(reduce_scatter(x.data(), own.data())) == "");
    CHECK(own == reduced);
    CHECK(wrong(reduce_scatter(x.data(), x.data())) == "");
    CHECK(part(x, 0, reduced.size()) == reduced);

    // Every node sends rank r as many elements as r sends it: r + own + 1.
    std::vector<std::size_t> each(at.p), from_gap(at.p);
    std::size_t next = 1;
    for (std::size_t r = 0; r < at.p; ++r) {
      each[r] = r + at.rank + 1;
      from_gap[r] = next;
      next += each[r] + 1;
    }
    Numbers sent(next, -1), expected(next, -1);
    for (std::size_t r = 0; r < at.p; ++r)
      for (std::size_t i = 0; i < each[r]; ++i) {
        sent[from_gap[r] + i] = static_cast<std::int64_t>(at.rank * 100 + r * 10 + i);
        expected[from_gap[r] + i] = static_cast<std::int64_t>(r * 100 + at.rank * 10 + i);
      }
    const auto exchange = [&](const void* from, void* to) {
      return in_form(at.form, vnode_all_to_all_v, vnode_all_to_all_v_nonblocking,
                     vnode_all_to_all_v_persistent, at.me, from, each.data(), from_gap.data(), to,
                     each.data(), from_gap.data(), VNODE_I64);
    };
    x.assign(next, -1);
    CHECK(wrong(exchange(sent.data(), x.data())) == "");
    CHECK(x == expected);
    CHECK(wrong(exchange(sent.data(), sent.data())) == "");
    CHECK(sent == expected);
  });
}

TEST_CASE("a planned call is started many times, and several requests are waited for at once") {
  const CTeam team(4);
  CHECK(wrong(team.run([](vnode_node* me) {
          std::int64_t x = 1;
          vnode_persistent* planned = nullptr;
          CHECK(vnode_all_reduce_persistent(me, &x, &x, 1, VNODE_I64, VNODE_SUM, nullptr, &planned) ==
                VNODE_OK);
          for (int step = 0; step < 3; ++step) {
            CHECK(vnode_persistent_start(planned) == VNODE_OK);
            int complete = 0;
            while (complete == 0) CHECK(vnode_persistent_test(planned, &complete) == VNODE_OK);
          }
          CHECK(x == 64);
          CHECK(vnode_persistent_free(&planned) == VNODE_OK);
          CHECK(planned == nullptr);

          std::vector<Numbers> data(3, Numbers(m, 1));
          std::vector<vnode_request*> requests(4, nullptr);  // the last stands for a call that is complete
          for (std::size_t i = 0; i < data.size(); ++i)
            CHECK(vnode_all_reduce_nonblocking(me, data[i].data(), data[i].data(), m, VNODE_I64, VNODE_SUM,
                                               nullptr, &requests[i]) == VNODE_OK);
          CHECK(wrong(vnode_request_wait_all(requests.data(), requests.size())) == "");
          for (std::size_t i = 0; i < data.size(); ++i) {
            CHECK(data[i] == Numbers(m, 4));
            CHECK(requests[i] == nullptr);
          }
          return 0;
        })) == "");
}

TEST_CASE("more elements than memory holds are refused before a node's own part is looked for") {
  const CTeam team(1);
  CHECK(wrong(team.run([](vnode_node* me) {
          double x = 5;
          const std::size_t many = std::size_t{1} << 61, none = 0;
          CHECK(vnode_all_gather(me, &x, &x, many, VNODE_F64, nullptr) == VNODE_ERROR_USAGE);
          CHECK(std::string(vnode_message()) ==
                "vnode_all_gather: 2305843009213693952 elements of 1 nodes are more than memory holds");
          // Where a part without elements begins means nothing.
          CHECK(wrong(vnode_all_gather_v(me, &x, 0, &x, &none, &many, VNODE_F64, nullptr)) == "");
          CHECK(x == 5);
          return 0;
        })) == "");
}
