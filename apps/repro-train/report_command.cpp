#include <memory>

#include "commands.h"
#include "console.h"
#include "exit_code.h"
#include "reports.h"
#include "repro/audit/assemble.h"
#include "repro/audit/directory.h"
#include "repro/base/text.h"

namespace repro {
namespace {

int report(const fs::path& directory, const OutputOptions& output) {
  apply(output);
  const AuditHeader header = read_header(directory);
  if (header.state == AuditState::running) {
    throw Error(ErrorKind::input, displayable(directory.string()) + " is an audit that has not ended",
                "wait for it; if nothing runs any more, repeat it");
  }
  const AuditResult audit = assemble(directory, directory);
  const Judgement judgement =
      judge(audit, header.expect_different ? Expectation::different : Expectation::identical);
  write_reports(audit, judgement, directory);
  show_audit(audit, judgement, output, "");
  return judgement.exit_code == exit_identical && output_failed() ? exit_no_verdict : judgement.exit_code;
}

}  // namespace

Command add_report_command(CLI::App& app) {
  struct Options {
    std::string directory;
    OutputOptions output;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("report", "Compare the runs of a finished audit again and rebuild its reports.");
  command->add_option("DIR", options->directory, "Directory of the audit")->required();
  add_output_options(*command, options->output);
  return [options] { return report(options->directory, options->output); };
}

}  // namespace repro
