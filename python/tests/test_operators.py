"""Operators in Python, called by several nodes at once."""

import gc
import operator
import subprocess
import sys

import numpy as np
import pytest

import vnode

team = pytest.team
whole = vnode.CallOptions(algorithm="all_reduce_doubling")  # which combines all elements at once


@pytest.mark.parametrize("p", [1, 2, 5, 8])
def test_an_own_operator_combines_in_the_order_of_ranks(p):
    """2x2 matrices, which do not commute. An element is one, so that no algorithm cuts it."""
    def multiplied(a, b):
        c = np.empty_like(a)
        c["of"] = a["of"] @ b["of"]
        return c

    product = vnode.Operator(multiplied, name="matrix product")
    matrices = lambda r: np.arange(8.0).reshape(2, 2, 2) + r

    def elements(r):
        x = np.empty(2, [("of", "f8", (2, 2))])
        x["of"] = matrices(r)
        return x

    def body(me):
        x = elements(me.rank)
        me.all_reduce(x, product)
        want = matrices(0)
        for r in range(1, me.size):
            want = want @ matrices(r)
        assert np.allclose(x["of"], want)
        y = elements(me.rank)
        me.nonblocking().scan(y, product).wait()
        want = matrices(0)
        for r in range(1, me.rank + 1):
            want = want @ matrices(r)
        assert np.allclose(y["of"], want)

    team(p).run(body)


def test_large_messages_and_many_calls_do_not_deadlock_with_the_global_lock():
    greater = vnode.Operator(np.maximum, commutative=True, name="greater")

    def body(me):
        x = np.empty(200_000)
        for i in range(5):
            x[:] = me.rank + i
            me.all_reduce(x, greater)
            assert (x == me.size - 1 + i).all()
        small = np.empty(3)
        requests = []
        for i in range(100):
            small[:] = me.rank
            me.all_reduce(small, greater)
            assert (small == me.size - 1).all()
            requests.append(me.nonblocking().all_reduce(np.full(10, me.rank + i), greater))
        for i, request in enumerate(requests):
            assert (request.wait() == me.size - 1 + i).all()
        return me.all_reduce(me.rank, greater)

    assert team(8).run(body) == [7] * 8


def test_pythons_and_numpys_operators_are_the_standard_ones():
    def body(me):
        r = me.rank + 1
        assert me.all_reduce(r, operator.add) == 6 and me.all_reduce(r, np.add) == 6
        assert me.all_reduce(r, operator.mul) == 6 and me.all_reduce(r, np.multiply) == 6
        assert me.all_reduce(r, min) == 1 and me.all_reduce(r, np.maximum) == 3
        assert me.all_reduce(r, operator.xor) == 0 and me.all_reduce(r, np.bitwise_or) == 3
        assert me.all_reduce(r > 2, np.logical_and) is False

    team(3).run(body)


def test_an_exception_in_an_operator_leaves_its_call_and_the_run():
    thrown = ArithmeticError("not today")

    def fails(a, b):
        raise thrown

    three = team(3)
    with pytest.raises(ArithmeticError) as caught:
        three.run(lambda me: me.all_reduce(np.ones(4), vnode.Operator(fails)))
    assert caught.value is thrown
    assert three.run(lambda me: me.all_reduce(1, "sum")) == [3] * 3


@pytest.mark.parametrize("dtype", ["f8", "i8", "c16"])
@pytest.mark.parametrize("wrong, said", [
    (lambda a, b: None, "None"),
    (lambda a, b: max(abs(a).max(), 5), "5"),
    (lambda a, b: a[:1], r"of shape \(1,\)"),
    (lambda a, b: np.ones(7), r"of shape \(7,\)"),
    (lambda a, b: np.stack([a, b]), r"of shape \(2, 4\)"),
])
def test_an_operator_whose_result_is_not_as_long_as_its_arguments_is_refused(wrong, said, dtype):
    two = team(2)
    with pytest.raises(vnode.UsageError, match=rf"as long as its arguments, here of shape \(4,\), not .*{said}"):
        two.run(lambda me: me.all_reduce(np.ones(4, dtype), vnode.Operator(wrong), options=whole))
    assert two.run(lambda me: me.all_reduce(1, "sum")) == [2] * 2


def test_an_operator_may_return_what_is_as_long_in_another_form():
    two, added = team(2), vnode.Operator(lambda a, b: [x + y for x, y in zip(a, b)])
    assert two.run(lambda me: list(me.all_reduce(np.arange(3), added))) == [[0, 2, 4]] * 2
    assert two.run(lambda me: me.all_reduce(1.5, added)) == [3.0] * 2


def test_what_an_operator_keeps_stays_as_it_was_when_the_team_is_gone():
    """Its arguments and their views, in a process of its own, which would end by SIGSEGV."""
    program = """import sys, traceback
import numpy as np, vnode
kept, errors = [], []
def added(a, b):
    kept.append((a, b[::2], a.copy(), b[::2].copy()))
    return a + b
def fails(a, b):
    raise ValueError
for f in added, fails:
    two = vnode.Team(2)
    try:
        two.run(lambda me: me.all_reduce(np.ones(1 << 18), vnode.Operator(f)))
    except ValueError as error:
        errors.append(error)
    two.close()
assert all((now == then).all() for a, b, c, d in kept for now, then in ((a, c), (b, d)))
for frame, _ in traceback.walk_tb(errors[0].__traceback__):  # as a debugger shows it
    [repr(value) for value in frame.f_locals.values() if isinstance(value, (np.ndarray, list))]
print(len(kept) > 0, len(errors))"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert told.stdout == "True 1\n", (told.returncode, told.stderr)


def test_an_operator_is_refused_where_there_is_no_numpy():
    program = """import sys; sys.modules["numpy"] = None
import vnode
try: vnode.Operator(max)
except vnode.UsageError as error: print(error)"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert told.stdout == "an operator in Python is a function of numpy's arrays, and there is no package numpy\n", told.stderr


def test_operators_are_named_and_end():
    from vnode import _operators

    before = len(_operators._combines)

    def body(me):
        for i in range(50):
            me.all_reduce(np.ones(2, "f4" if i % 2 else "i8"), vnode.Operator(np.minimum, name=f"n{i}"))
        with pytest.raises(vnode.Mismatch):
            me.all_reduce(np.ones(2), vnode.Operator(np.minimum, name=f"of {me.rank}"))
            me.barrier()

    with pytest.raises(vnode.Mismatch):
        team(2, checked=True).run(body)
    gc.collect()
    assert len(_operators._combines) == before
    with pytest.raises(vnode.UsageError, match="an operator is a function of two arrays"):
        vnode.Operator(3)


@pytest.mark.parametrize("count", [1, 20000])
def test_an_operator_that_calls_its_own_node_is_refused_there(count):
    nodes = {}

    def call_own_node(a, b):
        refused = 0
        for me in nodes.values():
            try:
                me.barrier()
            except vnode.UsageError as error:
                refused += "is used within a call of its own" in str(error)
        assert refused == 1
        return a + b

    calls = vnode.Operator(call_own_node, name="calls")

    def body(me):
        nodes[me.rank] = me
        me.barrier()
        x = np.ones(count)
        me.all_reduce(x, calls)
        assert (x == 2).all()

    team(2).run(body)
    with pytest.raises(vnode.UsageError, match="is used within a call of its own"):
        team(2).run(lambda me: me.all_reduce(np.ones(count), vnode.Operator(lambda a, b: me.barrier(), name="waits")))
