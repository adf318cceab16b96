// A step of a decoder (a transformer as llama.cpp runs it), the weights divided among the threads of a pool
// that the program has already. TOKENS tokens go through the layers, each of
//   1. attention: a thread has some of the heads, and their rows of the matrix that maps what they yield to
//      the width again: a sum of which it has its terms only
//   2. all_reduce adds up the threads' terms
//   3. a gated network between two layers of weights: a thread has some of the hidden units, and so terms
//   again
//   4. all_reduce adds them up
// These are two all_reduces of TOKENS x SIZE numbers in a layer, 8 KiB to 64 KiB, for which everybody waits.
// They are done in floats of 32 bits, in bfloat16, half the bytes, and by OpenMP's reduction for comparison.
#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <latch>
#include <mutex>
#include <omp.h>
#include <queue>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

using Matrix = example::Matrix<float>;

constexpr std::size_t tokens = 16, heads = 8, layers = 4;

// Between -1 and 1, as if by chance.
float number(std::uint64_t of, std::size_t i, std::size_t j) {
  std::uint64_t mixed = (of << 48 ^ i << 24 ^ j) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9;
  return static_cast<float>(mixed >> 40) * 0x1p-23F - 1;
}

// Rows and columns of a matrix of weights with `inputs` rows in all, so small that numbers stay of one size.
Matrix weights(std::uint64_t of, std::size_t inputs, example::Block rows, example::Block columns) {
  const float scale = 1.5F / std::sqrt(static_cast<float>(inputs));
  Matrix made(rows.size(), columns.size());
  for (std::size_t i = 0; i < made.rows(); ++i)
    for (std::size_t j = 0; j < made.columns(); ++j)
      made[i][j] = scale * number(of, rows.first + i, columns.first + j);
  return made;
}

// Every row divided by the root of its mean square.
void normalise(const Matrix& x, Matrix& y) {
  for (std::size_t t = 0; t < x.rows(); ++t) {
    float sum = 0;
    for (std::size_t i = 0; i < x.columns(); ++i) sum += x[t][i] * x[t][i];
    const float scale = 1 / std::sqrt(sum / static_cast<float>(x.columns()) + 1e-5F);
    for (std::size_t i = 0; i < x.columns(); ++i) y[t][i] = scale * x[t][i];
  }
}

// A thread's part of a layer, or all of it, and room for what is between.
class Share {
 public:
  Share(std::uint64_t layer, std::size_t d, int parts, int part)
      : head_(d / heads),
        q_(of(4 * layer, d, own_heads(parts, part))),
        k_(of(4 * layer + 1, d, own_heads(parts, part))),
        v_(of(4 * layer + 2, d, own_heads(parts, part))),
        o_(weights(4 * layer + 3, d, own_heads(parts, part), {0, d})),
        gate_(of(100 + 3 * layer, d, example::block(4 * d, parts, part))),
        up_(of(101 + 3 * layer, d, example::block(4 * d, parts, part))),
        down_(weights(102 + 3 * layer, 4 * d, example::block(4 * d, parts, part), {0, d})),
        xq_(tokens, q_.columns()),
        xk_(xq_),
        xv_(xq_),
        z_(xq_),
        a_(tokens, gate_.columns()),
        b_(a_) {}

  // y = the terms of x's attention, of every token to those up to it, that these heads yield.
  void attend(const Matrix& x, Matrix& y) {
    multiply(x, q_, xq_);
    multiply(x, k_, xk_);
    multiply(x, v_, xv_);
    for (std::size_t first = 0; first < q_.columns(); first += head_)
      for (std::size_t t = 0; t < tokens; ++t) attend(t, first);
    multiply(z_, o_, y);
  }
  // y = the terms of the network's output that these hidden units yield.
  void transform(const Matrix& x, Matrix& y) {
    multiply(x, gate_, a_);
    multiply(x, up_, b_);
    for (std::size_t i = 0; i < a_.elements().size(); ++i) {
      float& h = a_.elements()[i];
      h = h / (1 + std::exp(-h)) * b_.elements()[i];
    }
    multiply(a_, down_, y);
  }

