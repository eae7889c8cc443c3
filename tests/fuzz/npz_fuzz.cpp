#include <cstdint>
#include <cstdlib>
#include <span>

#include "repro/base/error.h"
#include "repro/checkpoint/checkpoint.h"
#include "repro/checkpoint/numpy.h"
#include "repro/checkpoint/zip.h"

namespace {

using namespace repro;

void expect_input(const Error& error) {
  if (error.kind() != ErrorKind::input || error.message().empty()) std::abort();
}

// Whether a member is damaged is found out when it is read.
template <class Action>
void attempt(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    expect_input(error);
  }
}

}  // namespace

// Any bytes are a zip archive or an Error of kind input, and so is each of its members, both as an array and
// as it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attempt([&] {
    const ZipArchive archive(std::as_bytes(std::span(data, size)), "fuzz");
    for (const ZipMember& member : archive.members()) {
      if (archive.find(member.name) != &member) std::abort();
      attempt([&] {
        if (archive.storage(member)->bytes().size() != member.size_bytes) std::abort();
      });
    }
    Checkpoint checkpoint;
    read_npz(archive, "fuzz", checkpoint);
    for (const Item& item : checkpoint.items) {
      if (item.not_compared_reason.empty()) attempt([&] { materialise(item.tensor); });
    }
  });
  return 0;
}
