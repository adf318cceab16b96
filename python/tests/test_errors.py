"""What is wrong comes out as an exception with libvnode's sentence."""

import gc
import pickle
import threading
import traceback
import weakref

import numpy as np
import pytest

import vnode

team = pytest.team


def test_the_exception_of_a_node_is_the_one_that_leaves_the_run():
    thrown, seen = ValueError("no input for node 2"), []

    def body(me):
        if me.rank == 2:
            raise thrown
        try:
            me.barrier()
        except vnode.Aborted as error:
            seen.append(str(error))
            raise

    four = team(4)
    for _ in range(3):
        with pytest.raises(ValueError) as caught:
            four.run(body)
        assert caught.value is thrown
    assert len(seen) == 9 and "failed" in seen[0]
    assert four.run(lambda me: me.all_reduce(1, "sum")) == [4] * 4


def test_codes_become_classes_that_mirror_them():
    two = team(2, checked=True)

    def mismatch(me):
        me.all_reduce(np.zeros(3 + me.rank), "sum")

    with pytest.raises(vnode.Mismatch, match="all_reduce"):
        two.run(mismatch)
    with pytest.raises(vnode.UsageError, match="root"):
        two.run(lambda me: me.broadcast(1, 7))
    assert issubclass(vnode.UsageError, ValueError) and issubclass(vnode.TimeLimitExceeded, TimeoutError)
    with pytest.raises(vnode.UsageError, match="mesh"):
        vnode.Team(7, "mesh:2x3")
    with pytest.raises(vnode.SystemError, match="of/nobody.json"):
        vnode.Team(2, profile="of/nobody.json")
    with pytest.raises(vnode.UsageError, match="there is no way to wait 'sit': there are automatic, spin, yield, park"):
        vnode.Team(2, wait="sit")
    vnode.Team(1, wait="auto").close()  # as VNODE_WAIT calls it
    with pytest.raises(vnode.Error):
        vnode.Team(0)


class Unspeakable(Exception):
    """An exception whose text cannot be had."""

    def __str__(self):
        raise self

    __repr__ = __str__


class Misspoken(Exception):
    """An exception whose __str__ does not return a text."""

    def __str__(self):
        return 5


class Odd(str):
    def encode(self, *_, **__):
        raise KeyError("encode")


class Oddly(Exception):
    def __str__(self):
        return Odd("oddly said")


@pytest.mark.parametrize("error", [Unspeakable(), Misspoken(), Oddly(), SystemExit(3), GeneratorExit(), KeyError("\ud800")],
                         ids=lambda error: type(error).__name__)
def test_an_exception_that_cannot_be_told_of_leaves_the_run_as_any_other(error):
    said = []

    def body(me):
        if me.rank == 1:
            raise error
        try:
            me.barrier()
        except vnode.Aborted as aborted:
            said.append(str(aborted))
            raise

    def within(left, right):
        raise error

    three = team(3)
    for fails in (body, lambda me: me.all_reduce(np.ones(4), vnode.Operator(within))):
        with pytest.raises(type(error)) as caught:
            three.run(fails)
        assert caught.value is error
    assert len(said) == 2 and "node 1 has failed" in said[0]
    assert three.run(lambda me: me.all_reduce(1, "sum")) == [3] * 3


@pytest.mark.parametrize("kind", [Unspeakable, Misspoken, Oddly])
def test_so_does_one_that_leaves_a_membership(kind):
    two, said = team(2, threads="callers"), []

    def other():
        with pytest.raises(vnode.Aborted) as caught, two.join(1) as me:
            me.barrier()
        said.append(str(caught.value))

    thread = threading.Thread(target=other)
    thread.start()
    with pytest.raises(kind), two.join(0):
        raise kind()
    thread.join()
    assert len(said) == 1 and "node 0 has failed" in said[0]


def test_exceptions_are_called_as_programs_find_them():
    for name in ("Error", "UsageError", "Mismatch", "TimeLimitExceeded", "Deadlock", "Aborted", "SystemError", "NoMemory"):
        error = getattr(vnode, name)("a sentence")
        assert traceback.format_exception_only(type(error), error) == [f"vnode.{name}: a sentence\n"]
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and again.args == error.args


def test_who_waits_in_vain_is_told_for_what():
    def body(me):
        if me.rank == 0:
            me.recv(np.zeros(1), source=1, tag=5)
        else:
            release.wait(60)

    release = threading.Event()

    def late():
        with pytest.raises((vnode.TimeLimitExceeded, vnode.Deadlock), match="node 0"):
            team(2, time_limit=0.05).run(body)

    # The exception of node 0 leaves the run when node 1 has left its body.
    threading.Timer(0.5, release.set).start()
    late()


def test_a_certain_deadlock_is_named_at_once():
    with pytest.raises(vnode.Deadlock, match="node 1"):
        team(2).run(lambda me: me.recv(int, 1 - me.rank))


