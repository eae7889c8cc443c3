// The real MNIST test set and Fashion-MNIST's training set, where a machine has them.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <optional>

#include "digits_spec.h"
#include "repro/base/files.h"
#include "repro/data/batch.h"
#include "repro/data/idx.h"

namespace repro {
namespace {

std::optional<fs::path> mnist_folder() {
  if (const char* given = std::getenv("REPRO_MNIST_DIR"); given != nullptr) return given;
  const fs::path beside = fs::path(REPRO_SOURCE_DIR) / ".." / "shared" / "mnist";
  if (fs::exists(beside)) return beside;
  return std::nullopt;
}

std::vector<std::int64_t> label_counts(const ImageSet& set) {
  std::vector<std::int64_t> counts(10);
  for (const std::uint8_t label : set.labels) ++counts[label];
  return counts;
}

TEST_CASE("the MNIST test set is read and prepared") {
  const auto folder = mnist_folder();
  if (!folder) SKIP("no MNIST: set REPRO_MNIST_DIR");
  Spec spec = test::digits_spec();
  spec.data.type = DataType::idx;
  spec.data.images = "t10k-images-idx3-ubyte.gz";
  spec.data.labels = "t10k-labels-idx1-ubyte.gz";
  CHECK(image_size(spec.data, folder->string()) == std::array<std::int64_t, 2>{28, 28});

  const Dataset data(spec, folder->string());
  CHECK(data.images().count == 10000);
  CHECK(label_counts(data.images()) ==
        std::vector<std::int64_t>{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009});
  CHECK(data.part(Part::train).size() == 9500);
  CHECK(data.part(Part::validation).size() == 250);
  CHECK(data.part(Part::test).size() == 250);
  CHECK(data.content_hash() == "67b6c04559df387a198be4bdb3c6f93d9f376b8af29c1d372507a0e0b4639c01");

  spec.data.limit = 100;
  const Dataset first(spec, folder->string());
  CHECK(first.images().count == 100);
  CHECK(std::equal(first.images().pixels.begin(), first.images().pixels.end(), data.images().pixels.begin()));
  CHECK(first.content_hash() != data.content_hash());
}

TEST_CASE("Fashion-MNIST's training set is read") {
  const fs::path folder = "/usr/share/datasets/fashion-mnist";
  const fs::path images = folder / "train-images-idx3-ubyte.gz";
  if (!fs::exists(images)) SKIP("no Fashion-MNIST: install Debian's dataset-fashion-mnist");
  const ImageSet set = read_idx_set(images, folder / "train-labels-idx1-ubyte.gz", {});
  CHECK(set.count == 60000);
  CHECK(label_counts(set) == std::vector<std::int64_t>(10, 6000));
}

}  // namespace
}  // namespace repro
