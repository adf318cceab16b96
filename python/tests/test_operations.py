"""All collectives, in all forms, against numpy."""

import numpy as np
import pytest

import vnode

team = pytest.team
NODES = [1, 2, 3, 4, 7, 8]


def values(rank, count, dtype="f8"):
    return (np.arange(count) * 7 + rank * 3 + 1).astype(dtype)


def in_all_forms(me, call):
    """Makes a call in each form; it makes fresh data and checks the answer."""
    check = call(me)
    check.check(check.result)
    check = call(me.nonblocking())
    check.check(check.result.wait())
    check = call(me.persistent())
    for _ in range(3):
        check.renew()
        check.result.start()
        check.check(check.result.wait())


class Case:
    def __init__(self, start, check, renew):
        self.result, self.check, self.renew = start, check, renew


def run_case(nodes, make):
    """make(rank, p) returns data by name, operation(form, data), and expected(result, data) -> bool."""

    def body(me):
        data, operation, right = make(me.rank, me.size)
        original = {name: x.copy() for name, x in data.items()}

        def call(form):
            renew = lambda: [np.copyto(data[name], original[name]) for name in data]
            renew()

            def check(result):
                assert right(result, data), (me.rank, me.size, result, data)

            return Case(operation(form, data), check, renew)

        in_all_forms(me, call)

    team(nodes).run(body)


@pytest.mark.parametrize("p", NODES)
def test_every_node_gets_what_the_root_broadcasts(p):
    for root in {0, p - 1}:
        run_case(p, lambda r, p: (
            {"x": values(r, 10)},
            lambda form, d: form.broadcast(d["x"], root),
            lambda result, d: result is d["x"] and (d["x"] == values(root, 10)).all()))


@pytest.mark.parametrize("p", NODES)
@pytest.mark.parametrize("place", ["in place", "out"])
def test_reductions_combine_in_the_order_of_ranks(p, place):
    total = sum(values(r, 10) for r in range(p))
    for name, expected in {
        "all_reduce": lambda r: total,
        "scan": lambda r: sum(values(s, 10) for s in range(r + 1)),
        "exclusive_scan": lambda r: sum(values(s, 10) for s in range(r)) if r else None,
    }.items():
        def make(r, p, name=name, expected=expected):
            def operation(form, d):
                return getattr(form, name)(d["x"], "sum", **({"out": d["y"]} if place == "out" else {}))

            def right(result, d):
                into = d["y"] if place == "out" else d["x"]
                untouched = np.zeros(10) if place == "out" else values(r, 10)
                want = expected(r) if expected(r) is not None else untouched
                return result is into and (into == want).all()

            return {"x": values(r, 10), "y": np.zeros(10)}, operation, right

        run_case(p, make)


@pytest.mark.parametrize("p", NODES)
@pytest.mark.parametrize("place", ["in place", "out"])
def test_a_reduction_reaches_the_root_only(p, place):
    root = p // 2

    def make(r, p):
        def right(result, d):
            if r != root:
                return result is None and (d["x"] == values(r, 10)).all() and (d["y"] == 0).all()
            return (result == sum(values(s, 10) for s in range(p))).all()

        out = lambda d: {"out": d["y"]} if place == "out" else {}
        return {"x": values(r, 10), "y": np.zeros(10)}, lambda f, d: f.reduce(d["x"], "sum", root, **out(d)), right

    run_case(p, make)


@pytest.mark.parametrize("p", NODES)
def test_gathers_and_scatters_move_parts_by_rank(p):
    whole = np.concatenate([values(r, 5) for r in range(p)])
    part = lambda r: slice(5 * r, 5 * r + 5)
    root = p - 1

    def own(r):
        """Of p parts, only one's own is right."""
        x = np.zeros(5 * p)
        x[part(r)] = values(r, 5)
        return x

    run_case(p, lambda r, p: ({"x": values(r, 5), "y": np.zeros(5 * p)}, lambda f, d: f.all_gather(d["x"], out=d["y"]),
                              lambda result, d: result is d["y"] and (result == whole).all()))
    run_case(p, lambda r, p: ({"x": values(r, 5)}, lambda f, d: f.all_gather(d["x"]),
                              lambda result, d: result.shape == (p, 5) and (result.ravel() == whole).all()
                              and (d["x"] == values(r, 5)).all()))
    run_case(p, lambda r, p: ({"x": own(r)}, lambda f, d: f.all_gather(d["x"], out=d["x"]),
                              lambda result, d: result is d["x"] and (result == whole).all()))
    run_case(p, lambda r, p: ({"x": values(r, 5), "y": np.zeros(5 * p)},
                              lambda f, d: f.gather(d["x"], root, out=d["y"] if r == root else None),
                              lambda result, d: (result == whole).all() if r == root else result is None))
    run_case(p, lambda r, p: ({"x": values(r, 5)}, lambda f, d: f.gather(d["x"], root),
                              lambda result, d: (result == whole.reshape(p, 5)).all() if r == root else result is None))
    run_case(p, lambda r, p: ({"x": own(r) if r == root else values(r, 5)},
                              lambda f, d: f.gather(d["x"], root, out=d["x"]),
                              lambda result, d: (result == whole).all() if r == root else result is None))
    run_case(p, lambda r, p: ({"x": whole.copy(), "y": np.zeros(5)},
                              lambda f, d: f.scatter(d["x"] if r == root else None, root, out=d["y"]),
                              lambda result, d: (result == values(r, 5)).all()))
    run_case(p, lambda r, p: ({"x": whole.copy() if r == root else np.zeros(5)}, lambda f, d: f.scatter(d["x"], root),
                              lambda result, d: (result[part(r) if r == root else slice(5)] == values(r, 5)).all()))


