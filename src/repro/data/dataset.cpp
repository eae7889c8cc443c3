#include <utility>

#include "repro/base/error.h"
#include "repro/base/files.h"
#include "repro/base/sha256.h"
#include "repro/base/text.h"
#include "repro/data/batch.h"
#include "repro/data/digits.h"
#include "repro/data/idx.h"
#include "repro/data/shuffle.h"

namespace repro {
namespace {

ImageSet load_images(const DataSpec& data, const std::string& folder) {
  switch (data.type) {
    case DataType::digits: return make_digits(data.count, data.seed);
    case DataType::idx:
      return read_idx_set(fs::path(folder) / data.images, fs::path(folder) / data.labels, data.limit);
  }
  throw Error(ErrorKind::bug, "unknown data type");
}

ImageSet checked(ImageSet images) {
  const Shape shape = {images.count, images.rows, images.columns};
  if (images.count < 1 || images.rows < 1 || images.columns < 1 ||
      checked_element_count(shape) != images.pixels.size() ||
      static_cast<std::uint64_t>(images.count) != images.labels.size()) {
    throw Error(ErrorKind::bug, "an image set's sizes and contents do not belong together");
  }
  return images;
}

}  // namespace

Dataset::Dataset(const Spec& spec, const std::string& folder)
    : Dataset(spec, load_images(spec.data, folder)) {}

Dataset::Dataset(const Spec& spec, ImageSet images)
    : images_(checked(std::move(images))),
      split_(split_samples(images_.labels, spec.data.split, spec.seed.data)),
      preparation_(spec.input, spec.seed.data, images_.rows, images_.columns),
      seed_(spec.seed.data),
      shuffle_(spec.training.shuffle),
      mean_(DType::float32, {0}) {
  if (spec.input.normalization == Normalization::zerocenter) mean_ = computed_mean();
}

const std::vector<std::int64_t>& Dataset::part(Part p) const {
  switch (p) {
    case Part::train: return split_.train;
    case Part::validation: return split_.validation;
    case Part::test: return split_.test;
  }
  throw Error(ErrorKind::bug, "unknown part of a data set");
}

Shape Dataset::observation_shape() const { return {1, preparation_.rows(), preparation_.columns()}; }

std::vector<std::int64_t> Dataset::order(std::int64_t epoch) const {
  std::vector<std::int64_t> samples = split_.train;
  switch (shuffle_) {
    case Shuffle::never: break;
    case Shuffle::once: shuffle(samples, seed_, "order/1"); break;
    case Shuffle::every_epoch: shuffle(samples, seed_, "order/" + std::to_string(epoch)); break;
  }
  return samples;
}

std::span<const std::uint8_t> Dataset::pixels_of(std::int64_t sample) const {
  if (sample < 0 || sample >= images_.count) {
    throw Error(ErrorKind::bug,
                "sample " + thousands(sample) + " of a data set of " + thousands(images_.count));
  }
  const auto size = static_cast<std::size_t>(images_.rows * images_.columns);
  return std::span(images_.pixels).subspan(static_cast<std::size_t>(sample) * size, size);
}

Batch Dataset::empty_batch(std::span<const std::int64_t> samples) const {
  const Shape shape = {static_cast<std::int64_t>(samples.size()), 1, preparation_.rows(),
                       preparation_.columns()};
  return {Tensor(DType::float32, shape), Tensor(DType::float32, shape), {samples.begin(), samples.end()}};
}

Batch Dataset::training_batch(std::int64_t epoch, std::span<const std::int64_t> samples) const {
  Batch batch = empty_batch(samples);
  const auto size = static_cast<std::size_t>(preparation_.rows() * preparation_.columns());
  const std::span<float> inputs = batch.input.values<float>();
  const std::span<float> targets = batch.target.values<float>();
  Preparation::Workspace workspace;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::span<float> input = inputs.subspan(i * size, size);
    preparation_.for_training(epoch, samples[i], pixels_of(samples[i]), workspace, input,
                              targets.subspan(i * size, size));
    subtract_mean(input);
  }
  return batch;
}

Batch Dataset::evaluation_batch(std::span<const std::int64_t> samples) const {
  Batch batch = empty_batch(samples);
  const auto size = static_cast<std::size_t>(preparation_.rows() * preparation_.columns());
  const std::span<float> inputs = batch.input.values<float>();
  const std::span<float> targets = batch.target.values<float>();
  Preparation::Workspace workspace;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::span<float> input = inputs.subspan(i * size, size);
    preparation_.for_evaluation(samples[i], pixels_of(samples[i]), workspace, input,
                                targets.subspan(i * size, size));
    subtract_mean(input);
  }
  return batch;
}

Tensor Dataset::computed_mean() const {
  Tensor mean(DType::float32, observation_shape());
  const std::span<float> means = mean.values<float>();
  std::vector<double> sums(means.size());
  std::vector<float> input(means.size()), target(means.size());
  Preparation::Workspace workspace;
  for (const std::int64_t sample : split_.train) {
    preparation_.for_training(0, sample, pixels_of(sample), workspace, input, target);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += double{input[i]};
  }
  const auto count = static_cast<double>(split_.train.size());
  for (std::size_t i = 0; i < sums.size(); ++i) means[i] = static_cast<float>(sums[i] / count);
  return mean;
}

void Dataset::subtract_mean(std::span<float> input) const {
  const std::span<const float> mean = mean_.values<float>();
  for (std::size_t i = 0; i < mean.size(); ++i) input[i] -= mean[i];
}

std::string Dataset::content_hash() const {
  Bytes content;
  for (const std::int64_t size : {images_.count, images_.rows, images_.columns}) {
    append(content, size);
  }
  append(content, sha256(bytes_of(std::span(images_.pixels))));
  append(content, sha256(bytes_of(std::span(images_.labels))));
  return sha256_hex(content);
}

std::array<std::int64_t, 2> image_size(const DataSpec& spec, const std::string& folder) {
  switch (spec.type) {
    case DataType::digits: return {digit_rows, digit_columns};
    case DataType::idx: {
      const IdxImageHeader header = read_idx_header_of(fs::path(folder) / spec.images);
      return {header.rows, header.columns};
    }
  }
  throw Error(ErrorKind::bug, "unknown data type");
}

}  // namespace repro
