"""What the headers in include/vnode/c declare."""
import re


class Headers:
    """What they declare, in their order, each after those that it includes."""

    def __init__(self, texts):
        text = re.sub(r"///.*|//.*", "", in_order(texts))
        self.enumerators = [pair for body in re.findall(r"enum\b\s*\w*\s*{(.*?)}", text, re.DOTALL)
                            for pair in re.findall(r"(VNODE_\w+)\s*=\s*(-?\w+(?: - 1)?)", body)
                            if not pair[0].endswith(("_LARGEST", "_SMALLEST"))]
        self.enums = set(re.findall(r"typedef enum (\w+)", text))
        self.structs = re.findall(r"typedef struct (\w+) {(.*?)}", text, re.DOTALL)
        self.handles = set(re.findall(r"typedef struct (?:\w+) (\w+);", text))
        self.callbacks = set(re.findall(r"typedef int \(\*(\w+)\)", text))
        found = re.findall(r"^(int|void|float|uint16_t|const char\s?\*)\s?(vnode_\w+)\(([^)]*)\);", text, re.MULTILINE)
        self.functions = [(returns, name, [] if arguments.strip() == "void" else
                           [re.sub(r"\s+", " ", argument.strip()) for argument in arguments.split(",")])
                          for returns, name, arguments in found]


def in_order(texts):
    """The headers' texts, given by name, one after the other."""
    done = []

    def visit(name):
        if name in done:
            return
        for other in re.findall(r"#include <vnode/c/(\w+\.h)>", texts[name]):
            visit(other)
        done.append(name)

    for name in sorted(texts):
        visit(name)
    return "\n".join(texts[name] for name in done)


INDEX = "## 8. Index of functions\n"


def with_index(page, texts):
    """The page with the functions of each header below its last heading."""
    rows = []
    for name in sorted(texts):
        functions = [function for _, function, _ in Headers({name: re.sub(r"#include.*", "", texts[name])}).functions]
        of_three = [function for function in functions if f"{function}_persistent" in functions]
        forms = {function + form for function in of_three for form in ("_nonblocking", "_persistent")}
        entries = [f"`{function}`" + (" *" if function in of_three else "") for function in functions if function not in forms]
        if entries:
            rows.append(f"| `{name}` | {', '.join(entries)} |\n")
    return (page[:page.index(INDEX)] + INDEX + "\nBy header below `vnode/c`, which says what each does, returns and refuses; `vnode/vnode.h` "
            "includes all.\nThose with * are there with `_nonblocking` and `_persistent` after the name, too.\n\n"
            "| header | functions |\n|---|---|\n" + "".join(rows))
