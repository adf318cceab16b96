// Steps of stochastic gradient descent with data parallelism, as training of a neural network does them.
// Every node has all weights and a block of the examples of the batch. In each step:
//   1. forward: the outputs for the own examples, a[l+1] = tanh(a[l] w[l]) for layer after layer
//   2. backward: the gradient of the error, from the last layer to the first. As soon as there is the
//   gradient
//      of a layer, its all_reduce is started, and goes on while the layer before is computed
//   3. wait for all; subtract the sum of the gradients from the weights
// The all_reduces are the same in every step, so they are planned once: persistent. All nodes get the same
// bits from an all_reduce, so their weights never drift apart, and nobody sends weights after the first step.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

using Matrix = example::Matrix<double>;
using Layers = std::vector<Matrix>;  // a matrix for each layer

constexpr std::size_t layers = 3, steps = 5;
constexpr double rate = 0.3;

Matrix random_matrix(std::size_t rows, std::size_t columns, unsigned seed, double greatest) {
  Matrix made(rows, columns);
  std::mt19937 random(seed);
  for (double& element : made.elements())
    element = std::uniform_real_distribution<>(-greatest, greatest)(random);
  return made;
}

// a[l+1] = tanh(a[l] w[l]): the values between the layers, the input first and the output last.
Layers forward(const Layers& w, const Matrix& input) {
  Layers a{input};
  for (const Matrix& weights : w) {
    Matrix y(a.back().rows(), weights.columns());
    multiply(a.back(), weights, y);
    for (double& element : y.elements()) element = std::tanh(element);
    a.push_back(std::move(y));
  }
  return a;
}

// The sum over the examples of |output - target|^2 / 2; `gradient[l]` becomes its derivative by w[l], and
// then ready(l) is called.
template <class Ready>
double error_and_gradient(const Layers& w, const Matrix& input, const Matrix& target, Layers& gradient,
                          const Ready& ready) {
  const Layers a = forward(w, input);
  Matrix d = a.back();  // the derivative by a[l+1]
  double error = 0;
  for (std::size_t i = 0; i < d.elements().size(); ++i) {
    d.elements()[i] -= target.elements()[i];
    error += d.elements()[i] * d.elements()[i] / 2;
  }
  for (std::size_t l = layers; l-- > 0;) {
    for (std::size_t i = 0; i < d.elements().size(); ++i)
      d.elements()[i] *= 1 - a[l + 1].elements()[i] * a[l + 1].elements()[i];
    multiply(transposed(a[l]), d, gradient[l]);
    ready(l);
    Matrix before(d.rows(), w[l].rows());
    multiply(d, transposed(w[l]), before);
    d = std::move(before);
  }
  return error;
}

void descend(Layers& w, const Layers& gradient, std::size_t batch) {
  for (std::size_t l = 0; l < layers; ++l)
    for (std::size_t i = 0; i < w[l].elements().size(); ++i)
      w[l].elements()[i] -= rate / static_cast<double>(batch) * gradient[l].elements()[i];
}

// The batch: targets are what a network with other weights makes of the inputs.
struct Task {
  Matrix input, target;
  Layers weights;  // to begin with

  explicit Task(std::size_t width) : input(random_matrix(4 * width, width, 1, 1)), target(0, 0) {
    Layers teacher;
    for (unsigned l = 0; l < layers; ++l) {
      const double greatest = 2 / std::sqrt(static_cast<double>(width));
      teacher.push_back(random_matrix(width, width, 10 + l, greatest));
      weights.push_back(random_matrix(width, width, 20 + l, greatest));
    }
    target = forward(teacher, input).back();
  }
};

struct Result {
  Layers weights;
  std::vector<double> errors;  // before each step
  bool everywhere = false;     // all nodes have the same weights, bit by bit
  double seconds = 0;
};

Result train_sequentially(const Task& task) {
  Result result;
  Layers gradient = task.weights;
  const auto begin = [&] { result.weights = task.weights, result.errors.clear(); };
  result.seconds = example::seconds(begin, [&] {
    for (std::size_t step = 0; step < steps; ++step) {
      result.errors.push_back(
          error_and_gradient(result.weights, task.input, task.target, gradient, [](std::size_t) {}));
      descend(result.weights, gradient, task.input.rows());
    }
  });
  return result;
}

Result train_on(vnode::Team& team, const Task& task) {
  Result result;
  team.run([&](vnode::Node& me) {
    const std::size_t batch = task.input.rows();
    const example::Block mine = example::block(batch, me.size(), me.rank());
    const Matrix input = example::rows_of(task.input, mine), target = example::rows_of(task.target, mine);
    Layers w, gradient = task.weights;
    std::vector<double> errors;

    std::vector<vnode::Persistent> sums;
    for (Matrix& layer : gradient)
      sums.push_back(me.persistent().all_reduce(layer.elements(), std::plus<>{}));
    const auto begin = [&] { w = task.weights, errors.clear(); };
    const double seconds = example::seconds(me, begin, [&] {
      for (std::size_t step = 0; step < steps; ++step) {
        errors.push_back(
            error_and_gradient(w, input, target, gradient, [&](std::size_t l) { sums[l].start(); }));
        for (vnode::Persistent& sum : sums) sum.wait();
        descend(w, gradient, batch);
      }
    });

    me.reduce(errors, std::plus<>{});
    std::array<bool, 1> same{true};
    for (const Matrix& layer : w) {
      Matrix first = layer;
      me.broadcast(first.elements());
      same[0] = same[0] && first == layer;
    }
    me.reduce(same, std::logical_and<>{});
    if (me.rank() == 0) result = {w, errors, same[0], seconds};
  });
  return result;
}

// But for rounding, which depends on how the batch is divided.
bool nearly_equal(const Result& a, const Result& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-11 * std::max(1.0, std::abs(y)); };
  bool equal = std::ranges::equal(a.errors, b.errors, near);
  for (std::size_t l = 0; l < layers; ++l)
    equal = equal && std::ranges::equal(a.weights[l].elements(), b.weights[l].elements(), near);
  return equal;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [nodes, width] = example::arguments(argc, argv, {4, 48}, "the width of the layers", 4096);
  vnode::Team team{nodes};
  const Task task(width);
  const Result parallel = train_on(team, task), sequential = train_sequentially(task);
  const bool learned = sequential.errors.back() < sequential.errors.front();
  std::printf("error %.4g, after %zu steps %.4g\n", parallel.errors.front(), steps - 1,
              parallel.errors.back());
  return example::report(std::to_string(steps) + " steps of gradient descent, width " + std::to_string(width),
                         team, parallel.everywhere && learned && nearly_equal(parallel, sequential),
                         parallel.seconds, sequential.seconds);
} catch (const std::exception& error) {
  return example::complain("data_parallel_sgd", error);
}
