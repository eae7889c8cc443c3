#pragma once

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/cli.h"

namespace repro {

// A folder in which audits with the fake worker run. `faults` as in fake_worker.cpp.
class FakeAudit {
 public:
  explicit FakeAudit(const std::string& faults = {}, std::map<std::string, std::string> more = {})
      : environment_(std::move(more)) {
    environment_.emplace("REPRO_WORKER", std::getenv("FAKE_WORKER_PATH"));
    environment_["FAKE_WORKER"] = faults;
  }

  Cli cli() const { return Cli(folder_.path(), environment_); }
  // repro-train --config tiny.json --out audit ARGUMENTS
  CliResult run(std::vector<std::string> arguments = {}, const std::string& input = {}) const {
    arguments.insert(arguments.begin(), {"--config", config("tiny.json"), "--out", "audit"});
    return cli()(arguments, input);
  }
  fs::path path(const std::string& name = "audit") const { return folder_.path() / name; }
  nlohmann::json report() const { return nlohmann::json::parse(read_text_file(path() / "report.json")); }

 private:
  TemporaryFolder folder_;
  std::map<std::string, std::string> environment_;
};

}  // namespace repro
