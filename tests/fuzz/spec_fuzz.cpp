#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "repro/base/error.h"
#include "repro/model/model.h"
#include "repro/spec/canonical.h"
#include "repro/spec/decode.h"

// Any bytes are a spec or an Error of kind request; a spec survives being written and read again,
// and its network has shapes or an Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const repro::Spec spec = repro::decode_spec(text, "fuzz");
    if (!(repro::decode_spec(repro::encode_spec(spec), "other") == spec)) std::abort();
    if (repro::canonical_training_spec(spec).empty()) std::abort();
    repro::infer_model(spec.model, {1, 32, 32});
  } catch (const repro::Error& error) {
    if (error.kind() != repro::ErrorKind::request || error.message().empty()) std::abort();
  }
  try {
    repro::parse_override(text);
  } catch (const repro::Error& error) {
    if (error.kind() != repro::ErrorKind::request) std::abort();
  }
  return 0;
}
