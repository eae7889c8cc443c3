#include "repro/audit/directory.h"

#include <unistd.h>

#include <array>
#include <ctime>

#include "repro/base/text.h"

namespace repro {
namespace {

bool is_audit(const fs::path& directory) {
  try {
    read_header(directory);
    return true;
  } catch (const Error&) {
    return false;
  }
}

[[noreturn]] void refuse(const fs::path& directory, const std::string& found, const std::string& hint) {
  throw Error(
      ErrorKind::request,
      "output directory " + displayable(directory.string()) + " " + found + "; it must be new or empty",
      hint);
}

}  // namespace

void check_output_directory(const fs::path& directory, bool overwrite) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(directory, error);
  if (!fs::exists(status)) return;
  if (fs::is_symlink(status)) refuse(directory, "is a link, which is never followed", "name its target");
  if (!fs::is_directory(status)) refuse(directory, "is not a folder", "choose another --out");
  const bool empty = fs::is_empty(directory, error);
  if (error) refuse(directory, "cannot be read: " + error.message(), "choose another --out");
  if (empty) return;
  if (!is_audit(directory)) {
    refuse(directory,
           overwrite ? "holds something that is not an earlier audit (no valid audit.json)" : "is not empty",
           overwrite ? "--overwrite removes only earlier audits; choose another --out"
                     : "choose another --out, or give --overwrite if it holds an earlier audit");
  }
  if (!overwrite) refuse(directory, "holds an earlier audit", "give --overwrite to replace it");
}

void make_output_directory(const fs::path& directory, bool overwrite) {
  check_output_directory(directory, overwrite);
  std::error_code error;
  if (fs::exists(directory) && !fs::is_empty(directory, error)) {
    fs::remove_all(directory, error);
    if (error) refuse(directory, "cannot be emptied: " + error.message(), "remove it by hand");
  }
  fs::create_directories(directory / "runs", error);
  if (error) {
    throw Error(
        ErrorKind::request,
        "cannot make the output directory " + displayable(directory.string()) + ": " + error.message(),
        "choose another --out");
  }
}

fs::path default_directory(const std::string& spec_name, const std::string& utc) {
  std::string stamp;
  for (const char c : utc) {
    if (c != ':' && c != '-') stamp += c;
  }
  const fs::path folder = fs::path("repro-out") / spec_name;
  fs::path directory = folder / stamp;
  for (int n = 2; fs::exists(fs::symlink_status(directory)); ++n) {
    directory = folder / (stamp + "-" + std::to_string(n));
  }
  return directory;
}

void update_latest(const fs::path& directory) {
  const fs::path link = directory.parent_path() / "latest";
  std::error_code error;
  const fs::file_status status = fs::symlink_status(link, error);
  if (fs::exists(status) && !fs::is_symlink(status)) return;  // somebody's own file or folder
  const fs::path temporary = directory.parent_path() / (".latest-" + std::to_string(::getpid()));
  fs::remove(temporary, error);
  fs::create_directory_symlink(directory.filename(), temporary, error);
  if (!error) fs::rename(temporary, link, error);
  if (error) fs::remove(temporary, error);  // a file system without links: a convenience is missing
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

fs::path run_directory(const fs::path& audit_directory, std::string_view group, std::int64_t index) {
  return audit_directory / "runs" / (std::string(group) + "-" + std::to_string(index));
}

fs::path proof_directory(const fs::path& audit_directory) { return audit_directory / "proof"; }

AuditHeader read_header(const fs::path& audit_directory) {
  const fs::path file = audit_directory / "audit.json";
  return decode_header(read_text_file(file), displayable(file.string()));
}

void add_warnings(const fs::path& audit_directory, const std::vector<std::string>& warnings) {
  AuditHeader header = read_header(audit_directory);
  header.warnings.insert(header.warnings.end(), warnings.begin(), warnings.end());
  write_file(audit_directory / "audit.json", encode_header(header));
}

}  // namespace repro
