"""Stochastic gradient descent with data parallelism, as training of a neural network does it.

Every node has all weights and a share of the examples of the batch. In each step it computes the gradient of its share from the
last layer to the first; as soon as there is the gradient of a layer, its all_reduce is started, and goes on while the layer
before is computed. The sums are the same in every step, so they are planned once. All nodes get the same bits from an
all_reduce, so their weights never drift apart.

    data_parallel_sgd.py [NODES] [WIDTH]
"""

import sys
import time
from typing import Callable, List, Tuple

import numpy as np

import vnode

LAYERS, STEPS, RATE = 3, 10, 0.3


def forward(weights: List[np.ndarray], x: np.ndarray) -> List[np.ndarray]:
    values = [x]
    for w in weights:
        values.append(np.tanh(values[-1] @ w))
    return values


def gradient(weights: List[np.ndarray], x: np.ndarray, target: np.ndarray, into: List[np.ndarray],
             ready: Callable[[int], None]) -> float:
    """Returns the error; into[l] becomes its derivative by the weights of layer l, and then ready(l) is called."""
    values = forward(weights, x)
    d = values[-1] - target
    error = float((d * d).sum()) / 2
    for layer in reversed(range(LAYERS)):
        d *= 1 - values[layer + 1] ** 2
        np.matmul(values[layer].T, d, out=into[layer])
        ready(layer)
        d = d @ weights[layer].T
    return error


def train_alone(weights: List[np.ndarray], x: np.ndarray, target: np.ndarray) -> Tuple[List[np.ndarray], List[float]]:
    weights, into, errors = [w.copy() for w in weights], [np.empty_like(w) for w in weights], []
    for _ in range(STEPS):
        errors.append(gradient(weights, x, target, into, lambda layer: None))
        for w, g in zip(weights, into):
            w -= RATE / len(x) * g
    return weights, errors


def train(me: vnode.Node, weights: List[np.ndarray], x: np.ndarray, target: np.ndarray):
    batch = len(x)
    mine = slice(me.rank * batch // me.size, (me.rank + 1) * batch // me.size)
    x, target = x[mine], target[mine]
    weights, into, errors = [w.copy() for w in weights], [np.empty_like(w) for w in weights], []
    sums = [me.persistent().all_reduce(g, "sum") for g in into]
    for _ in range(STEPS):
        error = gradient(weights, x, target, into, lambda layer: sums[layer].start())
        errors.append(me.all_reduce(error, "sum"))
        for w, planned in zip(weights, sums):
            w -= RATE / batch * planned.wait()
    return weights, errors


def main(nodes: int = 4, width: int = 48) -> None:
    random = np.random.default_rng(1)
    layers = lambda: [random.uniform(-2, 2, (width, width)) / width**0.5 for _ in range(LAYERS)]
    teacher, weights = layers(), layers()
    x = random.uniform(-1, 1, (4 * width, width))
    target = forward(teacher, x)[-1]

    alone, errors_alone = train_alone(weights, x, target)
    team = vnode.Team(nodes)
    begin = time.perf_counter()
    results = team.run(train, weights, x, target)
    seconds = time.perf_counter() - begin

    for trained, errors in results:
        assert all((a == b).all() for a, b in zip(trained, results[0][0])), "the weights of the nodes differ"
        assert np.allclose(errors, errors_alone) and all(np.allclose(a, b) for a, b in zip(trained, alone))
    assert errors_alone[-1] < errors_alone[0]
    print(f"{nodes} nodes, {STEPS} steps, {1000 * seconds:.1f} ms: error {errors_alone[0]:.3f} -> {errors_alone[-1]:.3f}; "
          "all nodes have the same weights, bit by bit, and those of one node alone but for rounding")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
