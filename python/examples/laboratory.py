"""A walk through the laboratory, cell by cell as in a notebook: there, pictures show inline.

    laboratory.py [FOLDER]    pictures go to FOLDER (default: none is written)
"""

# %% Which algorithms are there for a broadcast, and what do they promise?
import pathlib
import sys

import numpy as np

import vnode
from vnode import lab

folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
for row in lab.algorithms("broadcast")[:5]:
    print(f"{row['name']:28} {row['rounds']:14} {row['source']}")

# %% One of them: its rounds as text, and as a picture
print(lab.show("broadcast_binomial", nodes=8))
picture = lab.draw("broadcast_hypercube", nodes=8)
picture

# %% Is it right, for every p up to 16 and every root? Are wrong ones rejected?
proof = lab.verify("broadcast_binomial", max_nodes=16)[0]
print(f"{proof['checks']} checks, {proof['mutants']} mutants, {proof['failures']} failures")
assert proof["failures"] == 0

# %% What does it take, by length of the message? In time:
sweep = lab.simulate("broadcast_binomial", nodes=8, topology="hypercube", sweep="bytes=1K:64K", ts=1000, tw=1, top=0)
for run in sweep:
    predicted = run["event_driven"]["seconds"]
    assert abs(predicted - 3 * (1e-6 + run["bytes"] * 1e-9)) < 1e-12  # log2 p (t_s + t_w m)
    print(f"{run['bytes']:6d} bytes {1e6 * predicted:8.2f} us")
time = lab.draw("broadcast_binomial", nodes=8, picture="space-time", ts=1000, tw=1)
time

# %% What would a team choose, and why?
for bytes in ("8", "1M"):
    candidates = lab.explain("all_reduce", nodes=8, bytes=bytes, costs="typical")["candidates"]
    chosen = next(candidate for candidate in candidates if candidate["chosen"])
    print(f"all_reduce of {bytes} bytes: {chosen['algorithm']}, {1e6 * chosen['seconds']:.2f} us")

# %% Where would the nodes of a mesh lie on a machine with two packages?
machine = "pack:2 numa:1 l3:2 core:4 pu:1"
for mapping in lab.map("mesh:4x4", machine=machine)["mappings"]:
    print(f"{mapping['name']:22} weighted hops {mapping['weighted_hops']}")
laid = lab.draw_map("mesh:4x4", "mesh_blocks", machine=machine)
laid

# %% A schedule of our own: both ways round a ring of four. Drawn, proved, and run by threads
ring = vnode.Schedule("both_ways", nodes=4, blocks=2)
for round, source, to, block in ((0, 0, 1, 0), (0, 0, 3, 1), (1, 1, 2, 0), (1, 3, 2, 1), (1, 0, 1, 1), (1, 0, 3, 0)):
    ring.add(round, source, to, what=block)
assert lab.verify(schedule=ring, collective="broadcast", ports="all")[0]["faults"] == []
drawn = lab.draw(schedule=ring, topology="ring", title="Both ways round")


def body(me: vnode.Node) -> bool:
    x = np.full(1000, float(me.rank))
    me.broadcast(x, options=vnode.CallOptions(schedule=ring))
    return bool((x == 0).all())


team = vnode.Team(4, "ring")
assert all(team.run(body))

# %% What it did: the messages, timed
team.trace(1000)
team.run(body)
for message in team.take_trace().calls[0].messages:
    print(f"round {message.round}: {message.source} -> {message.to}, {message.bytes} bytes")

if folder is not None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, shown in {"rounds": picture, "time": time, "machine": laid, "own": drawn}.items():
        shown.save(folder / f"{name}.svg")
print("the laboratory is open")
