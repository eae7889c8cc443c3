#include <cstdlib>

#include "spec_testing.h"

namespace repro {
namespace {

// docs/spec.md and docs/spec.schema.json are generated. To write them anew:
//   REPRO_REGENERATE=1 <build>/tests/bin/test_spec "generated files are up to date"
void check_or_write(const fs::path& name, const std::string& text) {
  const fs::path path = fs::path(REPRO_SOURCE_DIR) / "docs" / name;
  const char* regenerate = std::getenv("REPRO_REGENERATE");
  if (regenerate != nullptr && std::string_view(regenerate) == "1") write_file(path, std::string_view(text));
  INFO("docs/" << name.string() << " is stale; run test_spec once with REPRO_REGENERATE=1 to write it anew");
  CHECK((fs::exists(path) ? read_text_file(path) : "") == text);
}

TEST_CASE("generated files are up to date") {
  check_or_write("spec.md", spec_documentation());
  check_or_write("spec.schema.json", spec_schema());
}

TEST_CASE("the reference names every key that a spec can have") {
  const std::string documentation = spec_documentation();
  const std::string schema = spec_schema();
  for (const char* key : {"type", "filters", "kernel", "stride", "padding", "ceiling", "units", "entries",
                          "width", "images", "labels", "limit", "rotate_90", "cudnn_benchmark_limit",
                          "flush_denormal", "validation_patience", "compare"}) {
    INFO(key);
    CHECK_THAT(documentation, Catch::Matchers::ContainsSubstring("| `" + std::string(key) + "` |"));
    CHECK_THAT(schema, Catch::Matchers::ContainsSubstring("\"" + std::string(key) + "\": {"));
  }
}

}  // namespace
}  // namespace repro
