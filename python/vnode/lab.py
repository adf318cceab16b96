"""The laboratory: algorithms as values, to be listed, shown, verified, predicted and drawn; machines, and what placement on
them brings.

Every function runs the program `vnode` (VNODE_PROGRAM, or beside libvnode, or in the PATH) and takes its options as keywords:
`simulate("broadcast_binomial", nodes=8, topology="ring", bytes="64K", in_order=True)` is `vnode simulate broadcast_binomial
--nodes 8 --topology ring --bytes 64K --in-order`. `vnode COMMAND --help` tells what each takes. Numbers are seconds and bytes.
What is wrong is a UsageError with the program's sentence.
"""

from __future__ import annotations

import base64
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import warnings
from typing import Any, Dict, List, Optional, Sequence, Union

from vnode._errors import SystemError, UsageError
from vnode._library import library
from vnode._options import Schedule, Transfer

Json = Dict[str, Any]
Path = Union[str, "os.PathLike[str]"]


def program() -> str:
    """Returns the path of the program `vnode`."""
    named = os.environ.get("VNODE_PROGRAM")
    if named:
        return named
    loaded = pathlib.Path(str(library._name)).resolve()
    for folder in (loaded.parent.parent, loaded.parent.parent.parent):
        if "/" in str(library._name) and (folder / "bin" / "vnode").is_file():
            return str(folder / "bin" / "vnode")
    found = shutil.which("vnode")
    if found is None:
        raise SystemError("the program vnode is not found: install it, or name it by VNODE_PROGRAM")
    return found


def run(command: str, *arguments: str, **options: Any) -> str:
    """Returns what `vnode COMMAND ARGUMENT... --OPTION VALUE...` writes. An option that is True is named only, one that is None
    or False is left out; of a list the elements are joined by commas; a vnode.Schedule is written to a file."""
    with tempfile.TemporaryDirectory(prefix="vnode-") as folder:
        words = [program(), command, *arguments]
        for name, value in options.items():
            if value is None or value is False:
                continue
            words.append("--" + name.replace("_", "-"))
            if value is not True:
                words.append(_word(value, folder))
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode < 0:
        raise SystemError(f"vnode {command} was ended by signal {-done.returncode}")
    if done.returncode and (done.returncode == 2 or not done.stdout):
        raise UsageError(done.stderr.strip() or f"vnode {command} ends with {done.returncode}")
    if done.stderr.strip():
        warnings.warn(done.stderr.strip().removeprefix("vnode: "), stacklevel=3)
    return str(done.stdout)


def _word(value: Any, folder: str) -> str:
    if isinstance(value, Schedule):
        file = pathlib.Path(folder) / f"{re.sub('[^A-Za-z0-9_.-]', '_', value.name)}.txt"
        file.write_text(text(value))
        return str(file)
    if isinstance(value, (list, tuple)):
        return ",".join(str(element) for element in value)
    return str(value)


def text(schedule: Schedule) -> str:
    """Returns a schedule in the text form that `vnode show` prints and all `schedule=` read."""
    lines = [f"nodes {schedule.nodes} blocks {schedule.blocks}"]
    for i, transfers in enumerate(schedule.rounds):
        lines.append(f"{i + 1}: " + " ".join(_transfer_text(transfer) for transfer in transfers))
    return "\n".join(lines) + "\n"


def _transfer_text(transfer: Transfer) -> str:
    """Returns `a>b[0-3]`; `a+>b` combines a's blocks before b's own, `a>+b` after; `[0-3:4-7]` if they go into others."""

    def blocks(intervals: Sequence[Any]) -> str:
        return ",".join(f"{first}" if last == first + 1 else f"{first}-{last - 1}" for first, last in intervals)

    arrow = {"replace": ">", "combine_before": "+>", "combine_after": ">+"}[transfer.effect]
    what, into = blocks(transfer.what), blocks(transfer.into)
    return f"{transfer.source}{arrow}{transfer.to}[{what}{'' if into == what else ':' + into}]"


