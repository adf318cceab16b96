"""Operators in Python, called by several nodes at once."""

import gc
import operator

import numpy as np
import pytest

import vnode

team = pytest.team


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
    with pytest.raises(ValueError, match="broadcast"):
        three.run(lambda me: me.all_reduce(np.ones(4), vnode.Operator(lambda a, b: np.ones(7), name="wrong")))
    assert three.run(lambda me: me.all_reduce(1, "sum")) == [3] * 3


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
