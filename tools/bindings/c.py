"""The headers' parts for C, and the C++ behind them, as clang-format lays them out."""
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
        joined = lines[-1] + ("" if lines[-1].endswith("(") or lines[-1] == indent else " ") + text
        if len(joined) <= WIDTH:
            lines[-1] = joined
        else:
            lines.append(indent + text)
    return "\n".join(lines) + "\n"


def enumerators(rows):
    """Rows of name, number and comment; comments in lines that follow each other stand below each other."""
    lines = [(f"  {name} = {number},", says) for name, number, says in rows]
    text = ""
    for i, (line, says) in enumerate(lines):
        if says:
            first = last = i
            while first > 0 and lines[first - 1][1]:
                first -= 1
            while last + 1 < len(lines) and lines[last + 1][1]:
                last += 1
            line = line.ljust(max(len(other) for other, _ in lines[first:last + 1])) + f"  ///< {says}"
        if len(line) > WIDTH:
            raise ValueError(f"longer than {WIDTH} letters: {line}")
        text += line + "\n"
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
            taken = ", ".join(name for name in names if name not in section.taken)
            for head, arguments, carry_out in functions(section, operation):
                text += "\n" + wrapped(head, arguments, " {")
                text += f"  return entry([&] {{\n    {section.taker};\n    call.{operation.name}({taken});\n    {carry_out};\n"
                text += "  });\n}\n"
    return text


def put(text, name, made):
    """Puts what has been made into a text, between the two lines that say where."""
    place = re.compile(rf"(// {name}: written by tools/bindings/write from tools/bindings/table\.py\.\n).*?(// end of {name}\n)", re.DOTALL)
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
    return {**made, "lib/c/collectives.cpp": definitions()}
