"""Signals are handled while Python's main thread waits in libvnode."""

from __future__ import annotations

import atexit
import ctypes
import functools
import itertools
import operator
import threading
from typing import Any, Generator, List

from vnode._errors import _INTERRUPT, check, interrupt, tell
from vnode._library import library

_LOOK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_SPARE = _DEPTH = 16


def _looks(line: List[Generator[int, None, None]]) -> Generator[int, None, None]:
    """Lets Python run handlers of signals whenever it is resumed, and yields the code for what these raise, of
    which it tells. After that the next in line is resumed.

    Python runs a handler wherever the main thread is about to run bytecode. At the beginning of a function nothing could
    catch what the handler raises; a generator that is resumed is within its `try` already. At the end of a loop around the
    `try` nothing could catch what a second handler raises, so that there is no such loop, nor a call after the outer `try`.
    """
    try:
        try:
            yield 0
            while True:
                _fill(line)
                yield 0
        except GeneratorExit:
            return
        except BaseException as error:
            interrupt.error = error
            tell(error)
            _fill(line)
    except BaseException as error:
        interrupt.error = error
    del line[0]
    yield _INTERRUPT


def _fill(line: List[Generator[int, None, None]]) -> None:
    while len(line) <= _SPARE:
        looks = _looks(line)
        next(looks)
        line.append(looks)


def _look() -> Any:
    """Returns a function, none of Python's, that resumes the first in a line."""
    line: List[Generator[int, None, None]] = []
    _fill(line)
    return functools.partial(next, map(next, map(operator.itemgetter(0), itertools.repeat(line))))


# A handler may wait, too, for another team, and then other signals are handled. A generator that is within a handler cannot be
# resumed; libvnode calls the look before it, until there is none.
_looking = [(_LOOK(_look()), ctypes.c_void_p()) for _ in range(_DEPTH)]


def handle_while_waiting() -> None:
    """From now on the main thread handles signals while it waits; in other threads it does nothing."""
    if _looking[0][1].value is None and threading.get_ident() == threading.main_thread().ident:
        for look, handle in _looking:
            check(library.vnode_while_waiting_begin(ctypes.byref(handle), look, None))
            atexit.register(library.vnode_while_waiting_end, ctypes.byref(handle))
