#include "repro/audit/trace_files.h"

#include "repro/audit/diff_side.h"
#include "repro/base/error.h"
#include "repro/base/text.h"

namespace repro {

Trace read_trace_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return read_trace(path);
  const fs::path file = path / "trace.bin";
  if (fs::exists(file, error)) return read_trace(file);
  const std::string name = displayable(path.string());
  if (fs::exists(path / "audit.json", error)) {
    const std::vector<std::string> runs = run_names(path);
    throw Error(ErrorKind::input, name + " is an audit, not a run",
                runs.empty() ? ""
                             : "name one of its runs, such as " +
                                   displayable((path / "runs" / runs.front()).string()));
  }
  throw Error(ErrorKind::input, name + " has no trace.bin",
              fs::exists(path / "request.json", error) ? "the run was made with --trace none" : "");
}

}  // namespace repro
