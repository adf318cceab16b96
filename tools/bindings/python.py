"""python/vnode/_signatures.py: what Python is told of libvnode."""
import re

from table import OPERATORS, SECTIONS, TYPES

HEAD = '''\
"""The types of elements, the operators, and the arguments of libvnode's functions. Written by tools/bindings/write."""

import operator
from typing import Any, Dict, NamedTuple, Optional, Tuple


class Type(NamedTuple):
    """A type of elements."""

    is_located: bool  # whether there is a type of such numbers, found at an index
    numpy: str  # numpy's dtype, if it has one
    letter: str  # in formats of the buffer protocol, unless it is an integer, whose letter depends on the machine
    dlpack: Optional[Tuple[int, int]]  # DLPack's kind and bits


class Operator(NamedTuple):
    """An operator."""

    number: int
    function: Any  # Python's, if it has one
    ufunc: str  # numpy's, if it has one


'''
TYPES_HEAD = """\
LOCATED = 32  # the type of a number, found at an index, is this more than the number's

TYPES: Dict[int, Type] = {
"""
OPERATORS_HEAD = """\
}

OPERATORS: Dict[str, Operator] = {
"""
ARGUMENTS_HEAD = """\
}

# What arguments are: p a pointer or handle, s a text, i an int, n a size, t a type or operator, q a distance.

"""
LISTS = {
    "OPERATIONS": "The functions of operations. Those of two further forms add where a handle goes.",
    "FUNCTIONS": "All other functions that return an int.",
    "TEXTS": "Those that return a text.",
    "PROCEDURES": "Those that return nothing.",
}
LETTERS = {"int": "i", "size_t": "n", "ptrdiff_t": "q", "vnode_type": "t", "vnode_operator": "t"}


def letter(argument, callbacks):
    if "*" in argument:
        return "s" if re.fullmatch(r"const char\* ?\w+", argument) else "p"
    kind = argument.rsplit(" ", 1)[0]
    return "p" if kind in callbacks else LETTERS[kind]


def signatures(headers):
    operations = {f"vnode_{operation.name}" for section in SECTIONS for operation in section.operations}
    forms = {name + form for name in operations for form in ("_nonblocking", "_persistent")}
    lists = {"int": "FUNCTIONS", "const char*": "TEXTS", "void": "PROCEDURES"}
    rows = dict.fromkeys(LISTS, "")
    for returns, name, arguments in headers.functions:
        if name in forms or returns not in lists:
            continue
        letters = "".join(letter(argument, headers.callbacks) for argument in arguments)
        rows["OPERATIONS" if name in operations else lists[returns]] += f'    "{name.removeprefix("vnode_")}": "{letters}",\n'
    text = HEAD + "".join(f"{row.name} = {row.number}\n" for row in TYPES) + TYPES_HEAD
    text += "".join(f'    {row.name}: Type({bool(row.c)}, "{row.numpy}", "{row.letter}", {row.dlpack}),\n' for row in TYPES)
    text += OPERATORS_HEAD
    text += "".join(f'    "{row.name.lower()}": Operator({row.number}, {row.python}, "{row.ufunc}"),\n' for row in OPERATORS)
    text += ARGUMENTS_HEAD
    return text + "\n".join(f"# {LISTS[name]}\n{name} = {{\n{entries}}}\n" for name, entries in rows.items())
