#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

class Schedule;

/// A schedule of the user's own, which a call carries out instead of an algorithm of the registry: see
/// CallOptions::schedule; vnode/lab/schedule.hpp says how one is written. It never changes, and copies of it
/// are cheap.
class OwnSchedule {
 public:
  /// `name` stands where an algorithm's would: in Group::last_algorithm(), in messages. Equal schedules are
  /// one to a team: of several names it uses the one that it has seen first.
  explicit OwnSchedule(Schedule schedule, std::string name = "own_schedule");

  /// What is carried out.
  const Schedule& schedule() const;
  /// As given.
  std::string_view name() const;

  /// What copies share, made once.
  struct Content;
  /// Equal addresses are equal schedules for as long as one of them is kept.
  const std::shared_ptr<const Content>& content() const { return content_; }

 private:
  std::shared_ptr<const Content> content_;
};

}  // namespace vnode
#pragma GCC visibility pop
