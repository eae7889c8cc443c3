#include "repro/train/batches.h"

#include <catch2/catch_test_macros.hpp>

#include "support/tiny_spec.h"

namespace repro {
namespace {

std::vector<ScheduledBatch> all_batches(const Spec& spec, std::size_t ahead) {
  const Dataset dataset(spec, ".");
  BatchSource source(dataset, spec.training, true, ahead);
  std::vector<ScheduledBatch> out;
  while (auto batch = source.next()) out.push_back(std::move(*batch));
  return out;
}

TEST_CASE("batches come in the order of the schedule, numbered from one") {
  const auto batches = all_batches(tiny_spec(), 2);
  REQUIRE(batches.size() == 16);  // 160 images, batches of 20, 2 epochs
  for (std::size_t i = 0; i < batches.size(); ++i) {
    CHECK(batches[i].step == static_cast<std::int64_t>(i) + 1);
    CHECK(batches[i].epoch == static_cast<std::int64_t>(i) / 8 + 1);
    CHECK(batches[i].batch == static_cast<std::int64_t>(i) % 8 + 1);
    CHECK(batches[i].data.input.shape == Shape{20, 1, 32, 32});
  }
  CHECK(batches[0].data.samples == batches[8].data.samples);  // shuffled once
  CHECK(batches[0].input != batches[8].input);                // noise is drawn anew
}

TEST_CASE("preparing further ahead changes no bit; another seed does") {
  const auto one = all_batches(tiny_spec(), 1);
  const auto many = all_batches(tiny_spec(), 16);
  const auto other = all_batches(tiny_spec({"/seed/data=1"}), 1);
  REQUIRE(one.size() == many.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].data.input.storage == many[i].data.input.storage);
    CHECK(one[i].input == many[i].input);
    CHECK(one[i].input != other[i].input);
  }
}

TEST_CASE("an incomplete last batch is dropped or kept as asked") {
  const auto dropped = all_batches(tiny_spec({"/training/batch_size=50"}), 2);
  const auto kept = all_batches(tiny_spec({"/training/batch_size=50", "/training/last_batch=\"keep\""}), 2);
  CHECK(dropped.size() == 6);
  REQUIRE(kept.size() == 8);
  CHECK(kept[3].data.samples.size() == 10);
}

TEST_CASE("a source that is not used up ends at once") {
  const Spec spec = tiny_spec();
  const Dataset dataset(spec, ".");
  BatchSource source(dataset, spec.training, false);
  CHECK(source.next()->step == 1);
}

}  // namespace
}  // namespace repro
