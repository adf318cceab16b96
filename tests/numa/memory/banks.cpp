#include "banks.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <numeric>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "machine/binding.hpp"
#include "machine/memory_binding.hpp"

std::vector<int> banks() {
  std::vector<int> all(static_cast<std::size_t>(vnode::bank_count()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<int> pus_near_banks(const vnode::Machine& machine) {
  std::vector<int> pus(machine.numas.size(), -1);
  for (const int pu : machine.allowed_pus()) {
    int& first = pus[static_cast<std::size_t>(machine.pus[static_cast<std::size_t>(pu)].numa)];
    if (first < 0) first = pu;
  }
  return pus;
}

void on_pu(const vnode::Machine& machine, int pu, const std::function<void()>& body) {
  std::thread([&] {
    const vnode::PinnedThread pinned(machine.pus[static_cast<std::size_t>(pu)].os_index);
    body();
  }).join();
}

bool all_on(int bank, const vnode::PageAudit& pages) {
  return pages.untouched == 0 && pages.unknown == 0 && pages.on_bank(bank) == pages.touched() &&
         pages.touched() > 0;
}

std::string in_a_process(const std::function<std::string()>& body) {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) return "ended by no pipe";
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    std::string text;
    std::thread([&] {  // a new one: what the old one knows of itself is about the parent
      try {
        text = body();
      } catch (const std::exception& error) {
        text = std::string("ended by ") + error.what();
      }
    })
        .join();
    const bool written = write(pipe_ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(written ? 0 : 1);
  }
  close(pipe_ends[1]);
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t size = 0; (size = read(pipe_ends[0], piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(size));
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? text : text + " ended by status " + std::to_string(status);
}

bool refuse(long system_call, int error) {
  constexpr auto number = static_cast<unsigned>(offsetof(seccomp_data, nr));
  std::array<sock_filter, 4> filter{{
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, number},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<unsigned>(system_call)},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  }};
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
