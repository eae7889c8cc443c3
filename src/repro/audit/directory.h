#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repro/audit/plan.h"
#include "repro/base/files.h"

namespace repro {

enum class AuditState { running, interrupted, finished };
std::string_view name_of(AuditState state);

// audit.json: written first, and again when the state changes.
struct AuditHeader {
  AuditState state = AuditState::running;
  std::string tool_version;
  std::vector<std::string> argv;
  std::string started, ended;  // UTC; ended "" while running
  std::string device;          // resolved
  std::string device_line;
  std::string rule;
  Filter filter;
  bool expect_different = false;
  std::string isolation;
  std::int64_t runs = 0;  // of each group
  std::vector<PlannedGroup> groups;
  std::vector<std::string> warnings;
};
std::string encode_header(const AuditHeader& header);
// Error{input} for anything that is no audit.json of this version.
AuditHeader decode_header(std::string_view json_text, std::string_view what);
AuditHeader read_header(const fs::path& audit_directory);
void add_warnings(const fs::path& audit_directory, const std::vector<std::string>& warnings);

// Before anything is started: `directory` must be absent, an empty folder, or, with `overwrite`, an earlier
// audit (known by its audit.json). Links are never followed. Error{request} saying what was found.
void check_output_directory(const fs::path& directory, bool overwrite);
// Removes the earlier audit, if that is what is there, and makes the folder. Error{request}.
void make_output_directory(const fs::path& directory, bool overwrite);

// repro-out/<name>/<UTC time>, made unique with a number where a second audit starts within a second.
fs::path default_directory(const std::string& spec_name, const std::string& utc);
// Points the link `latest` beside `directory` to it; replaces an older link only.
void update_latest(const fs::path& directory);

std::string utc_now();  // "2026-11-30T15:00:00Z"
fs::path run_directory(const fs::path& audit_directory, std::string_view group, std::int64_t index);
fs::path proof_directory(const fs::path& audit_directory);  // of the run that --prove adds

}  // namespace repro