 private:
  static Matrix of(std::uint64_t what, std::size_t d, example::Block columns) {
    return weights(what, d, {0, d}, columns);
  }
  // As columns.
  example::Block own_heads(int parts, int part) const {
    const example::Block own = example::block(heads, parts, part);
    return {own.first * head_, own.end * head_};
  }
  void attend(std::size_t t, std::size_t first) {
    std::array<float, tokens> weight{};
    float sum = 0;
    for (std::size_t s = 0; s <= t; ++s) {
      float product = 0;
      for (std::size_t i = first; i < first + head_; ++i) product += xq_[t][i] * xk_[s][i];
      sum += weight[s] = std::exp(product / std::sqrt(static_cast<float>(head_)));
    }
    for (std::size_t i = first; i < first + head_; ++i) {
      z_[t][i] = 0;
      for (std::size_t s = 0; s <= t; ++s) z_[t][i] += weight[s] / sum * xv_[s][i];
    }
  }

  std::size_t head_;
  Matrix q_, k_, v_, o_, gate_, up_, down_, xq_, xk_, xv_, z_, a_, b_;
};

// All layers of one thread, or of the whole.
class Decoder {
 public:
  Decoder(std::size_t d, int parts, int part) : x_(tokens, d), normal_(tokens, d), y_(tokens, d) {
    for (std::uint64_t layer = 0; layer < layers; ++layer) shares_.emplace_back(layer, d, parts, part);
  }
  void begin() {
    for (std::size_t t = 0; t < tokens; ++t)
      for (std::size_t i = 0; i < x_.columns(); ++i) x_[t][i] = number(99, t, i);
  }
  // sum(y) makes of everybody's terms the sum of all.
  template <class Sum>
  void step(const Sum& sum) {
    for (Share& layer : shares_) {
      normalise(x_, normal_);
      layer.attend(normal_, y_);
      add(sum);
      normalise(x_, normal_);
      layer.transform(normal_, y_);
      add(sum);
    }
  }
  const Matrix& x() const { return x_; }

 private:
  template <class Sum>
  void add(const Sum& sum) {
    sum(y_.elements());
    for (std::size_t i = 0; i < x_.elements().size(); ++i) x_.elements()[i] += y_.elements()[i];
  }
  Matrix x_, normal_, y_;
  std::vector<Share> shares_;
};

// As many threads as tasks that wait for each other, as an inference engine has them.
class Pool {
 public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
  }
  // Calls task() once for each thread, and returns when all have returned.
  void on_all(const std::function<void()>& task) {
    std::latch done(static_cast<std::ptrdiff_t>(threads_.size()));
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; i < threads_.size(); ++i)
        tasks_.push([&] {
          task();
          done.count_down();
        });
    }
    changed_.notify_all();
    done.wait();
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return over_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop();
      lock.unlock();
      task();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::function<void()>> tasks_;
  bool over_ = false;
  std::vector<std::jthread> threads_;
};

struct Result {
  Matrix x{0, 0};
  double seconds = 0;
  bool everywhere = true;  // all threads have the same
};

