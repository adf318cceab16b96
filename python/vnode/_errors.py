"""Exceptions for the codes of vnode.h, with the same sentences."""

from __future__ import annotations

import itertools
import re
import threading
from typing import Dict, List, NoReturn, Optional, Type

from vnode._library import library
from vnode._signatures import OPERATORS


class Error(Exception):
    """Whatever vnode finds wrong."""


class UsageError(Error, ValueError):
    """The caller asks for something that has no meaning, or uses something out of place."""


class Mismatch(Error, RuntimeError):
    """The nodes' calls do not match, or a node left the run without a call that others wait in."""


class TimeLimitExceeded(Error, TimeoutError):
    """A wait was longer than the team's time limit; the sentence tells what every node waits for."""


class Deadlock(Error, RuntimeError):
    """All nodes wait, and none will ever go on; the sentence tells for what."""


class Aborted(Error, RuntimeError):
    """Leaves a call because another node has failed."""


class SystemError(Error, OSError):
    """The machine or the operating system refuses."""


class NoMemory(Error, MemoryError):
    """There is no memory."""


for _kind in (Error, *Error.__subclasses__()):
    _kind.__module__ = "vnode"  # where programs find it, and what tracebacks call it

_BY_NAME: Dict[str, Type[Error]] = {
    "VNODE_ERROR_USAGE": UsageError,
    "VNODE_ERROR_MISMATCH": Mismatch,
    "VNODE_ERROR_TIME_LIMIT": TimeLimitExceeded,
    "VNODE_ERROR_DEADLOCK": Deadlock,
    "VNODE_ERROR_ABORTED": Aborted,
    "VNODE_ERROR_SYSTEM": SystemError,
    "VNODE_ERROR_MEMORY": NoMemory,
}
_BY_CODE: Dict[int, Type[Error]] = {
    code: _BY_NAME.get((library.vnode_status_name(code) or b"").decode(), Error) for code in range(-32, 0)
}
_CODES = {kind: code for code, kind in _BY_CODE.items() if kind is not Error}

# Exceptions on their way through libvnode, by the positive codes that stand for them there: from when they leave a callback
# until the run is over, since the exception of an operator leaves first its call, then the body, and at last the run.
_kept: Dict[int, BaseException] = {}
_INTERRUPT = 1
_codes = itertools.count(_INTERRUPT + 1)


class _Given(threading.local):
    """The codes that callbacks have returned in a thread."""

    def __init__(self) -> None:
        self.codes: List[int] = []


_given = _Given()


def said(error: BaseException) -> bytes:
    """Returns what an exception says, or its type's name."""
    try:
        return str.encode(str(error), errors="replace") or type(error).__name__.encode()
    except BaseException:  # of its __str__
        return type(error).__name__.encode()


def tell(error: BaseException) -> None:
    """Makes what an exception says the sentence by which the callback that it leaves fails."""
    library.vnode_set_message(said(error))


def code_of(error: BaseException) -> int:
    """Keeps an exception that leaves a callback, and returns the code by which the callback fails."""
    tell(error)
    # A node that leaves a call by Aborted is not the one that has failed.
    if isinstance(error, Aborted):
        return _CODES[Aborted]
    for code in _given.codes:
        if _kept.get(code) is error:
            return code
    code = next(_codes)
    _kept[code] = error
    _given.codes.append(code)
    return code


def given() -> List[int]:
    """Returns the codes that callbacks have returned in this thread since the last time."""
    codes, _given.codes = _given.codes, []
    return codes


def forget(codes: List[int]) -> None:
    """Forgets codes: the run is over in which they stood for exceptions."""
    for code in codes:
        _kept.pop(code, None)


_OPTIONS = {"VNODE_THREADS_OWN": '"own"', "VNODE_THREADS_CALLERS": '"callers"', "VNODE_NODES_THREADS": "threads"}
_WORDS = {**{"VNODE_" + name.upper(): f'"{name}"' for name in OPERATORS}, **_OPTIONS}


def _in_words_of_python(sentence: str) -> str:
    """Returns a sentence of vnode.h's with the names that its operators and functions have here."""
    sentence = re.sub(r"\bVNODE_[A-Z_]+", lambda word: _WORDS.get(word[0], word[0]), sentence)
    return re.sub(r"\bvnode_(?:team_options\.|team_|membership_|group_)?(\w+)", r"\1", sentence)


def fail(code: int) -> NoReturn:
    """Raises what a code stands for, which a function has just returned in this thread."""
    error = interrupt.taken()
    if error is None:
        error = _kept.get(code)
    if error is None:
        error = _BY_CODE.get(code, Error)(_in_words_of_python((library.vnode_message() or b"").decode(errors="replace")))
    try:
        raise error
    finally:
        del error  # or it would refer to itself by its traceback


def check(code: int) -> int:
    """Returns what a function has returned, if that is no error code."""
    if code < 0:
        fail(code)
    return code


def succeed(code: int) -> None:
    """Raises what a code stands for, unless it is 0."""
    if code:
        fail(code)


class _Interrupt:
    """What a signal's handler has raised, KeyboardInterrupt mostly, while Python's main thread waited in a call."""

    def __init__(self) -> None:
        self.error: Optional[BaseException] = None

    def taken(self) -> Optional[BaseException]:
        if self.error is None or threading.get_ident() != threading.main_thread().ident:
            return None
        error, self.error = self.error, None
        return error


interrupt = _Interrupt()
