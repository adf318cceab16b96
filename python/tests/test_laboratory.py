"""The laboratory, by the program `vnode`."""

import base64
import xml.etree.ElementTree

import pytest

import vnode
from vnode import lab


@pytest.fixture(autouse=True)
def program():
    try:
        lab.program()
    except vnode.SystemError as error:
        pytest.skip(str(error))


def test_algorithms_are_listed_shown_and_verified():
    names = [row["name"] for row in lab.algorithms("broadcast")]
    assert "broadcast_binomial" in names and len(lab.algorithms()) > len(names)
    shown = lab.show("broadcast_binomial", nodes=4)
    assert "1: 0>2" in shown
    assert lab.schedule_of("broadcast_binomial", nodes=4)["rounds"][0][0]["to"] == 2
    proofs = lab.verify(["broadcast_binomial", "reduce_binomial"], max_nodes=5)
    assert [proof["failures"] for proof in proofs] == [0, 0] and all(proof["mutants"] > 0 for proof in proofs)


def test_times_are_predicted_and_choices_explained():
    costs = {"ts": 1000, "tw": 1, "top": 0}
    one = lab.simulate("broadcast_binomial", nodes=8, topology="hypercube", bytes=1000, **costs)
    assert one["formula"] == pytest.approx(3 * 2e-6)
    swept = lab.simulate("broadcast_binomial", nodes=8, sweep="bytes=8:64", **costs)
    assert [run["bytes"] for run in swept] == [8, 16, 32, 64]
    explained = lab.explain("all_reduce", nodes=8, bytes="1M", in_order=True, costs="typical")
    assert sum(candidate["chosen"] for candidate in explained["candidates"]) == 1
    assert "t_s" in lab.cost("broadcast_binomial", nodes=8)


def test_pictures_are_svg_for_notebooks(tmp_path):
    for picture in (lab.draw("broadcast_hypercube", nodes=8), lab.draw("broadcast_binomial", nodes=4, picture="space-time"),
                    lab.draw_map("mesh:2x2", machine="pack:1 core:4 pu:1")):
        assert xml.etree.ElementTree.fromstring(picture._repr_svg_()).tag.endswith("svg")
        shown = xml.etree.ElementTree.fromstring(picture._repr_html_().replace(">", "/>"))
        assert base64.b64decode(shown.attrib["src"].split(",")[1]).decode() == picture.svg and shown.attrib["alt"]
        picture.save(tmp_path / "picture.svg")
        assert (tmp_path / "picture.svg").read_text(encoding="utf-8") == picture.svg
    with pytest.raises(vnode.UsageError, match="what is drawn is SVG, and its file ends with .svg"):
        picture.save(tmp_path / "picture.png")
    page = lab.draw("broadcast_binomial", nodes=4, format="html")
    page.save(tmp_path / "rounds.html")
    with pytest.raises(vnode.UsageError, match="what is drawn is HTML, and its file ends with .html"):
        page.save(tmp_path / "rounds.svg")


def test_machines_mappings_and_placements():
    assert len(lab.machine("numa:2 core:4 pu:1")["pus"]) == 8 and lab.machine()["this_system"]
    mappings = lab.map("mesh:2x4", machine="numa:2 core:4 pu:1")["mappings"]
    assert {"compact", "mesh_blocks"} <= {mapping["name"] for mapping in mappings}
    placed = lab.place("broadcast", nodes=4, banks=["owner", "one"], bytes=["1K", "64K"], machine="numa:2 core:2 pu:1")
    assert len(placed["outcomes"]) == 4 and all(outcome["predicted"] > 0 for outcome in placed["outcomes"])


def test_own_schedules_are_drawn_verified_and_run_alike():
    ring = vnode.Schedule("halves", 4, 2)
    ring.add(0, 0, 1, what=0)
    ring.add(0, 0, 3, what=1)
    ring.add(1, 1, 2, what=0)
    ring.add(1, 3, 2, what=1)
    ring.add(1, 0, 1, what=1)
    ring.add(1, 0, 3, what=0)
    assert lab.text(ring).splitlines()[:2] == ["nodes 4 blocks 2", "1: 0>1[0] 0>3[1]"]
    assert lab.verify(schedule=ring, collective="broadcast", ports="all")[0]["faults"] == []
    assert "svg" in lab.draw(schedule=ring).svg
    ring_sum = vnode.Schedule("sum", 2, 2)
    ring_sum.add(0, 0, 1, what=(0, 2), effect="combine_before")
    ring_sum.add(1, 1, 0, what=[(0, 2)])
    assert lab.text(ring_sum) == "nodes 2 blocks 2\n1: 0+>1[0-1]\n2: 1>0[0-1]\n"
    assert lab.verify(schedule=ring_sum, collective="all_reduce")[0]["faults"] == []


def test_what_is_wrong_is_said_as_the_program_says_it():
    with pytest.raises(vnode.UsageError, match='there is no algorithm "broadcast_foo"; did you mean'):
        lab.show("broadcast_foo")
    with pytest.raises(vnode.UsageError, match="hypercube"):
        lab.simulate("broadcast_hypercube", nodes=6, topology="hypercube")
    with pytest.raises(vnode.UsageError):
        lab.draw("broadcast_binomial", no_such_option=1)


def test_a_keyword_that_is_no_option_is_named():
    with pytest.raises(vnode.UsageError, match="there is no option --node: did you mean --nodes"):
        lab.simulate("broadcast_binomial", node=8)