// The threads of the pool join for one step after the other, and leave.
template <class Sum>
Result steps_of(vnode::Team& team, Pool& pool, std::size_t d, const Sum& sum) {
  Result result;
  std::exception_ptr failure;
  std::mutex mutex;
  pool.on_all([&] {
    try {
      vnode::Membership me = team.join();
      Decoder decoder(d, me->size(), me->rank());
      const double seconds = example::seconds(
          *me, [&] { decoder.begin(); },
          [&] { decoder.step([&](std::vector<float>& terms) { sum(*me, terms); }); });
      std::vector<float> first = decoder.x().elements();
      me->broadcast(first);
      const bool same = me->all_reduce(first == decoder.x().elements(), std::logical_and<>{});
      if (me->rank() == 0) result = {decoder.x(), seconds, same};
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  });
  if (failure) std::rethrow_exception(failure);
  return result;
}

void sum_floats(vnode::Node& me, std::vector<float>& terms) { me.all_reduce(terms, std::plus<>{}); }

void sum_in_sixteen_bits(vnode::Node& me, std::vector<float>& terms) {
  thread_local std::vector<vnode::bfloat16> narrow;
  narrow.assign(terms.size(), vnode::bfloat16{});
  std::ranges::transform(terms, narrow.begin(), [](float term) { return vnode::bfloat16(term); });
  me.all_reduce(narrow, std::plus<>{});
  std::ranges::copy(narrow, terms.begin());
}

Result steps_of_openmp(int threads, std::size_t d) {
  Result result;
  std::vector<float> total(tokens * d);
#pragma omp parallel num_threads(threads)
  {
    const int rank = omp_get_thread_num();
    Decoder decoder(d, threads, rank);
    float* const sums = total.data();
    const std::size_t n = total.size();
    const auto sum = [&](std::vector<float>& terms) {
#pragma omp single
      std::fill(sums, sums + n, 0.0F);
#pragma omp for schedule(static, 1) reduction(+ : sums[:n])
      for (int one = 0; one < threads; ++one)
        for (std::size_t i = 0; i < n; ++i) sums[i] += terms[i];
      std::copy(sums, sums + n, terms.begin());
#pragma omp barrier
    };
    const auto prepare = [&] {
      decoder.begin();
#pragma omp barrier
    };
    const double seconds = example::seconds(prepare, [&] {
      decoder.step(sum);
#pragma omp barrier
    });
    if (rank == 0) result = {decoder.x(), seconds, true};
  }
  return result;
}

// The greatest difference, by the size of the numbers.
float difference(const Matrix& a, const Matrix& b) {
  float greatest = 0, size = 0;
  for (std::size_t i = 0; i < a.elements().size(); ++i) {
    greatest = std::max(greatest, std::abs(a.elements()[i] - b.elements()[i]));
    size = std::max(size, std::abs(b.elements()[i]));
  }
  return greatest / size;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [nodes, d] = example::arguments(argc, argv, {4, 128}, "the width of the layers", 4096);
  if (d % heads != 0) throw vnode::UsageError("SIZE must be a multiple of 8: there are 8 heads");
  omp_set_dynamic(0);
  vnode::Team team{nodes, {.threads = vnode::Threads::callers}};
  Pool pool(nodes);
  const Result floats = steps_of(team, pool, d, sum_floats);
  const Result sixteen_bits = steps_of(team, pool, d, sum_in_sixteen_bits);
  const Result openmp = steps_of_openmp(nodes, d);
  Decoder whole(d, 1, 0);
  const double sequential =
      example::seconds([&] { whole.begin(); }, [&] { whole.step([](const std::vector<float>&) {}); });
  const bool right = floats.everywhere && sixteen_bits.everywhere &&
                     difference(floats.x, whole.x()) < 1e-4F && difference(openmp.x, whole.x()) < 1e-4F &&
                     difference(sixteen_bits.x, whole.x()) < 3e-2F;
  std::printf(
      "%zu layers with 2 all_reduces of %zu KiB each; in bfloat16, of half as much, %.3f ms; by OpenMP's "
      "reduction %.3f ms\n",
      layers, tokens * d * sizeof(float) / 1024, sixteen_bits.seconds * 1e3, openmp.seconds * 1e3);
  return example::report(
      "a decoder's step of width " + std::to_string(d) + " for " + std::to_string(tokens) + " tokens", team,
      right, floats.seconds, sequential);
} catch (const std::exception& error) {
  return example::complain("tensor_parallel_decoder", error);
}