class Picture:
    """A picture as SVG, which notebooks show inline, and keep where they become pages."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        # What makes pages of notebooks may leave bare SVG out.
        return f'<img src="data:image/svg+xml;base64,{base64.b64encode(self.svg.encode()).decode()}" alt="{html.escape(self._title())}">'

    def _title(self) -> str:
        found = re.search("<title[^>]*>([^<]*)</title>", self.svg)
        return html.unescape(found.group(1)) if found else "a picture"

    def save(self, file: Path) -> None:
        suffix = ".svg" if self.svg.startswith("<svg") else ".html"
        if pathlib.Path(file).suffix != suffix:
            raise UsageError(f"{os.fspath(file)}: what is drawn is {suffix[1:].upper()}, and its file ends with {suffix}")
        pathlib.Path(file).write_text(self.svg, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<vnode.lab.Picture of {len(self.svg)} bytes>"


class Report(str):
    """A text that notebooks show with its lines as they are."""

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


def _positional(algorithm: Optional[str]) -> List[str]:
    if isinstance(algorithm, Schedule):
        raise UsageError("a Schedule is given by its keyword: schedule=...")
    return [] if algorithm is None else [algorithm]


def algorithms(collective: Optional[str] = None) -> List[Json]:
    """Returns the algorithms there are and what they promise."""
    found: List[Json] = json.loads(run("algorithms", collective=collective, format="json"))
    return found


def show(algorithm: Optional[str] = None, **options: Any) -> Report:
    """Returns the rounds of an algorithm as text, or of `schedule`, a vnode.Schedule or a file."""
    return Report(run("show", *_positional(algorithm), **options))


def schedule_of(algorithm: str, **options: Any) -> Json:
    """Returns the schedule of an algorithm: its nodes, blocks, rounds and transfers."""
    found: Json = json.loads(run("show", algorithm, format="json", **options))
    return found


def verify(algorithm: Union[str, Sequence[str], None] = None, **options: Any) -> List[Json]:
    """Proves that an algorithm, several, or all keep their promises and that the proof rejects mutants; returns the numbers of
    checks, mutants and failures. With `schedule` and `collective`, a schedule: its "faults", none if it is right, whether it
    combines "in_order" of ranks and by the "canonical" expression or serves "varying" counts, how many "mutants" of it were
    tried, and those "accepted", which are right schedules, too."""
    if isinstance(algorithm, Schedule):
        raise UsageError("verify(schedule=...): a Schedule is given by its keyword, with collective=...")
    if algorithm is not None:
        options["algorithm"] = algorithm
    proved = json.loads(run("verify", format="json", **options))
    return proved if isinstance(proved, list) else [proved]


def simulate(algorithm: Optional[str] = None, **options: Any) -> Any:
    """Predicts the time of an algorithm: by formula, round by round ("step_synchronous"), message by message
    ("event_driven"). With `sweep`, "bytes=8:8M", returns a list."""
    return json.loads(run("simulate", *_positional(algorithm), format="json", **options))


def explain(collective: str, **options: Any) -> Json:
    """Returns which algorithm is chosen for a call, and what the others would cost."""
    found: Json = json.loads(run("explain", collective, format="json", **options))
    return found


def compare(collective: str, **options: Any) -> Json:
    """Compares the algorithms of a collective over sizes, predicted and, with `measure=True`, measured: "rows"."""
    found: Json = json.loads(run("compare", collective=collective, format="json", **options))
    return found


def draw_comparison(collective: str, **options: Any) -> Picture:
    """Draws that as a plot of times over sizes."""
    return Picture(run("compare", collective=collective, format="svg", **options))


def cost(algorithm_or_collective: str, **options: Any) -> Report:
    """Returns what algorithms cost, as formulas and numbers."""
    return Report(run("cost", algorithm_or_collective, **options))


def draw(algorithm: Optional[str] = None, **options: Any) -> Picture:
    """Draws the rounds of an algorithm; `picture` may be "space-time", "heat-map" or "mapping"."""
    return Picture(run("draw", *_positional(algorithm), **options))


def machine(description: Optional[str] = None) -> Json:
    """Returns this machine, or the one that a synthetic description or a file of hwloc's XML describes."""
    found: Json = json.loads(run("topo", machine=description, format="json"))
    return found


def map(topology: Optional[str] = None, **options: Any) -> Json:
    """Lays a topology on a machine, by each mapping or one, and returns how long its links are."""
    found: Json = json.loads(run("map", topology=topology, format="json", **options))
    return found


def draw_map(topology: Optional[str] = None, mapping: str = "compact", **options: Any) -> Picture:
    """Draws a topology on a machine by one mapping."""
    return Picture(run("map", topology=topology, mapping=mapping, format="svg", **options))


def place(collective: str, **options: Any) -> Json:
    """Runs placement experiments: a collective by mappings and banks, predicted and, on this machine, measured."""
    found: Json = json.loads(run("place", collective=collective, format="json", **options))
    return found