@pytest.mark.parametrize("p", NODES)
def test_all_to_all_transposes_and_reduce_scatter_sums_parts(p):
    sent = lambda r: np.concatenate([100.0 * r + d + np.zeros(3) for d in range(p)])
    got = lambda r: np.concatenate([100.0 * s + r + np.zeros(3) for s in range(p)])
    summed = lambda r: sum(100.0 * s + r for s in range(p)) + np.zeros(3)
    run_case(p, lambda r, p: ({"x": sent(r), "y": np.zeros(3 * p)}, lambda f, d: f.all_to_all(d["x"], out=d["y"]),
                              lambda result, d: (result == got(r)).all() and (d["x"] == sent(r)).all()))
    run_case(p, lambda r, p: ({"x": sent(r)}, lambda f, d: f.all_to_all(d["x"]), lambda result, d: (result == got(r)).all()))
    run_case(p, lambda r, p: ({"x": sent(r), "y": np.zeros(3)}, lambda f, d: f.reduce_scatter(d["x"], "sum", out=d["y"]),
                              lambda result, d: (result == summed(r)).all()))
    run_case(p, lambda r, p: ({"x": sent(r)}, lambda f, d: f.reduce_scatter(d["x"], "sum"),
                              lambda result, d: (result[:3] == summed(r)).all()))


@pytest.mark.parametrize("p", NODES)
def test_a_circular_shift_is_numpys_roll_of_ranks(p):
    for shift in (1, -1, 3):
        run_case(p, lambda r, p: ({"x": values(r, 4)}, lambda f, d: f.circular_shift(d["x"], shift),
                                  lambda result, d: (result == values((r - shift) % p, 4)).all()))
        run_case(p, lambda r, p: ({"x": values(r, 4), "y": np.zeros(4)},
                                  lambda f, d: f.circular_shift(d["x"], shift, out=d["y"]),
                                  lambda result, d: result is d["y"] and (result == values((r - shift) % p, 4)).all()))


