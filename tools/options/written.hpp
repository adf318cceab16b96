#pragma once

#include <optional>
#include <string>

#include <vnode/lab/draw.hpp>

#include "command_line/command.hpp"
#include "command_line/form.hpp"
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
  std::optional<Form> asked{};  ///< by --format
  Theme theme = Theme::automatic;
  std::optional<std::string> output{};
};

inline const Choices<ReportOptions::Form> report_forms{{"table", ReportOptions::Form::table},
                                                       {"json", ReportOptions::Form::json},
                                                       {"csv", ReportOptions::Form::csv},
                                                       {"svg", ReportOptions::Form::svg},
                                                       {"html", ReportOptions::Form::html}};

/// Adds --format, --theme and --output of a report. Once they are read, form_of(report) says its form.
inline void add_look(const Command& command, ReportOptions& report) {
  command.group("Output").choice<ReportOptions::Form>("--format", report_forms, into(report.asked),
                                                      "what to write (default: as --output ends, or table)");
  add_theme(command, report.theme);
  add_output(command, report.output);
}

inline ReportOptions::Form form_of(const ReportOptions& report) {
  return form_of(report_forms, report.asked, ReportOptions::Form::table, report.output);
}

/// Throws UsageError for --theme of a report without colours.
inline void check_theme(const ReportOptions& report) {
  refuse_unread(report.theme != Theme::automatic && report.form != ReportOptions::Form::svg &&
                    report.form != ReportOptions::Form::html,
                "--theme", "only --format svg and html have colours");
}

}  // namespace vnode
