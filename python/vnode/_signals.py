"""Signals are handled while Python's main thread waits in libvnode."""

from __future__ import annotations

import atexit
import ctypes
import threading
from typing import Generator

from vnode._errors import _INTERRUPT, check, interrupt, tell
from vnode._library import library

_LOOK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_handle = ctypes.c_void_p()


def _looks() -> Generator[int, object, None]:
    """Lets Python run handlers of signals whenever it is resumed, and yields the code for what these raise, of
    which it tells.

    Python runs a handler wherever the main thread is about to run bytecode. At the beginning of a function nothing could
    catch what the handler raises; a generator that is resumed is within its `try` already.
    """
    code = 0
    while True:
        try:
            while True:
                if interrupt.error is not None and code:
                    tell(interrupt.error)  # here, where what another signal's handler raises is caught
                yield code
                code = 0
        except GeneratorExit:
            raise
        except BaseException as error:
            interrupt.error = error
            code = _INTERRUPT


_generator = _looks()
next(_generator)
_look = _LOOK(_generator.send)


def handle_while_waiting() -> None:
    """From now on the main thread handles signals while it waits; in other threads it does nothing."""
    if _handle.value is None and threading.get_ident() == threading.main_thread().ident:
        check(library.vnode_while_waiting_begin(ctypes.byref(_handle), _look, None))
        atexit.register(library.vnode_while_waiting_end, ctypes.byref(_handle))
