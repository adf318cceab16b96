"""The headers' parts for C, and the C++ behind them, as clang-format lays them out."""
import itertools
import re
import textwrap

from table import FORMS, OPERATORS, SECTIONS, TYPES

WIDTH = 110
WRITTEN = "// Written by tools/bindings/write from tools/bindings/table.py.\n"


def comment(text):
    return "".join(f"/// {line}\n" for line in textwrap.wrap(text, WIDTH - 4, break_on_hyphens=False))


def wrapped(head, arguments, tail):
    """A declaration, or the head of a definition: arguments fill the lines, below each other's first."""
    lines, indent = [head + "("], " " * (len(head) + 1)
    for i, argument in enumerate(arguments):
        last = i == len(arguments) - 1
        text = argument + (")" + tail if last else ",")
        joined = lines[-1] + ("" if lines[-1].endswith("(") else " ") + text
        if len(joined) <= WIDTH:
            lines[-1] = joined
        else:
            lines.append(indent + text)
    return "\n".join(lines) + "\n"


def enumerators(rows):
    """Rows of name, number and comment; comments in lines that follow each other stand below each other."""
    text = ""
    for commented, lines in itertools.groupby(rows, lambda row: bool(row[2])):
        lines = [(f"  {name} = {number},", says) for name, number, says in lines]
        begin = max(len(line) for line, _ in lines) + 2
        for line, says in lines:
            for part in textwrap.wrap(says, WIDTH - begin - 5, break_on_hyphens=False) if commented else [""]:
                text += line.ljust(begin) + f"///< {part}\n" if commented else f"{line}\n"
                line = ""
    return text


def types():
    located = [row for row in TYPES if row.c]
    text = "/// The types of elements. Those from vnode_type_register() have numbers beyond these.\ntypedef enum vnode_type {\n"
    text += enumerators([(f"VNODE_{row.name}", row.number, row.says) for row in TYPES])
    text += "  // A number and where it was found, for VNODE_MIN_LOCATION and VNODE_MAX_LOCATION: the structs below.\n"
    text += enumerators([(f"VNODE_LOCATED_{row.name}", 32 + row.number, "") for row in located])
    text += bounds("type") + "} vnode_type;\n\n/// Holds an element of a VNODE_LOCATED type.\n"
    for row in located:
        name = f"vnode_located_{row.name.lower()}"
        text += f"typedef struct {name} {{\n  {row.c} value;\n  int64_t index;\n}} {name};\n"
    return text


def operators():
    text = ("/// The operators. Those from vnode_operator_create() have numbers beyond these. No number is that of a\n"
            "/// vnode_type.\ntypedef enum vnode_operator {\n")
    text += enumerators([(f"VNODE_{row.name}", row.number, row.says) for row in OPERATORS])
    return text + bounds("operator") + "} vnode_operator;\n"


def bounds(what):
    """What makes an enumeration an int's."""
    name = f"VNODE_{what.upper()}"
    return (f"  {name}_LARGEST = 0x7fffffff,       ///< no {what}: makes the enumeration as wide as an int\n"
            f"  {name}_SMALLEST = -0x7fffffff - 1  ///< no {what}: with it, every int is a value, also to C++\n")


def functions(section, operation):
    """The functions of an operation: name, arguments, and how the call is carried out."""
    for form, handle, carry_out in FORMS:
        between = operation.arguments.split(", ") if operation.arguments else []
        arguments = ["vnode_group* group"] + between + [argument for argument in (section.last, handle) if argument]
        yield f"int vnode_{operation.name}{form}", arguments, carry_out


def declarations(section):
    return "\n".join(comment(operation.says) +
                     "".join(wrapped(head, arguments, ";") for head, arguments, _ in functions(section, operation))
                     for operation in section.operations)


def definitions():
    headers = sorted({section.header for section in SECTIONS})
    text = WRITTEN + "".join(f"#include <vnode/c/{header}>\n" for header in headers)
    text += '\n#include "c/described.hpp"\n\nusing namespace vnode;\n'
    for section in SECTIONS:
        for operation in section.operations:
            names = [argument.split(" ")[-1] for argument in operation.arguments.split(", ")]
            taken = [name for name in names if name not in section.taken]
            for head, arguments, carry_out in functions(section, operation):
                text += "\n" + wrapped(head, arguments, " {")
                text += f"  return entry([&] {{\n    {section.taker};\n"
                text += wrapped(f"    call.{operation.name}", taken, ";") + f"    {carry_out};\n  }});\n}}\n"
    return text


def visit(cpp, name):
    return wrapped(f"  visit.template operator()<{cpp}>", [name, f'"{name}"'], ";")


def standard():
    """lib/c/standard.hpp."""
    located = [row for row in TYPES if row.c]
    every = [(row.cpp, f"VNODE_{row.name}", row.number) for row in TYPES]
    every += [(f"Located<{row.cpp}>", f"VNODE_LOCATED_{row.name}", 32 + row.number) for row in located]
    text = WRITTEN + """\
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>

#include <vnode/c/operator.h>
#include <vnode/float16.hpp>
#include <vnode/operator.hpp>

namespace vnode {

"""
    text += ("/// One more than the largest number of the types that come with vnode.\n"
             f"inline constexpr int standard_types = {max(number for _, _, number in every) + 1};\n\n"
             "/// Calls `visit.operator()<T>(type, name)` for every type of elements that comes with vnode.\n"
             "template <class Visit>\nconstexpr void each_standard_type(Visit&& visit) {\n")
    text += "".join(visit(cpp, name) for cpp, name, _ in every)
    text += ("}\n\n/// The number of operators that come with vnode.\n"
             f"inline constexpr int standard_operators = {len(OPERATORS)};\n\n"
             "/// Calls `visit.operator()<Operator>(op, name)` for every operator that comes with vnode.\n"
             "template <class Visit>\nconstexpr void each_standard_operator(Visit&& visit) {\n")
    text += "".join(visit(row.cpp, f"VNODE_{row.name}") for row in OPERATORS)
    text += "}\n\n// C's structs have the layout of C++'s.\n"
    for row in located:
        text += f"static_assert(sizeof(Located<{row.cpp}>) == sizeof(vnode_located_{row.name.lower()}));\n"
    return text + "\n}  // namespace vnode\n"


def put(text, name, made):
    """Puts what has been made into a text, between the two lines that say where."""
    begin = re.escape(f"// {name}: written by tools/bindings/write from tools/bindings/table.py.\n")
    place = re.compile(f"({begin}).*?(// end of {name}\n)", re.DOTALL)
    if len(place.findall(text)) != 1:
        raise ValueError(f"there is no place for {name}")
    return place.sub(lambda found: found[1] + "\n" + made + "\n" + found[2], text)


def written(read):
    """Texts by their paths; `read` gives those that there are."""
    headers = {name: read(f"include/vnode/c/{name}")
               for name in sorted({section.header for section in SECTIONS} | {"element.h", "operator.h"})}
    for section in SECTIONS:
        headers[section.header] = put(headers[section.header], section.name, declarations(section))
    headers["element.h"] = put(headers["element.h"], "types", types())
    headers["operator.h"] = put(headers["operator.h"], "operators", operators())
    made = {f"include/vnode/c/{name}": text for name, text in headers.items()}
    return {**made, "lib/c/collectives.cpp": definitions(), "lib/c/standard.hpp": standard()}
