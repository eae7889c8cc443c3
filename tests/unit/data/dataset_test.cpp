#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <thread>

#include "digits_spec.h"
#include "repro/base/error.h"
#include "repro/base/sha256.h"
#include "repro/data/batch.h"
#include "repro/data/digits.h"

namespace repro {
namespace {

using test::digits_spec;

std::string hash_of(const Tensor& tensor) { return sha256_hex(tensor.storage); }

std::span<const std::int64_t> first_samples(const std::vector<std::int64_t>& order, std::size_t count) {
  return std::span(order).first(count);
}

Dataset digits(const Spec& spec) { return Dataset(spec, std::string(".")); }

TEST_CASE("a prepared batch is the same bytes on every machine") {
  const Dataset data = digits(digits_spec(10000));
  const auto order = data.order(1);
  const Batch batch = data.training_batch(1, first_samples(order, 500));
  CHECK(hash_of(batch.input) == "d845c72b947d7e5e4122da3bc7ae7a59c1f44300283a0042313950aa1c37fca6");
  CHECK(hash_of(batch.target) == "395db7ca95ad4d91f2235f0f6d98411d4091e9a34d0cb5f602e707e1191caeef");
  CHECK(hash_of(data.mean_image()) == "d8ab841978caf3ec6950ab7cc4f48dfe2aa83359267f229b1bc47228d3d9c57b");
  const Batch held_out = data.evaluation_batch(data.part(Part::test));
  CHECK(hash_of(held_out.input) == "deb924dae44d87a95a1f60a744a1f1f124d4b88b84b05f78f911b581351d120e");
  CHECK(data.content_hash() == "29288bbcaf64bdf99ce3f82e333d334fed663b964596e10d1cb6ce38b2eb7282");
}

TEST_CASE("batches have the shape and range that the network expects") {
  const Dataset data = digits(digits_spec());
  CHECK(data.observation_shape() == Shape{1, 32, 32});
  CHECK(data.part(Part::train).size() == 950);
  const auto order = data.order(1);
  Batch batch = data.training_batch(1, first_samples(order, 7));
  CHECK(batch.input.shape == Shape{7, 1, 32, 32});
  CHECK(batch.samples == std::vector<std::int64_t>(order.begin(), order.begin() + 7));
  for (std::size_t i = 0; i < 7; ++i) {
    const auto target = batch.target.values<float>().subspan(i * 1024, 1024);
    CHECK(*std::min_element(target.begin(), target.end()) == 0.0F);
    CHECK(*std::max_element(target.begin(), target.end()) == 1.0F);
  }
  CHECK(data.training_batch(1, {}).input.shape == Shape{0, 1, 32, 32});
}

TEST_CASE("the seeds of data decide what they should and nothing else") {
  const Spec spec = digits_spec(100);
  const Dataset data = digits(spec);
  const std::vector<std::int64_t> samples = {3, 14, 15};
  const Batch batch = data.training_batch(1, samples);

  Spec other = spec;
  other.seed.cpu = other.seed.gpu = 1;
  CHECK((digits(other).training_batch(1, samples).input.storage == batch.input.storage));
  other.seed.data = 1;
  const Dataset reseeded = digits(other);
  CHECK((reseeded.images().pixels == data.images().pixels));
  CHECK(reseeded.order(1) != data.order(1));
  CHECK((reseeded.training_batch(1, samples).input.storage != batch.input.storage));
  other = spec;
  other.data.seed = 1;
  CHECK((digits(other).images().pixels != data.images().pixels));
  CHECK(digits(other).content_hash() != data.content_hash());
  CHECK(digits(other).part(Part::test) == data.part(Part::test));
}

TEST_CASE("an observation depends on epoch and sample, not on its place in a batch") {
  const Dataset data = digits(digits_spec(100));
  const Batch pair = data.training_batch(2, std::vector<std::int64_t>{5, 9});
  const Batch one = data.training_batch(2, std::vector<std::int64_t>{9});
  CHECK((std::memcmp(pair.input.storage.data() + 4096, one.input.storage.data(), 4096) == 0));
  CHECK((data.training_batch(3, std::vector<std::int64_t>{9}).input.storage != one.input.storage));
}

TEST_CASE("shuffling once, every epoch, never") {
  Spec spec = digits_spec(200);
  const Dataset once = digits(spec);
  CHECK(once.order(1) == once.order(2));
  CHECK(once.order(1) != once.part(Part::train));
  spec.training.shuffle = Shuffle::every_epoch;
  const Dataset every = digits(spec);
  CHECK(every.order(1) == once.order(1));
  CHECK(every.order(1) != every.order(2));
  auto sorted = every.order(2);
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == every.part(Part::train));
  spec.training.shuffle = Shuffle::never;
  CHECK(digits(spec).order(5) == once.part(Part::train));
}

TEST_CASE("the mean image is the mean of epoch 0 and is subtracted from inputs only") {
  Spec spec = digits_spec(60);
  spec.input.normalization.reset();
  const Dataset plain = digits(spec);
  CHECK(plain.mean_image().values<float>().empty());
  spec.input.normalization = Normalization::zerocenter;
  const Dataset centred = digits(spec);

  const auto& train = plain.part(Part::train);
  const Batch epoch_0 = plain.training_batch(0, train);
  const auto mean = centred.mean_image().values<float>();
  for (std::size_t p = 0; p < 1024; ++p) {
    double sum = 0;
    for (std::size_t i = 0; i < train.size(); ++i) {
      sum += double{epoch_0.input.values<float>()[i * 1024 + p]};
    }
    REQUIRE(mean[p] == static_cast<float>(sum / static_cast<double>(train.size())));
  }
  const std::vector<std::int64_t> samples = {7};
  for (const bool training : {true, false}) {
    const auto batch = [&](const Dataset& d) {
      return training ? d.training_batch(1, samples) : d.evaluation_batch(samples);
    };
    const Batch with = batch(centred);
    const Batch without = batch(plain);
    CHECK((with.target.storage == without.target.storage));
    for (std::size_t p = 0; p < 1024; ++p) {
      REQUIRE(with.input.values<float>()[p] == without.input.values<float>()[p] - mean[p]);
    }
  }
}

TEST_CASE("input and target are turned together, in training only") {
  Spec spec = digits_spec(40);
  spec.input.noise.reset();
  spec.input.normalization.reset();
  const Dataset turning = digits(spec);
  spec.input.rotate_90 = false;
  const Dataset upright = digits(spec);
  std::array<int, 4> seen{};
  for (std::int64_t sample = 0; sample < 40; ++sample) {
    const std::vector<std::int64_t> one = {sample};
    const Batch turned = turning.training_batch(1, one);
    CHECK((turned.input.storage == turned.target.storage));
    const Batch still = upright.training_batch(1, one);
    CHECK((turning.evaluation_batch(one).input.storage == still.input.storage));
    std::vector<float> out(1024);
    for (std::uint32_t turns = 0; turns < 4; ++turns) {
      rotate_quarter_turns(still.input.values<float>(), 32, turns, out);
      if (std::ranges::equal(out, turned.input.values<float>())) ++seen[turns];
    }
  }
  CHECK(seen[0] + seen[1] + seen[2] + seen[3] == 40);
  CHECK(*std::min_element(seen.begin(), seen.end()) > 0);
}

TEST_CASE("a quarter turn is counter-clockwise") {
  const std::vector<float> square = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<float> out(9);
  rotate_quarter_turns(square, 3, 1, out);
  CHECK(out == std::vector<float>{3, 6, 9, 2, 5, 8, 1, 4, 7});
  rotate_quarter_turns(square, 3, 2, out);
  CHECK(out == std::vector<float>{9, 8, 7, 6, 5, 4, 3, 2, 1});
  rotate_quarter_turns(square, 3, 3, out);
  CHECK(out == std::vector<float>{7, 4, 1, 8, 5, 2, 9, 6, 3});
}

TEST_CASE("without preparation a value is the byte over 255, and a constant image scales to 0") {
  Spec spec;
  spec.data.split = {1, 0, 0};
  const Dataset plain(spec, ImageSet{1, 1, 3, {0, 51, 255}, {0}});
  const Batch batch = plain.training_batch(1, plain.part(Part::train));
  CHECK(std::ranges::equal(batch.input.values<float>(), std::vector<float>{0, 51 / 255.0F, 1}));
  CHECK((batch.input.storage == batch.target.storage));

  spec.input.scale = Scale::per_image;
  const Dataset constant(spec, ImageSet{1, 1, 2, {77, 77}, {0}});
  const Batch flat = constant.evaluation_batch(std::vector<std::int64_t>{0});
  CHECK(std::ranges::equal(flat.input.values<float>(), std::vector<float>{0, 0}));
}

TEST_CASE("noise reaches inputs, not targets, and differs between training and evaluation") {
  Spec spec = digits_spec(20);
  spec.input.rotate_90 = false;
  const Dataset data = digits(spec);
  const std::vector<std::int64_t> one = {4};
  const Batch a = data.training_batch(1, one);
  const Batch b = data.training_batch(2, one);
  const Batch held_out = data.evaluation_batch(one);
  CHECK((a.target.storage == b.target.storage));
  CHECK((a.target.storage == held_out.target.storage));
  CHECK((a.input.storage != b.input.storage));
  CHECK((a.input.storage != held_out.input.storage));
}

TEST_CASE("threads that prepare batches at once change nothing") {
  const Dataset data = digits(digits_spec(300));
  const auto order = data.order(1);
  const Batch alone = data.training_batch(1, order);
  std::vector<Batch> together(4);
  {
    std::vector<std::jthread> threads;
    for (Batch& batch : together) {
      threads.emplace_back([&] { batch = data.training_batch(1, order); });
    }
  }
  for (const Batch& batch : together) {
    CHECK((batch.input.storage == alone.input.storage));
    CHECK((batch.target.storage == alone.target.storage));
  }
}

TEST_CASE("requests that data cannot meet are refused") {
  Spec spec = digits_spec(20);
  const auto message = [&] {
    try {
      digits(spec);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  CHECK(message().empty());
  spec.input.resize->size = {32, 30};
  CHECK(message() ==
        "/input/rotate_90: the images are 32 x 30 pixels, but only square images can be turned by "
        "90 degrees");
  spec.input.rotate_90 = false;
  CHECK(message().empty());
  spec.input.resize->size = {32, 5000};
  CHECK(message() ==
        "/input/resize/size: resizing from 28 x 28 to 32 x 5,000 pixels, but each must be in "
        "[1, 4,096]");
}

TEST_CASE("a sample that is not there is a bug") {
  const Dataset data = digits(digits_spec(20));
  CHECK_THROWS_AS(data.training_batch(1, std::vector<std::int64_t>{20}), Error);
  CHECK_THROWS_AS(data.evaluation_batch(std::vector<std::int64_t>{-1}), Error);
}

}  // namespace
}  // namespace repro
