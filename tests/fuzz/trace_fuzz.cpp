#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "repro/base/error.h"
#include "repro/compare/divergence.h"
#include "repro/snapshot/trace.h"
#include "repro/snapshot/trace_format.h"

namespace {

using namespace repro;

// Any bytes are a trace, whole or cut, or an Error of kind input; a whole trace equals itself.
void check(ByteView bytes) {
  try {
    const Trace trace = parse_trace(bytes, "fuzz");
    if (first_divergence(trace, trace).has_value() == trace.complete) std::abort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || error.message().empty()) std::abort();
  }
}

void append_checked(Bytes& out, ByteView bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
  append(out, trace_checksum(bytes));
}

// Random bytes hardly ever have the right checksums: here they are the payloads of blocks that do. The byte
// in front of a payload is its length.
Bytes with_checksums(ByteView payloads) {
  Bytes header(trace_magic.size());
  std::ranges::copy(as_byte_view(trace_magic), header.begin());
  append(header, trace_version);
  Bytes file;
  append_checked(file, header);
  while (!payloads.empty()) {
    const std::size_t size = std::min(std::to_integer<std::size_t>(payloads[0]), payloads.size() - 1);
    Bytes length;
    append(length, static_cast<std::uint32_t>(size));
    append_checked(file, length);
    append_checked(file, payloads.subspan(1, size));
    payloads = payloads.subspan(1 + size);
  }
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = std::as_bytes(std::span(data, size));
  check(bytes);
  check(with_checksums(bytes));
  return 0;
}