@pytest.mark.parametrize("p", NODES)
def test_parts_may_have_different_lengths(p):
    counts = [(3 * r + 1) % 5 for r in range(p)]
    gaps = list(np.cumsum([0] + [c + 1 for c in counts[:-1]]))
    whole = np.concatenate([values(r, counts[r]) for r in range(p)])
    spread = np.full(sum(counts) + p, -1.0)
    for r in range(p):
        spread[gaps[r]:gaps[r] + counts[r]] = values(r, counts[r])
    root = p - 1
    run_case(p, lambda r, p: ({"x": values(r, counts[r]), "y": np.zeros(sum(counts))},
                              lambda f, d: f.all_gather_v(d["x"], d["y"], counts), lambda result, d: (result == whole).all()))
    run_case(p, lambda r, p: ({"x": values(r, counts[r]), "y": np.full(len(spread), -1.0)},
                              lambda f, d: f.all_gather_v(d["x"], d["y"], counts, gaps),
                              lambda result, d: (result == spread).all()))
    run_case(p, lambda r, p: ({"y": np.where(np.arange(sum(counts)) // 1 >= 0, whole, 0)},
                              lambda f, d: f.all_gather_v(None, d["y"], counts), lambda result, d: (result == whole).all()))
    run_case(p, lambda r, p: ({"x": values(r, counts[r]), "y": np.zeros(sum(counts))},
                              lambda f, d: f.gather_v(d["x"], d["y"], counts, root=root) if r == root
                              else f.gather_v(d["x"], root=root),
                              lambda result, d: (result == whole).all() if r == root else result is None))
    run_case(p, lambda r, p: ({"x": spread.copy(), "y": np.zeros(counts[r])},
                              lambda f, d: f.scatter_v(d["x"], d["y"], counts, gaps, root) if r == root
                              else f.scatter_v(None, d["y"], root=root),
                              lambda result, d: (result == values(r, counts[r])).all()))
    everywhere = np.arange(float(sum(counts)))
    starts = np.cumsum([0] + counts)
    run_case(p, lambda r, p: ({"x": everywhere.copy(), "y": np.zeros(counts[r])},
                              lambda f, d: f.reduce_scatter_v(d["x"], "sum", counts, out=d["y"]),
                              lambda result, d: (result == p * everywhere[starts[r]:starts[r + 1]]).all()))
    pairs = [[(r + 2 * d) % 3 for d in range(p)] for r in range(p)]
    sent = lambda r: np.concatenate([np.full(pairs[r][d], 100.0 * r + d) for d in range(p)])
    got = lambda r: np.concatenate([np.full(pairs[s][r], 100.0 * s + r) for s in range(p)])
    run_case(p, lambda r, p: ({"x": sent(r), "y": np.zeros(len(got(r)))},
                              lambda f, d: f.all_to_all_v(d["x"], pairs[r], out=d["y"],
                                                          out_counts=[pairs[s][r] for s in range(p)]),
                              lambda result, d: (result == got(r)).all()))


def test_numbers_go_in_and_come_out():
    def body(me):
        r, p = me.rank, me.size
        assert me.all_reduce(r + 0.5, "sum") == sum(s + 0.5 for s in range(p))
        assert me.all_reduce(r, max) == p - 1 and type(me.all_reduce(r, max)) is int
        assert me.all_reduce(1j * r, "sum") == 1j * sum(range(p))
        assert me.all_reduce(r == 1, "logical_or") is True
        assert me.reduce(r, "sum", 1) == (sum(range(p)) if r == 1 else None)
        assert me.scan(1, "sum") == r + 1 and me.exclusive_scan(2.0, "sum") == 2.0 * r
        assert me.broadcast(10 * r, 2) == 20
        assert me.all_gather(r * 1.5) == [1.5 * s for s in range(p)]
        assert me.all_gather(r * 1j) == [s * 1j for s in range(p)]
        assert me.gather(-r, 1) == ([-s for s in range(p)] if r == 1 else None)
        assert me.circular_shift(r) == (r - 1) % p
        requests = [me.nonblocking().all_reduce(r, "sum"), me.nonblocking().all_gather(r)]
        assert vnode.wait_all(requests) == [sum(range(p)), list(range(p))]
        with pytest.raises(vnode.UsageError, match="take an array of one element"):
            me.persistent().all_reduce(1.0, "sum")
        with pytest.raises(vnode.UsageError, match="not an integer of 64 bits"):
            me.all_reduce(1 << 63, "sum")
        with pytest.raises(vnode.UsageError, match="the result of a number is returned"):
            me.all_reduce(1.0, "sum", out=np.zeros(1))

    team(4).run(body)


def test_numpys_numbers_are_numbers():
    def body(me):
        total = me.all_reduce(np.full(3, 0.5).sum(), "sum")
        assert total == 4.5 and type(total) is np.float64
        for kind in (np.float32, np.int16, np.uint64, np.complex64, np.float16):
            got = me.all_reduce(kind(me.rank), "sum")
            assert got == 3 and type(got) is kind
        assert me.all_gather(np.int32(me.rank)) == [0, 1, 2] and me.exclusive_scan(np.float32(2), "sum") == 2 * me.rank
        assert me.all_reduce(np.bool_(me.rank == 1), "logical_or")
        assert me.nonblocking().broadcast(np.float64(me.rank), 2).wait() == 2.0

    team(3).run(body)


def test_options_choose_what_runs():
    chain = vnode.Schedule("chain", 3, 1)
    chain.add(0, 0, 1, what=0)
    chain.add(1, 1, 2, what=0)
    assert chain.rounds == [[vnode.Transfer(0, 1, ((0, 1),), ((0, 1),), "replace")],
                            [vnode.Transfer(1, 2, ((0, 1),), ((0, 1),), "replace")]]

    def body(me):
        x = np.full(1000, float(me.rank))
        me.broadcast(x, options=vnode.CallOptions(schedule=chain))
        assert (x == 0).all()
        me.all_reduce(x, "sum", options=vnode.CallOptions(algorithm="all_reduce_ring"))
        assert me.last_algorithm == "all_reduce_ring"
        me.broadcast(x, options=vnode.CallOptions(hierarchy=vnode.Hierarchy("0+1,2", 3), algorithm="broadcast_hierarchical"))
        with pytest.raises(vnode.UsageError, match="no_such"):
            me.barrier(options=vnode.CallOptions(algorithm="no_such"))
        return me.last_algorithm

    assert team(3).run(body) == ["broadcast_hierarchical"] * 3


def test_calls_in_flight_overlap_and_keep_their_data():
    def body(me):
        requests = [me.nonblocking().all_reduce(np.full(10_000, float(i)), "sum") for i in range(10)]
        me.barrier()
        while not requests[3].test():
            pass
        for i, request in enumerate(requests):
            assert (request.wait() == 4.0 * i).all()

    team(4).run(body)