def test_an_error_that_all_nodes_catch_leaves_the_run_as_it_was():
    def body(me):
        with pytest.raises(vnode.UsageError):
            me.broadcast(np.zeros(3), root=5)
        return me.all_reduce(1, "sum")

    assert team(3).run(body) == [3, 3, 3]


def test_what_is_used_out_of_place_is_refused():
    two, kept = team(2), []
    two.run(kept.append)
    with pytest.raises(vnode.UsageError):
        kept[0].barrier()  # between runs

    def body(me):
        with pytest.raises(vnode.UsageError):
            two.run(lambda other: None)  # within a run
        failures = []

        def other():
            try:
                me.all_reduce(1.0, "sum")
            except vnode.UsageError as error:
                failures.append(str(error))

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert len(failures) == 1
        with pytest.raises(vnode.UsageError):
            two.report()
        return team(2).run(lambda inner: inner.all_reduce(1, "sum"))  # another team

    assert two.run(body) == [[2, 2], [2, 2]]
    two.close()
    for use in (lambda: two.run(body), two.report, two.state, lambda: two.costs, lambda: two.buffer(0, 3)):
        with pytest.raises(vnode.UsageError, match="^the team has been closed$"):
            use()
    assert "closed" in repr(two)


def test_what_is_kept_of_a_team_that_has_ended_says_so():
    kept = []

    def body(me):
        kept.extend([me, me.nonblocking(), me.split(0), me.persistent().barrier()])

    one = team(1)
    one.run(body)
    node, nonblocking, group, planned = kept
    one.close()
    for use in (node.barrier, lambda: node.send(1, 0), lambda: node.split(0), lambda: node.topology, nonblocking.barrier,
                group.barrier, planned.start):  # fmt: skip
        with pytest.raises(vnode.UsageError, match="^the team has ended: its .*cannot be used any more$"):
            use()
    assert node.rank == 0 and node.size == 1 and repr(node) == "<vnode.Node 0 of 1>"


def test_a_team_is_not_closed_within_a_run_and_goes_on():
    three = team(3)

    def body(me):
        if me.rank == 1:
            with pytest.raises(vnode.UsageError, match="while a run of the team is on"):
                three.close()
        return me.all_reduce(1, "sum")

    assert three.run(body) == [3] * 3
    assert three.run(body) == [3] * 3
    three.close()
    three.close()


def test_a_request_that_is_not_waited_for_is_named():
    def body(me):
        me.nonblocking().all_reduce(np.zeros(10 + 0 * me.rank), "sum")
        if me.rank == 1:
            me.barrier()

    with pytest.raises((vnode.UsageError, vnode.Mismatch)):
        team(2).run(body)


def test_exceptions_and_what_they_refer_to_are_not_kept():
    class Big(Exception):
        pass

    references = []

    def body(me):
        error = Big(me.rank)
        references.append(weakref.ref(error))
        raise error

    for _ in range(5):
        with pytest.raises(Big):
            team(3).run(body)
    gc.collect()
    assert len(references) >= 5 and not any(reference() for reference in references)
    from vnode import _errors

    assert not _errors._kept


def test_sentences_name_what_python_names():
    with pytest.raises(vnode.Mismatch) as differ:
        team(2).run(lambda me: me.all_reduce(np.zeros(3), "sum" if me.rank == 0 else "max"))
    assert '"sum"' in str(differ.value) and '"max"' in str(differ.value) and "::" not in str(differ.value)
    with pytest.raises(vnode.UsageError, match=r'^join\(\) of a team that has threads of its own: it can run\(\); a team made with "callers"'):
        team(2).join()
    with pytest.raises(vnode.UsageError, match=r"^send: |^receiver 2 "):
        team(2).run(lambda me: me.send(np.zeros(3), 2))


def test_names_of_mpi4py_are_answered():
    with pytest.raises(AttributeError, match="a vnode.Node has no 'bcast': it is 'broadcast' here"):
        team(2).run(lambda me: me.bcast(1))
    with pytest.raises(AttributeError, match="a vnode.Node has no 'Get_rank': it is 'rank' here"):
        team(1).run(lambda me: me.Get_rank())
    with pytest.raises(AttributeError, match="a vnode.Node has no 'Barrier': it is 'barrier' here"):
        team(1).run(lambda me: me.Barrier())
    with pytest.raises(AttributeError, match="a node's objects have no 'bcast': it is 'broadcast' here"):
        team(1).run(lambda me: me.objects.bcast(1))
    with pytest.raises(AttributeError, match="module 'vnode' has no attribute 'SUM': here it is the operator 'sum'"):
        vnode.SUM
    with pytest.raises(AttributeError, match="a vnode.Node has no 'sort'$"):
        team(1).run(lambda me: me.sort())


def test_nodes_that_write_to_the_same_memory_are_refused_where_calls_are_checked():
    x = np.ones(4)
    with vnode.Team(2, checked=True) as checked, pytest.raises(vnode.UsageError, match="write to the same memory in call"):
        checked.run(lambda me: me.all_reduce(x, "sum"))
