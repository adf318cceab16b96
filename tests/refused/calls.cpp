// These lines must not compile, each with what the compiler says: tests/refused/refused reads them.
#include <array>
#include <functional>
#include <list>
#include <span>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

struct Named {
  std::string name;
};

void refused(vnode::Node& me, double* pointer, const double* fixed_pointer) {
  std::vector<double> x(4);
  const std::vector<double> fixed(4);
  std::vector<int> whole(4);
  std::vector<bool> bits(4);
  std::list<double> list(4);
  std::vector<std::string> texts(4);
  Named named;
  const double constant = 1;
  const std::plus<> plus;

  me.broadcast(pointer);                                          // a pointer has no length
  me.send(fixed_pointer, 1);                                      // a pointer has no length
  me.all_reduce(list, plus);                                      // data are contiguous
  me.broadcast(bits);                                             // data are contiguous
  me.broadcast(texts);                                            // an element is trivially copyable
  me.send(named, 1);                                              // an element is trivially copyable
  me.broadcast(fixed);                                            // these data are written, and are const
  me.recv(std::span(fixed), 1);                                   // these data are written, and are const
  me.irecv(constant, 1);                                          // these data are written, and are const
  me.broadcast(2.5);                                              // this temporary ends too early
  me.all_reduce(x, whole, plus);                                  // in and out hold elements of one type
  me.sendrecv(x, 1, whole, 1);                                    // in and out hold elements of one type
  me.all_reduce(x, [](double a) { return a; });                   // an operator takes two elements
  me.all_reduce(x, std::plus<int>{});                             // what this operator takes cannot hold
  me.all_reduce(1.5, std::multiplies<long>{});                    // what this operator takes cannot hold
  me.scan(x, vnode::commutative{std::plus<float>{}});             // what this operator takes cannot hold
  me.reduce(whole, [](double a, double b) { return a / b; });     // what this operator takes cannot hold
  me.nonblocking().broadcast(std::vector<double>(4));             // this temporary ends too early
  me.nonblocking().all_gather(1.5, x);                            // this temporary ends too early
  me.nonblocking().all_reduce(1.5f, plus);                        // this temporary ends too early
  me.nonblocking().all_reduce(x, std::array<double, 4>{}, plus);  // this temporary ends too early
  me.persistent().scatter(std::vector<int>(4), whole);            // this temporary ends too early
  me.persistent().broadcast(std::array<int, 4>{});                // this temporary ends too early
  me.persistent().scatter_v(x, {1, 1}, std::array<double, 2>{});  // this temporary ends too early
  me.isend(std::vector<char>(4), 1);                              // this temporary ends too early
  me.isend(1, 1);                                                 // this temporary ends too early
  me.irecv(std::vector<char>(4), 1);                              // this temporary ends too early
}
