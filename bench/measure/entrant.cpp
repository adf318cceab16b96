#include "measure/entrant.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <vnode/error.hpp>

#include "statistics/statistics.hpp"

namespace vnode::bench {
namespace {

constexpr double batch_us = 200;  // what a batch of calls should last where callers share cores
constexpr int variants_kept = 2;  // of each choice, after the warm-up

double time(const Entrant& entrant) { return median(entrant.series.all()); }

// NaN, where every call was late, counts as slow.
bool faster(const Entrant& a, const Entrant& b) {
  return std::isnan(time(b)) ? !std::isnan(time(a)) : time(a) < time(b);
}

// Of those that still run: one that was stopped has no times, and is no better than one whose calls were
// late.
void keep_fastest(std::span<Entrant> variants) {
  std::vector<Entrant*> order;
  for (Entrant& variant : variants)
    if (variant.running) order.push_back(&variant);
  std::ranges::stable_sort(order, [](const Entrant* a, const Entrant* b) { return faster(*a, *b); });
  for (std::size_t i = variants_kept; i < order.size(); ++i) order[i]->running = false;
}

Entrant* fastest_of(std::span<Entrant> variants) {
  Entrant* fastest = nullptr;
  for (Entrant& variant : variants)
    if (variant.running && (!fastest || faster(variant, *fastest))) fastest = &variant;
  return fastest;
}

int batch(const Entrant& entrant) {
  const double us = time(entrant) * entrant.contestant->repeats;
  return std::isnan(us) ? 1 : static_cast<int>(std::clamp(batch_us / us, 1.0, 100.0));
}

// Calls each(choice, its variants) for limits and what is measured beside.
template <class Each>
void for_choices(std::vector<Entrant>& entrants, const Question& question, Each each) {
  std::size_t first = question.contestants.size();
  for (const auto* choices : {&question.limits, &question.beside})
    for (const Choice& choice : *choices) {
      each(choice, std::span{entrants}.subspan(first, choice.variants.size()), choices == &question.limits);
      first += choice.variants.size();
    }
}

}  // namespace

std::vector<Entrant> entrants(Question& question) {
  std::vector<Entrant> all;
  for (Contestant& contestant : question.contestants) all.push_back({&contestant});
  for (auto* choices : {&question.limits, &question.beside})
    for (Choice& choice : *choices)
      for (Contestant& variant : choice.variants) all.push_back({&variant});
  return all;
}

void begin(std::vector<Entrant>& entrants, const Question& question, bool core_each) {
  for_choices(entrants, question,
              [](const Choice&, std::span<Entrant> variants, bool) { keep_fastest(variants); });
  for (Entrant& entrant : entrants) {
    if (!core_each) entrant.batch = batch(entrant);
    entrant.series = {.laps = {}, .inside_us = {}, .wrong = entrant.series.wrong};
  }
}

bool lacking(std::span<const Entrant> entrants) {
  return std::ranges::any_of(
      entrants, [](const Entrant& entrant) { return entrant.running && entrant.series.all().empty(); });
}

Outcome outcome(std::vector<Entrant>& entrants, const Question& question) {
  Outcome outcome;
  for_choices(entrants, question, [&](const Choice& choice, std::span<Entrant> variants, bool limit) {
    const Entrant* fastest = fastest_of(variants);
    if (limit && fastest->series.wrong > 0)
      throw SystemError{fmt::format("the limit {}, {}, computes wrong on this machine", choice.name,
                                    fastest->contestant->by)};
    ChoiceTimes times{choice.name, fastest->contestant->by, choice.times, fastest->series,
                      fastest->series.medians()};
    for (double& us : times.medians) us *= choice.times;
    (limit ? outcome.limits : outcome.beside).push_back(std::move(times));
  });
  for (std::size_t i = 0; i < question.contestants.size(); ++i)
    outcome.series.push_back(std::move(entrants[i].series));
  return outcome;
}

}  // namespace vnode::bench
