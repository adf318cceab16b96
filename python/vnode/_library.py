"""libvnode and the types of its functions, as vnode.h declares them."""

from __future__ import annotations

import ctypes
import operator
import os
import pathlib
import shutil
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, NoReturn

from vnode._signatures import FUNCTIONS, OPERATIONS, PROCEDURES, TEXTS

ABI_VERSION = 1
SONAME = "libvnode.so.0.3"


class Integer:
    """A type of C's integers. What a program gives for one is an integer in its range, or a UsageError: ctypes alone would cut
    off the high bits."""

    def __init__(self, type_: Any) -> None:
        self.type = type_
        bits = 8 * ctypes.sizeof(type_)
        self.least, self.most = (-(1 << bits - 1), (1 << bits - 1) - 1) if type_(-1).value < 0 else (0, (1 << bits) - 1)

    def exact(self, given: Any, what: str) -> int:
        """Returns the integer that is given for `what`."""
        try:
            number = operator.index(given)
        except TypeError:
            number = self.most + 1
        if not self.least <= number <= self.most:
            _refuse(f"{what}: {given!r} is not an integer from {self.least} to {self.most}")
        return number

    def memory(self, given: Iterable[Any], what: str) -> Any:
        """Returns a list of integers as memory."""
        try:
            numbers = list(given)
        except TypeError:
            _refuse(f"{what}: {given!r} is not a list of integers")
        list_ = [self.exact(number, what) for number in numbers]
        return (self.type * len(list_))(*list_)

    def from_param(self, given: Any) -> Any:
        """Converts an argument; ctypes calls it."""
        if type(given) is int and self.least <= given <= self.most:
            return self.type.from_param(given)
        return self.type.from_param(self.exact(given, "argument"))


def _refuse(sentence: str) -> NoReturn:
    from vnode._errors import UsageError  # a module that needs this one

    raise UsageError(sentence) from None


INT, SIZE = Integer(ctypes.c_int), Integer(ctypes.c_size_t)
_EXACT = {kind.type: kind for kind in (INT, SIZE)}


class Struct(ctypes.Structure):
    """A struct whose integers a program gives."""

    def __setattr__(self, name: str, given: Any) -> None:
        kind = _EXACT.get(dict(self._fields_)[name])
        super().__setattr__(name, given if kind is None else kind.exact(given, name.strip("_")))


# The letters of arguments. An int, and a size where z stands for n, may be the program's; what this package has made, numbers of
# elements, types and operators, is not looked at again.
_LETTERS = {
    "p": ctypes.c_void_p, "s": ctypes.c_char_p, "i": INT, "z": SIZE, "n": ctypes.c_size_t, "t": ctypes.c_int,
    "q": ctypes.c_ssize_t,
}  # fmt: skip
_SIZES_OF_PROGRAMS = {"team_trace", "buffer_create", "team_buffer", "arena_parallel_for"}


_FOLDERS = ("lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu")  # of a PREFIX


def _candidates() -> Iterator[str]:
    """Returns where the library may be, in the order in which it is looked for."""
    named = os.environ.get("VNODE_LIBRARY")
    if named:
        yield named
        return
    yield str(pathlib.Path(__file__).parent / SONAME)
    here = pathlib.Path(__file__).resolve().parent
    prefixes = [*here.parents[2:5]]  # of PREFIX/share/doc/vnode/python/vnode, and PREFIX/lib/python3/dist-packages/vnode
    if (here / "prefix").is_file():  # pip has written it: see backend.py
        prefixes.append(pathlib.Path((here / "prefix").read_text().strip()))
    for above in prefixes:
        for folder in _FOLDERS:
            if (above / folder / SONAME).exists():
                yield str(above / folder / SONAME)
    program = os.environ.get("VNODE_PROGRAM") or shutil.which("vnode")
    if program:
        for folder in _FOLDERS:
            yield str(pathlib.Path(program).resolve().parent.parent / folder / SONAME)
    yield SONAME


def _load() -> ctypes.CDLL:
    tried = []
    for name in _candidates():
        if "/" in name and not os.path.exists(name):
            tried.append(f"{name}: there is no such file")
            continue
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            tried.append(str(error))
    raise ImportError(
        f"{SONAME} is not found. Where vnode is installed below PREFIX, say so by VNODE_LIBRARY=PREFIX/lib/{SONAME}, or put PREFIX/bin "
        "into the PATH. Tried: " + "; ".join(tried)
    )


def _refusing(name: str, function: Any) -> Callable[..., Any]:
    """Returns a function that refuses an argument by what its conversion raises: ctypes makes an ArgumentError of that."""

    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except ctypes.ArgumentError:
            pass
        for kind, given in zip(function.argtypes, arguments):
            if isinstance(kind, Integer):
                kind.exact(given, name)
        return function(*arguments)  # refuses another argument once more

    return call


def _declare(library: ctypes.CDLL) -> None:
    def typed(name: str, letters: str, result: object = ctypes.c_int) -> None:
        function = getattr(library, "vnode_" + name)
        function.argtypes = [_LETTERS[letter] for letter in letters]
        function.restype = result
        if "i" in letters or "z" in letters:
            setattr(library, "vnode_" + name, _refusing(name, function))

    for name, letters in OPERATIONS.items():
        typed(name, letters)
        typed(name + "_nonblocking", letters + "p")
        typed(name + "_persistent", letters + "p")
    for name, letters in FUNCTIONS.items():
        typed(name, letters.replace("n", "z") if name in _SIZES_OF_PROGRAMS else letters)
    for name, letters in TEXTS.items():
        typed(name, letters, ctypes.c_char_p)
    for name, letters in PROCEDURES.items():
        typed(name, letters, None)


library = _load()
try:
    _declare(library)
except AttributeError as missing:
    raise ImportError(f"{library._name} is not a libvnode that this package can use: {missing}") from None
if library.vnode_abi_version() < ABI_VERSION:
    raise ImportError(f"{library._name} has binary interface {library.vnode_abi_version()}, older than {ABI_VERSION}")


class Form:
    """The collectives of one form: each is a function of libvnode, an attribute named as the collective is."""

    def __init__(self, suffix: str) -> None:
        for name in OPERATIONS:
            setattr(self, name, getattr(library, f"vnode_{name}{suffix}"))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., int]: ...


blocking, nonblocking, persistent = Form(""), Form("_nonblocking"), Form("_persistent")


def taken(text: ctypes.c_void_p) -> str:
    """Returns a text that a function has returned, and frees it."""
    try:
        return ctypes.string_at(text.value or 0).decode() if text.value else ""
    finally:
        library.vnode_text_free(ctypes.byref(text))
