#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

class Schedule;

/// Represents a schedule of the user's own that a call runs instead of an algorithm of the registry: see
/// CallOptions::schedule; vnode/model/schedule.hpp says how to write one. It is immutable, and copies are
/// cheap.
class OwnSchedule {
 public:
  /// Takes a schedule, and the name that stands for an algorithm's in Group::last_algorithm() and messages. A
  /// team treats equal schedules as one, by the name that it saw first.
  explicit OwnSchedule(Schedule schedule, std::string name = "own_schedule");

  /// Returns the schedule.
  const Schedule& schedule() const;
  /// Returns the name.
  std::string_view name() const;

  /// Holds the content that copies share.
  struct Content;
  /// Returns the content; equal addresses mean equal schedules as long as one of them is kept.
  const std::shared_ptr<const Content>& content() const { return content_; }

 private:
  std::shared_ptr<const Content> content_;
};

}  // namespace vnode
#pragma GCC visibility pop
