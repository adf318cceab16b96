"""Ctrl-C, and signals whose handlers raise nothing, while the main thread waits in libvnode."""

import signal
import subprocess
import sys
import textwrap
import time

import pytest

PROGRAM = """
    import os, signal, sys, threading, time
    import numpy as np
    import vnode

    def interrupt_soon(number=signal.SIGINT, seconds=0.3):
        def send():
            time.sleep(seconds)
            sent.append(time.monotonic())
            os.kill(os.getpid(), number)
        threading.Thread(target=send, daemon=True).start()

    def tell():
        print("after", round(1000 * (time.monotonic() - sent[0])), "ms")

    sent, aborted = [], []

    def waits(me):
        try:
            if me.rank != 1:
                me.recv(np.zeros(1), source=1)
            while me.rank == 1 and not over.is_set():
                time.sleep(0.001)
        except vnode.Aborted:
            aborted.append(me.rank)
            raise

    over = threading.Event()
"""


def run(body, *arguments):
    """Runs a program, and returns what it prints."""
    program = textwrap.dedent(PROGRAM) + textwrap.dedent(body)
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", program, *arguments], capture_output=True, text=True,
                          timeout=120)
    print(done.stdout, done.stderr)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Exception ignored" not in done.stderr
    return done.stdout


@pytest.mark.parametrize("wait", ["automatic", "spin", "yield", "park"])
def test_ctrl_c_ends_a_run_and_the_nodes_leave_their_calls(wait):
    assert "again [4, 4, 4, 4]" in run(f"""
        team = vnode.Team(4, wait={wait!r})
        interrupt_soon()
        def body(me):
            if me.rank == 1:
                while not aborted:
                    time.sleep(0.001)
                return
            waits(me)
        try:
            team.run(body)
            print("no interrupt")
        except KeyboardInterrupt as error:
            tell()
        assert sorted(aborted) == [0, 2, 3], aborted
        print("again", team.run(lambda me: me.all_reduce(1, "sum")))
    """)


def test_ctrl_c_ends_the_wait_of_a_main_thread_that_has_joined_and_is_named_to_the_others():
    assert "['node 0 has failed: KeyboardInterrupt']" in run("""
        team = vnode.Team(2, threads="callers", deadlocks=False)
        def other():
            try:
                with team.join(1) as me:
                    me.barrier()
            except vnode.Aborted as error:
                aborted.append(str(error))
        thread = threading.Thread(target=other)
        thread.start()
        try:
            with team.join(0) as me:
                interrupt_soon()
                me.recv(np.zeros(1), source=1)
        except KeyboardInterrupt:
            tell()
        thread.join()
        print(aborted)
        def sums(rank):
            with team.join(rank) as me:
                assert me.all_reduce(1, "sum") == 2
        thread = threading.Thread(target=sums, args=(1,))
        thread.start()
        sums(0)
        thread.join()
    """)


@pytest.mark.parametrize(
    "wait",
    [
        "me.probe(vnode.any_source)",
        "me.mprobe(1, vnode.any_tag)",
        "me.ssend(1, 1)",
        "me.sendrecv_replace(np.zeros(1), vnode.no_rank, 1)",
        "vnode.wait_any([me.irecv(np.zeros(1), 1), me.irecv(np.zeros(1), vnode.any_source)])",
        "vnode.wait_some([me.irecv(np.zeros(1), 1)])",
    ],
)
def test_ctrl_c_ends_every_kind_of_wait(wait):
    assert "after" in run(f"""
        team = vnode.Team(2, threads="callers", deadlocks=False)
        def other():
            try:
                with team.join(1) as me:
                    me.barrier()
            except vnode.Aborted:
                aborted.append(1)
        thread = threading.Thread(target=other)
        thread.start()
        try:
            with team.join(0) as me:
                interrupt_soon()
                {wait}
        except KeyboardInterrupt:
            tell()
        thread.join()
        assert aborted == [1]
    """)


def test_ctrl_c_ends_a_join_that_nobody_else_comes_to():
    assert "given up" in run("""
        team = vnode.Team(3, threads="callers")
        said = []
        def other():
            try:
                team.join(1)
            except vnode.Aborted as error:
                said.append(str(error))
        thread = threading.Thread(target=other)
        thread.start()
        interrupt_soon()
        try:
            team.join(0)
        except KeyboardInterrupt:
            tell()
        thread.join()
        print(said)
    """)


def test_a_handler_that_raises_nothing_is_called_and_the_wait_goes_on():
    assert "handled [10]\n[0, 1]" in run("""
        handled = []
        signal.signal(signal.SIGUSR1, lambda number, frame: handled.append(number))
        interrupt_soon(signal.SIGUSR1)
        team = vnode.Team(2)
        def body(me):
            if me.rank == 0:
                while not handled:
                    time.sleep(0.001)
                me.send(1, 1)
            else:
                me.recv(int, 0)
            return me.rank
        results = team.run(body)
        print("handled", [int(n) for n in handled])
        print(results)
    """)


