#include "repro/spec/canonical.h"

#include "spec_testing.h"

namespace repro {
namespace {

using testing::decode_with;

TEST_CASE("only what decides the weights is canonical") {
  const std::string reference = canonical_training_spec(decode_with({}));
  CHECK(reference.starts_with(R"({"data":{"count":10000,"seed":0,"split":{"test":0.025,)"));
  for (const char* change :
       {"/name=\"other\"", "/audit/runs=3", "/audit/compare=\"value\"", "/training/last_batch=\"drop\"",
        "/optimizer={\"l2\": 0.0001, \"type\": \"adam\"}"}) {
    INFO(change);
    CHECK(canonical_training_spec(decode_with({change})) == reference);
  }
  for (const char* change :
       {"/data/count=9999", "/optimizer/learning_rate=0.0010000000000000002", "/seed/gpu=1",
        "/model/layers/0/name=\"other\"", "/model/layers/0/padding=\"same\"", "/execution/threads=1",
        "/input/scale=\"per_image\""}) {
    INFO(change);
    CHECK(canonical_training_spec(decode_with({change})) != reference);
  }
}

TEST_CASE("data files count by content, not by path") {
  const auto canonical = [](const std::string& images, const std::string& limit) {
    return canonical_training_spec(decode_with(
        {R"(/data={"type": "idx", "labels": "l", "limit": )" + limit + ", \"images\": \"" + images + "\"}"}));
  };
  CHECK(canonical("a", "null") == canonical("b", "null"));
  CHECK(canonical("a", "null") != canonical("a", "1"));
}

}  // namespace
}  // namespace repro
