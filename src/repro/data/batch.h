#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "repro/data/images.h"
#include "repro/data/preparation.h"
#include "repro/data/split.h"
#include "repro/spec/spec.h"
#include "repro/tensor/tensor.h"

namespace repro {

// Observations as the network sees them: input and target, float32, {n, 1, rows, columns}.
struct Batch {
  Tensor input;
  Tensor target;
  std::vector<std::int64_t> samples;  // indices into the image set, in order
};

enum class Part { train, validation, test };

// A prepared experiment's data: images, split, normalisation. Everything that it gives is a pure
// function of the spec, the files' contents, and the arguments: no state, no global generator, the
// same bytes on every machine, on any number of threads at once (all methods are const and
// thread-safe).
class Dataset {
 public:
  // Generates or reads the images, splits them, computes the mean image. `folder` is the folder of
  // the spec, which relative paths start from. Error{input} for files. Error{request} for a split
  // that leaves the training part empty, and for rotate_90 with images that are not square.
  Dataset(const Spec& spec, const std::string& folder);
  // As above, from images that are already there (for tests).
  Dataset(const Spec& spec, ImageSet images);

  const ImageSet& images() const { return images_; }
  const std::vector<std::int64_t>& part(Part p) const;  // sample indices, ascending
  Shape observation_shape() const;                      // {1, rows, columns} after resizing

  // The order of the training samples in `epoch` (from 1): part(train), shuffled as the spec says.
  std::vector<std::int64_t> order(std::int64_t epoch) const;

  // The samples prepared for training in `epoch`: noise and rotation from the streams of (epoch,
  // sample).
  Batch training_batch(std::int64_t epoch, std::span<const std::int64_t> samples) const;
  // Prepared for validation or test: noise from a stream of its own per sample, no rotation. Both:
  // any samples, in any order, repeated or not; Error{bug} for an index outside the image set.
  Batch evaluation_batch(std::span<const std::int64_t> samples) const;

  // {1, rows, columns} float32, or an empty tensor without normalisation; inputs have it
  // subtracted. Kept with the network as the buffer "input.mean".
  const Tensor& mean_image() const { return mean_; }

  // SHA-256 of the contents in hexadecimal: what hashes and locks cover. The hash is taken of
  // count, rows and columns (little-endian 64-bit) followed by the SHA-256 of the pixels and that
  // of the labels.
  std::string content_hash() const;

 private:
  std::span<const std::uint8_t> pixels_of(std::int64_t sample) const;
  Batch empty_batch(std::span<const std::int64_t> samples) const;
  Tensor computed_mean() const;
  void subtract_mean(std::span<float> input) const;

  ImageSet images_;
  Split split_;
  Preparation preparation_;
  std::uint32_t seed_;
  Shuffle shuffle_;
  Tensor mean_;
};

// {rows, columns} of the raw images that the spec asks for, before resizing, without generating or
// decompressing the pixels. Error{input} as Dataset for a file that is missing or has a bad header.
std::array<std::int64_t, 2> image_size(const DataSpec& spec, const std::string& folder);

}  // namespace repro