def test_what_a_handler_raises_comes_out():
    assert "Stop" in run("""
        class Stop(Exception):
            def __len__(self): return 0  # which makes it false
        def handler(number, frame): raise Stop("told to")
        signal.signal(signal.SIGTERM, handler)
        interrupt_soon(signal.SIGTERM)
        team = vnode.Team(2, deadlocks=False)
        try:
            team.run(lambda me: me.recv(int, 1 - me.rank))
        except Stop as error:
            print(repr(error))
            tell()
    """)


USES_ANOTHER = """
    team, other = vnode.Team(2, deadlocks=False), vnode.Team(2, deadlocks=False)
    handled = []
    def in_vain(me):
        me.recv(int, 1 - me.rank)
    def long(me):
        time.sleep(0.2)  # several looks
        return me.all_reduce(1, "sum")
    def until_handled(me):
        while me.rank == 0 and not handled:
            time.sleep(0.001)
        return me.all_reduce(1, "sum")
    signal.signal(signal.SIGUSR1, lambda number, frame: handler())
    interrupt_soon(signal.SIGUSR1, 0.1)
"""


def test_a_handler_may_use_another_team_for_long():
    assert "[2, 2] [[2, 2]]" in run(USES_ANOTHER + """
    def handler():
        handled.append(other.run(long))
    print(team.run(until_handled), handled)
    """)


def test_ctrl_c_ends_what_a_handler_waits_for():
    assert "[2, 2] ['interrupted']" in run(USES_ANOTHER + """
    def handler():
        interrupt_soon(seconds=0.1)
        try:
            other.run(in_vain)
        except KeyboardInterrupt:
            handled.append("interrupted")
    print(team.run(until_handled), handled)
    """)


def test_ctrl_c_leaves_a_handler_and_the_run_in_which_it_was_called():
    assert "interrupted [2, 2] [2, 2]" in run(USES_ANOTHER + """
    def handler():
        interrupt_soon(seconds=0.1)
        other.run(in_vain)
    try:
        team.run(in_vain)
    except KeyboardInterrupt:
        handled.append("interrupted")
    print(*handled, team.run(until_handled), other.run(long))
    """)


def test_handlers_within_handlers_are_as_many_as_there_are():
    """More than there are looks: the innermost waits look for no signals, and come to their end."""
    assert "done [2, 2]" in run(USES_ANOTHER + """
    teams = [vnode.Team(1) for _ in range(18)]
    def handler():
        if teams:
            mine = teams.pop()
            os.kill(os.getpid(), signal.SIGUSR1)
            mine.run(lambda me: time.sleep(0.06))
        else:
            handled.append("done")
    print("done", team.run(until_handled))
    """)


def test_several_handlers_may_raise_at_once_and_again():
    assert "done" in run("""
        class Stop(Exception): pass
        armed, handled = False, []
        def handler(number, frame):
            handled.append(number)
            if armed:
                raise Stop(number)
        numbers = signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM, signal.SIGALRM
        for number in numbers:
            signal.signal(number, handler)
        team = vnode.Team(2, deadlocks=False)
        def body(me):
            for number in numbers if me.rank else ():
                os.kill(os.getpid(), number)
            me.recv(int, 1 - me.rank)
        for i in range(8):
            handled.clear()
            armed = True
            try:
                team.run(body)
                print("none")
            except Stop:
                armed = False  # for those that come late, on a busy machine
            while len(handled) < len(numbers):
                time.sleep(0.001)
        print("done", team.run(lambda me: me.all_reduce(1, "sum")))
    """)


def test_ctrl_c_reaches_operators_and_bodies_that_compute():
    """Again and again, at any moment."""
    assert "interrupted" in run("""
        from random import Random
        random = Random(1)
        team = vnode.Team(3)
        greater = vnode.Operator(np.maximum, name="greater")
        interrupted = 0
        def body(me):
            x = np.zeros(100)
            while True:
                me.all_reduce(x, greater)
        for i in range(40):
            try:
                interrupt_soon(seconds=random.random() / 20)
                team.run(body)
            except KeyboardInterrupt:
                interrupted += 1
        assert interrupted == 40, interrupted
        print("interrupted", team.run(lambda me: me.all_reduce(1, "sum")))
    """)


def test_a_program_ends_while_a_team_lives_and_in_the_middle_of_a_run():
    run("""
        team = vnode.Team(4)
        team.run(lambda me: me.barrier())
        callers = vnode.Team(2, threads="callers")
        kept = {}
        def body(me):
            x = np.zeros(3)
            kept[me.rank] = me.persistent().all_reduce(x, "sum"), me.split(0), vnode.Operator(np.add)
            me.all_reduce(x, kept[me.rank][2])
        team.run(body)
    """)
