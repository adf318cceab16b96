#pragma once

#include <optional>
#include <string>

#include <vnode/lab/draw.hpp>

#include "command_line/command.hpp"
#include "options/place.hpp"

namespace vnode {

/// Says what a command writes, if there is no more to choose from: text for a person, one JSON value, or, of
/// a command that has a table, its lines as CSV.
enum class Format { text, json, csv };

/// Adds --format text|json. `format` outlives the reading and holds the default.
inline void add_format(const Command& command, Format& format) {
  command.group("Output").choice("--format", {{"text", Format::text}, {"json", Format::json}}, format,
                                 "what to write");
}

/// Adds --format text|json|csv in the same way.
inline void add_table_format(const Command& command, Format& format) {
  command.group("Output").choice("--format",
                                 {{"text", Format::text}, {"json", Format::json}, {"csv", Format::csv}},
                                 format, "what to write");
}

/// Adds --theme in the same way.
inline void add_theme(const Command& command, Theme& theme) {
  command.group("Output").choice("--theme",
                                 {{"auto", Theme::automatic}, {"light", Theme::light}, {"dark", Theme::dark}},
                                 theme, "colours; auto: as the reader's system");
}

/// Adds --output, a file.
inline void add_output(const Command& command, std::optional<std::string>& output) {
  command.group("Output")
      .option("--output", into(output), "the file to write (default: standard output)")
      .type_name("FILE");
}

/// Says what a command writes that has a table and a picture of it, and where.
struct ReportOptions {
  enum class Form { table, json, csv, svg, html } form = Form::table;
  Theme theme = Theme::automatic;
  std::optional<std::string> output{};
};

/// Adds --theme and --output of a report.
inline void add_look(const Command& command, ReportOptions& report) {
  add_theme(command, report.theme);
  add_output(command, report.output);
}

/// Throws UsageError for --theme of a report without colours.
inline void check_theme(const ReportOptions& report) {
  refuse_unread(report.theme != Theme::automatic && report.form != ReportOptions::Form::svg &&
                    report.form != ReportOptions::Form::html,
                "--theme", "only --format svg and html have colours");
}

}  // namespace vnode
