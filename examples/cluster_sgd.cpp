// Data-parallel stochastic gradient descent: every node of all machines has examples of its own and all
// weights. In each step it computes the gradient over a few of its examples, an all_reduce adds the
// gradients of all nodes, and all take the same step. What is learned is a linear function, whose weights are
// known: so the answer is checked.
//
//     mpirun --bind-to none -n 2 cluster_sgd
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include <vnode/cluster.hpp>

namespace {

constexpr std::size_t features = 64, examples = 256, batch = 8;  // examples: of a node
constexpr int epochs = 6;
constexpr float rate = 0.3F;

struct Example {
  std::vector<float> x;
  float y;
};

/// The weights to be found.
float true_weight(std::size_t i) { return static_cast<float>(i % 7) - 3; }

/// Examples that no other node has.
std::vector<Example> examples_of(int rank) {
  std::mt19937 random(static_cast<unsigned>(rank) + 1);
  std::uniform_real_distribution<float> anywhere(-1, 1);
  std::vector<Example> made(examples);
  for (Example& one : made) {
    one.y = 0;
    for (std::size_t i = 0; i < features; ++i) {
      one.x.push_back(anywhere(random));
      one.y += true_weight(i) * one.x.back();
    }
  }
  return made;
}

/// Adds the gradient of (w x - y)^2 / 2 by w.
void add_gradient(const Example& one, const std::vector<float>& w, std::vector<float>& gradient) {
  float error = -one.y;
  for (std::size_t i = 0; i < features; ++i) error += w[i] * one.x[i];
  for (std::size_t i = 0; i < features; ++i) gradient[i] += error * one.x[i];
}

/// Returns the weights. They are the same in all nodes, bit by bit, since an all_reduce's results are.
std::vector<float> learn(vnode::Node& me) {
  const std::vector<Example> own = examples_of(me.rank());
  std::vector<float> w(features), gradient(features);
  // The same call in every step: it is planned once.
  vnode::Persistent sum = me.persistent().all_reduce(gradient, std::plus<>{});
  const float step = rate / static_cast<float>(batch * static_cast<std::size_t>(me.size()));
  for (int epoch = 0; epoch < epochs; ++epoch)
    for (std::size_t first = 0; first < examples; first += batch) {
      gradient.assign(features, 0);
      for (std::size_t i = first; i < first + batch; ++i) add_gradient(own[i], w, gradient);
      sum.start();
      sum.wait();
      for (std::size_t i = 0; i < features; ++i) w[i] -= step * gradient[i];
    }
  return w;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0, result = EXIT_SUCCESS;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  {
    vnode::Cluster cluster{MPI_COMM_WORLD, 2};
    cluster.run([&](vnode::Node& me) {
      const std::vector<float> w = learn(me);
      float worst = 0;
      for (std::size_t i = 0; i < features; ++i) worst = std::fmax(worst, std::fabs(w[i] - true_weight(i)));
      std::vector<float> first = w;
      me.broadcast(first);
      const bool same = me.all_reduce(first == w, std::logical_and<>{});
      if (me.rank() != 0) return;
      const bool good = same && worst < 0.01F;
      std::printf("%d nodes on %d machines: largest error of a weight %.1e, weights %s%s\n", me.size(),
                  cluster.machines(), static_cast<double>(worst), same ? "the same everywhere" : "differ",
                  good ? "" : ": wrong");
      if (!good) result = EXIT_FAILURE;
    });
  }
  MPI_Finalize();
  return result;
}
