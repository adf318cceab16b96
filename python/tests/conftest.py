import faulthandler
import os

import pytest


@pytest.fixture(autouse=True)
def no_hang():
    """A test that hangs ends the program, with all threads' stacks."""
    faulthandler.dump_traceback_later(240, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


def team(nodes, shape="full", **options):
    """A team whose hangs become reports."""
    import vnode

    typical = vnode.CostModel(t_s=150e-9, t_w=0.1e-9, t_op=0.03e-9)
    return vnode.Team(nodes, shape, **{"time_limit": 60, "costs": typical, **options})


pytest.team = team
os.environ.pop("VNODE_ALGORITHM", None)
