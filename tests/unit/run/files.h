#pragma once

#include <stdlib.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "repro/base/error.h"
#include "repro/base/files.h"
#include "support/temporary_folder.h"

namespace repro {

// A file in a temporary folder, both of which go with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text) { write_file(path_, text); }
  const fs::path& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "file";
};

// The message of the Error{input} that `body` throws, "" if it throws none.
inline std::string input_error(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.kind() == ErrorKind::input ? error.message() : "another kind: " + error.message();
  }
  return "";
}

// `text` with the first `from` replaced, which must be there.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("not in the text: " + std::string(from));
  return text.replace(at, from.size(), to);
}

}  // namespace repro
