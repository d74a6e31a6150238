// SPDX-License-Identifier: Apache-2.0
// The table as JSON, for programs that start this one: rccebench takes names, help and bounds from it.
#include <cstdio>
#include <string>
#include <string_view>

#include "algorithms/collectives.h"
#include "core/table.hpp"

namespace algorithms {
namespace {

std::string quoted(const char* text) {
  if (text == nullptr) return "null";
  std::string result = "\"";
  for (const char c : std::string_view(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + '"';
}

std::string truth(bool value) {
  return value ? "true" : "false";
}

std::string json_of(const rockcreek_operation_description& what) {
  return "{\"name\": " + quoted(what.name) + ", \"has_message\": " + truth(what.has_message != 0) +
      ", \"has_root\": " + truth(what.has_root != 0) + ", \"combines\": " + truth(what.combines != 0) +
      ", \"until\": " + quoted(what.until) + ", \"right\": " + quoted(what.right) +
      ", \"wrong\": " + quoted(what.wrong) + "}";
}

std::string json_of(const rockcreek_parameter& parameter) {
  return "{\"name\": " + quoted(parameter.name) + ", \"unit\": " + quoted(parameter.unit) +
      ", \"least\": " + std::to_string(parameter.least) + ", \"most\": " + std::to_string(parameter.most) +
      ", \"default_value\": " + std::to_string(parameter.default_value) +
      ", \"words\": " + quoted(parameter.words) + ", \"tried\": " + quoted(parameter.tried) +
      ", \"fixed\": " + truth(parameter.fixed != 0) + ", \"or_file\": " + truth(parameter.or_file != 0) +
      ", \"help\": " + quoted(parameter.help) + "}";
}

std::string json_of(const rockcreek_algorithm& row) {
  std::string parameters;
  for (const rockcreek_parameter& parameter : parameters_of(row))
    parameters += (parameters.empty() ? "" : ", ") + json_of(parameter);
  return "{\"name\": " + quoted(row.name) +
      ", \"operation\": " + quoted(rockcreek_operations[row.operation].name) +
      ", \"summary\": " + quoted(row.summary) + ", \"cost\": " + quoted(row.cost) +
      ", \"source\": " + quoted(row.source) + ", \"own_file\": " + truth(is_foreign(row)) +
      ", \"needs_mesh\": " + truth((row.needs & ROCKCREEK_NEEDS_MESH) != 0) +
      ", \"needs_registers\": " + truth((row.needs & ROCKCREEK_NEEDS_REGISTERS) != 0) +
      ", \"needs_air\": " + truth((row.needs & ROCKCREEK_NEEDS_AIR) != 0) +
      ", \"needs_tags\": " + truth((row.needs & ROCKCREEK_NEEDS_TAGS) != 0) +
      ", \"exact_ranks\": " + truth((row.needs & ROCKCREEK_EXACT_RANKS) != 0) +
      ", \"uses_requests\": " + truth((row.needs & ROCKCREEK_USES_REQUESTS) != 0) +
      ", \"fixed_order\": " + truth((row.needs & ROCKCREEK_FIXED_ORDER) != 0) +
      ", \"reads_payload\": " + truth((row.needs & ROCKCREEK_READS_PAYLOAD) != 0) +
      ", \"own_copies\": " + truth((row.needs & ROCKCREEK_OWN_COPIES) != 0) + ", \"parameters\": [" +
      parameters + "]}";
}

} // namespace
} // namespace algorithms

void rockcreek_describe(FILE* to) {
  using namespace algorithms;
  const char* separator = "";
  std::fprintf(to, "{\"operations\": [");
  for (const rockcreek_operation_description& what : rockcreek_operations) {
    std::fprintf(to, "%s\n  %s", separator, json_of(what).c_str());
    separator = ",";
  }
  separator = "";
  std::fprintf(to, "],\n \"algorithms\": [");
  for (const rockcreek_algorithm* row : rows()) {
    std::fprintf(to, "%s\n  %s", separator, json_of(*row).c_str());
    separator = ",";
  }
  separator = "";
  std::fprintf(to, "],\n \"faulty\": [");
  for (const Faulty& one : faulty_rows()) {
    std::fprintf(to, "%s\n  {\"name\": %s, \"fault\": %s}", separator, quoted(one.row->name).c_str(),
                 quoted(one.text().c_str()).c_str());
    separator = ",";
  }
  std::fprintf(to, "]}\n");
}
