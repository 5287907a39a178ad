#include "driftless/io/json.hpp"

#include <cassert>
#include <cmath>

#include "driftless/io/result_report_fields.hpp"
#include "driftless/io/result_text.hpp"

namespace driftless {
namespace {

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  switch (c) {
    case '"': out += "\\\""; break;
    case '\\': out += "\\\\"; break;
    case '\n': out += "\\n"; break;
    case '\r': out += "\\r"; break;
    case '\t': out += "\\t"; break;
    case '\b': out += "\\b"; break;
    case '\f': out += "\\f"; break;
    default:
      if (code >= 0x20) {
        out += c;
      } else {
        out += "\\u00";
        out += kHex[code >> 4];
        out += kHex[code & 15];
      }
  }
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : make_valid_utf8(text)) append_escaped(out, c);
  return out + '"';
}

}  // namespace

void JsonWriter::break_line() {
  if (indent_ > 0)
    text_ += '\n' + std::string(levels_.size() * static_cast<std::size_t>(indent_), ' ');
}

void JsonWriter::begin_item() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  auto& level = levels_.back();
  if (!level.empty) text_ += level.end == ']' && indent_ > 0 ? ", " : ",";
  if (level.end == '}') break_line();
  level.empty = false;
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  assert(after_key_ || levels_.empty() || levels_.back().end == ']');
  begin_item();
  text_ += text;
  return *this;
}

JsonWriter& JsonWriter::open(char begin, char end) {
  raw(std::string_view(&begin, 1));
  levels_.push_back({end});
  return *this;
}

JsonWriter& JsonWriter::close() {
  assert(!levels_.empty() && !after_key_);
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.end == '}' && !level.empty) break_line();
  text_ += level.end;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(!levels_.empty() && levels_.back().end == '}' && !after_key_);
  begin_item();
  text_ += quote(name) + (indent_ > 0 ? ": " : ":");
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) { return raw(quote(text)); }
JsonWriter& JsonWriter::value(bool flag) { return raw(flag ? "true" : "false"); }
JsonWriter& JsonWriter::value(double number) {
  return std::isfinite(number) ? raw(format_number(number)) : null();
}

namespace {

void write_failure(JsonWriter& json, const Failure& failure) {
  json.key("failure").begin_object();
  json.member("t", failure.t).member("message", failure.message).member("worst", failure.worst);
  json.key("rank");
  if (failure.rank >= 0) {
    json.value(failure.rank);
  } else {
    json.null();
  }
  json.member("last_good", failure.last_good).member("suggestion", failure.suggestion);
  const std::string where = format_source(failure.where);
  if (!where.empty()) json.member("where", where);
  json.end_object();
}

}  // namespace

void write_run_figures(JsonWriter& json, const Report& report) {
  json.member("status", to_string(report.status)).member("message", report.message);
  visit_run_figures(report,
                    [&](std::string_view key, const auto& value) { json.member(key, value); });
}

void write_rows_and_warnings(JsonWriter& json, const Report& report) {
  json.member("dof", report.dof)
      .member("rows", report.rows)
      .member("rank", report.rank)
      .member("redundant", report.redundant)
      .member("not_unique", report.not_unique)
      .member("min_rank", report.min_rank)
      .member("warnings", report.warnings);
}

std::string report_to_json(const RunInfo& info, const Report& report) {
  JsonWriter json(2);
  json.begin_object();
  write_run_figures(json, report);
  write_rows_and_warnings(json, report);
  json.key("figures").begin_object();
  for (const auto& [name, value] : report.figures) json.member(name, value);
  json.end_object().key("seconds").begin_object();
  for (const auto& [name, value] : report.seconds) json.member(name, value);
  json.end_object();
  if (report.status == Status::failed) write_failure(json, report.failure);
  json.member("method", info.method).member("model", info.model_name);
  if (const std::string engine = info.find_engine(); !engine.empty()) json.member("engine", engine);
  return json.end_object().text();
}

}  // namespace driftless
