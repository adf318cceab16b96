"""Where nodes and their buffers lie on a NUMA machine, and what that makes of a collective: a sweep over mappings and banks,
as a table and, with matplotlib, as a plot. On this machine it is measured too; of others it is predicted.

    placement_sweep.py [PLOT.png|PLOT.svg] [MACHINE]    MACHINE: "this", or a synthetic one (default: two NUMA nodes)
"""

import sys
from typing import Dict, List, Optional, Tuple

import numpy as np

import vnode
from vnode import lab

MAPPINGS, BANKS, BYTES = ["compact", "scatter"], ["owner", "peer", "one"], ["16K", "256K", "4M"]
Row = Tuple[str, str, int, float, Optional[float]]


def sweep(machine: Optional[str]) -> List[Row]:
    placed = lab.place("all_gather", nodes=4, mapping=MAPPINGS, banks=BANKS, bytes=BYTES, machine=machine, repeats=5,
                       algorithm="all_gather_ring", bank_bandwidth=20, link_bandwidth=8)
    rows = []
    combinations = [(mapping, bank, size) for mapping in MAPPINGS for bank in BANKS for size in (1 << 14, 1 << 18, 1 << 22)]
    for outcome in placed["outcomes"]:
        mapping, bank, size = next(
            c for c in combinations if f", {c[0]}, banks {c[1]}, {c[2] >> 10}K" in outcome["experiment"]
            or f", {c[0]}, banks {c[1]}, {c[2] >> 20}M" in outcome["experiment"])
        measured = outcome["measured"]
        rows.append((mapping, bank, size, outcome["predicted"], measured["median"] if isinstance(measured, dict) else measured))
    return rows


def plot(rows: List[Row], file: str) -> bool:
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    lines: Dict[Tuple[str, str], List[Tuple[int, float]]] = {}
    for mapping, bank, size, predicted, _ in rows:
        lines.setdefault((mapping, bank), []).append((size, predicted))
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for (mapping, bank), points in lines.items():
        axes.plot(*zip(*sorted(points)), "--" if mapping == "scatter" else "-", marker="o", label=f"{mapping}, banks {bank}")
    axes.set(xscale="log", yscale="log", xlabel="bytes of a node", ylabel="predicted seconds", title="all_gather on a ring")
    axes.legend()
    figure.savefig(file)
    return True


def place_for_real() -> None:
    """What a program does with the answer: a team so mapped, with buffers where its ports want them."""
    team = vnode.Team(4, "ring", mapping="compact", banks="owner")
    inputs = [team.buffer(rank, 1 << 14).array for rank in range(4)]
    outputs = [team.buffer(rank, 4 << 14).array for rank in range(4)]

    def body(me: vnode.Node) -> bool:
        inputs[me.rank][:] = me.rank  # the owner touches it first
        me.all_gather(inputs[me.rank], out=outputs[me.rank], options=vnode.CallOptions(algorithm="all_gather_ring"))
        return bool((outputs[me.rank].reshape(4, -1) == np.arange(4.0)[:, None]).all())

    assert all(team.run(body))
    pages = [vnode.audit_pages(outputs[rank]).on for rank in range(4)]
    print("pages of the outputs by NUMA node:", pages)


def main(file: Optional[str] = None, machine: str = "numa:2 core:4 pu:1") -> None:
    rows = sweep(None if machine == "this" else machine)
    assert len(rows) == len(MAPPINGS) * len(BANKS) * len(BYTES) == len({row[:3] for row in rows})
    for mapping, bank, size, predicted, measured in rows:
        told = "" if measured is None else f", measured {1e6 * measured:9.1f} us"
        print(f"{mapping:8} banks {bank:6} {size >> 10:5d} KiB: predicted {1e6 * predicted:9.1f} us{told}")
    assert all(row[3] > 0 for row in rows)
    if file is not None:
        print(f"{file} is drawn" if plot(rows, file) else "matplotlib is not installed: there is no plot")
    place_for_real()


if __name__ == "__main__":
    main(*sys.argv[1:])
