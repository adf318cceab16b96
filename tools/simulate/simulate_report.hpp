#pragma once

#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/bank_condition.hpp>
#include <vnode/lab/simulate.hpp>
#include <vnode/lab/step_synchronous.hpp>

#include "options/memory.hpp"
#include "options/subject.hpp"

namespace vnode {

/// Holds one simulation with everything it is compared with.
struct Simulated {
  Subject subject;                ///< what was simulated
  Volume volume;                  ///< its size
  SimulationOptions options;      ///< how
  Duplex duplex = Duplex::full;   ///< of the links
  Hockney costs;                  ///< of the formula and the rounds; between machines if there are several
  std::optional<Hockney> inside;  ///< inside a machine, if there are several
  std::string costs_source;       ///< for people: "typical"
  std::optional<double> formula;  ///< seconds by the algorithm's closed form; none for a schedule from a file
  std::optional<double> bound;    ///< seconds that no schedule for the collective is faster than
  std::optional<MemoryChoice> memory;      ///< that messages share; none: there is enough
  std::optional<BankCondition> condition;  ///< whether it feeds all ports
  StepSynchronous steps;                   ///< round by round
  Simulation simulation;                   ///< message by message
};

/// Prints for a person: one simulation with its critical path, or a line for each.
void print_table(const std::vector<Simulated>& all);
/// Prints one line for each, under a line of names, with times in microseconds.
void print_csv(const std::vector<Simulated>& all);
/// Prints its timeline as a trace.
void print_trace(const Simulated& one);
/// Prints everything: an object, or an array of them if it is a sweep.
void print_json(const std::vector<Simulated>& all, bool sweep);

}  // namespace vnode
