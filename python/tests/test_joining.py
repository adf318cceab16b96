"""Threads of Python as the nodes of a team."""

import concurrent.futures
import os
import threading
import time

import numpy as np
import pytest

import vnode

team = pytest.team


def callers(nodes, **options):
    return team(nodes, threads="callers", **options)


def on_threads(nodes, body):
    with concurrent.futures.ThreadPoolExecutor(nodes) as pool:
        return [future.result() for future in [pool.submit(body, i) for i in range(nodes)]]


def test_threads_join_and_leave_and_join_again():
    four = callers(4)

    def body(i):
        for _ in range(20):
            with four.join(i) as me:
                assert me.rank == i
                x = np.full(100, float(i))
                me.all_reduce(x, "sum")
                assert (x == 6).all()
        with four.join() as me:
            return me.all_gather(me.rank)

    assert on_threads(4, body) == [[0, 1, 2, 3]] * 4


def test_a_main_thread_that_is_bound_makes_teams_on_all_that_the_process_may_use():
    def cores(report):
        return next(line for line in report.splitlines() if line.startswith("cores: "))

    before = os.sched_getaffinity(0)
    free = [team(2).report(), callers(2).report()]
    try:
        os.sched_setaffinity(0, {max(before)})
        bound = [team(2).report(), callers(2).report()]
    finally:
        os.sched_setaffinity(0, before)
    assert [cores(report) for report in bound] == [cores(report) for report in free]
    for report in bound:
        assert ("affinity: the thread that made the team is bound to PU " in report) == (len(before) > 1)


def test_how_long_nodes_look_before_they_park_is_said():
    def waiting(spin):
        return next(line for line in callers(2, spin=spin).report().splitlines() if line.startswith("waiting: "))

    assert waiting(0) == "waiting: park"
    assert "park" not in waiting(float("inf"))
    for wrong in (-1, float("nan")):
        with pytest.raises(vnode.UsageError, match="spin is"):
            callers(2, spin=wrong)


def test_the_main_thread_may_be_a_node():
    two = callers(2)

    def body():
        with two.join(1) as me:
            me.send(5, 0)

    other = threading.Thread(target=body)
    other.start()
    with two.join(0) as me:
        assert me.recv(int, 1) == 5
    other.join()


def test_an_exception_that_leaves_a_membership_aborts_the_others():
    three, said = callers(3), []

    def body(i):
        try:
            with three.join(i) as me:
                if i == 1:
                    raise KeyError("gone")
                me.barrier()
        except vnode.Aborted as error:
            said.append(str(error))
        except KeyError:
            return "gone"

    assert on_threads(3, body) == [None, "gone", None]
    assert len(said) == 2
    assert on_threads(3, lambda i: joined(three, i)) == [3] * 3


def test_an_interrupt_as_a_join_returns_leaves_the_team():
    two, said = callers(2), []

    def interrupted(_):
        raise KeyboardInterrupt

    def body():
        with pytest.raises(vnode.Aborted) as caught, two.join(1) as me:
            me.barrier()
        said.append(str(caught.value))

    other = threading.Thread(target=body)
    other.start()
    two._node, own = lambda handle: own(handle) if threading.current_thread() is other else interrupted(handle), two._node
    with pytest.raises(KeyboardInterrupt) as caught:
        two.join(0)
    other.join()
    assert said == ["node 0 has failed: KeyboardInterrupt"]
    del two._node
    assert on_threads(2, lambda i: joined(two, i)) == [2, 2]
    assert caught.value is not None  # whose traceback refers to the membership


def joined(of, i):
    with of.join(i) as me:
        return me.all_reduce(1, "sum")


def test_a_team_is_not_closed_while_threads_are_joined_or_wait_to_be():
    two = callers(2)

    def refused():
        with pytest.raises(vnode.UsageError, match="while threads are joined"):
            two.close()

    other = threading.Thread(target=joined, args=(two, 1))
    other.start()
    while not two.state().data["in_run"]:
        time.sleep(0.001)
    refused()
    with two.join(0) as me:
        refused()
        assert me.all_reduce(1, "sum") == 2
    other.join()
    two.close()


def test_who_is_missing_is_named_and_what_is_refused():
    three = callers(3, time_limit=0.05)

    def body(i):
        with pytest.raises(vnode.TimeLimitExceeded, match="node 2 is missing"):
            three.join(i)

    on_threads(2, body)
    with pytest.raises(vnode.UsageError):
        three.run(lambda me: None)
    with pytest.raises(vnode.UsageError, match="join"):
        team(2).join()
    with pytest.raises(vnode.UsageError, match="ranks are 0 to 2"):
        three.join(3)


def test_many_teams_of_many_threads_do_not_deadlock_with_the_global_lock():
    """Threads that compute in Python beside nodes that wait in C."""
    stop = threading.Event()
    busy = [threading.Thread(target=lambda: [sum(range(100)) for _ in iter(stop.is_set, True)]) for _ in range(2)]
    for thread in busy:
        thread.start()
    try:
        six = callers(6)

        def body(i):
            total = 0
            for _ in range(10):
                with six.join(i) as me:
                    for k in range(10):
                        total += me.all_reduce(k, "sum")
                        me.barrier()
            return total

        assert on_threads(6, body) == [10 * 6 * 45] * 6
    finally:
        stop.set()
        for thread in busy:
            thread.join()


def test_a_thread_that_ends_without_leaving_ends_the_run_of_the_others():
    two, kept, said = callers(2), [], []

    def ends():
        kept.append(two.join(1))
        kept[0].__enter__().barrier()

    other = threading.Thread(target=ends)
    other.start()
    try:
        with two.join(0) as me:
            while True:
                me.barrier()
    except vnode.Aborted as error:
        said.append(str(error))
    other.join()
    assert said == ["node 1's thread has ended without leaving"]
    assert on_threads(2, lambda i: join_and_sum(two, i)) == [3, 3]


def join_and_sum(two, rank):
    with two.join(rank) as me:
        return me.all_reduce(rank + 1, "sum")


def test_an_operator_of_a_thread_that_has_joined_is_refused_its_own_node():
    two, said = callers(2), []

    def join_and_call(rank):
        try:
            with two.join(rank) as me:
                waits = vnode.Operator(lambda a, b: me.barrier(), name="waits")
                me.all_reduce(np.ones(20000), waits)
        except vnode.Error as error:
            said.append(str(error))

    on_threads(2, join_and_call)
    assert "is used within a call of its own" in "".join(said)
    assert on_threads(2, lambda i: join_and_sum(two, i)) == [3, 3]
