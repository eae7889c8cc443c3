#pragma once

#include <concepts>
#include <type_traits>

#include "repro/spec/execution_fields.h"
#include "repro/spec/field.h"
#include "repro/spec/layer_fields.h"
#include "repro/spec/spec.h"
#include "repro/spec/text_rules.h"

namespace repro {

// The field lists: visit(s, v) calls v(field, member) for every key of `s`, in the order in which
// specs are written. Where the keys depend on the type (data, layers), those of s.type are visited,
// after the type itself. v(field, member, fallback) gives a default that depends on an earlier
// member.

template <SpecOf<SplitSpec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "train", .help = "Fraction of each class used for training.", .range = above_to(0, 1)},
    s.train);
  v(Field{.key = "validation", .help = "Fraction used for validation.", .range = from_to(0, 1)},
    s.validation);
  v(Field{.key = "test", .help = "Fraction that is predicted after training.", .range = from_to(0, 1)},
    s.test);
}

template <SpecOf<DataSpec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "type",
          .help = "`digits`: 28x28 grey digits that repro-train draws itself; `idx`: "
                  "MNIST-style files, plain or `.gz`."},
    s.type);
  switch (s.type) {
    case DataType::digits:
      v(Field{.key = "count",
              .help = "How many digits are drawn, in 10 balanced classes.",
              .unit = "images",
              .range = from_to(1, 10000000)},
        s.count);
      v(Field{.key = "seed", .help = "Draws the digits.", .range = from_to(0, 4294967295.0)}, s.seed);
      break;
    case DataType::idx:
      v(Field{.key = "images",
              .help = "File of the images, relative to the spec file.",
              .required = true,
              .rule = &file_name_rule},
        s.images);
      v(Field{.key = "labels",
              .help = "File of the labels, relative to the spec file.",
              .required = true,
              .rule = &file_name_rule},
        s.labels);
      v(Field{.key = "limit",
              .help = "Only the first so many images; null: all.",
              .unit = "images",
              .range = from_to(1, 2147483647)},
        s.limit);
      break;
  }
  v(Field{.key = "split",
          .help = "How the images are divided, class by class. The fractions add up to 1.",
          .default_text = "the defaults below"},
    s.split);
}

template <SpecOf<NoiseSpec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "type", .help = "`salt_and_pepper` sets pixels to black or white."}, s.type);
  v(Field{.key = "density", .help = "Probability that a pixel is replaced.", .range = from_to(0, 1)},
    s.density);
}

template <SpecOf<ResizeSpec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "size",
          .help = "Rows and columns after resizing.",
          .unit = "pixels",
          .range = from_to(1, 4096)},
    s.size);
  v(Field{.key = "method", .help = "`bicubic`: cubic convolution with parameter -0.5."}, s.method);
}

template <SpecOf<InputSpec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "noise",
          .help = "Noise on the input, never on the target; drawn anew each time a "
                  "training image is read. null: none."},
    s.noise);
  v(Field{.key = "resize", .help = "Resizing of input and target. null: none."}, s.resize);
  v(Field{.key = "scale",
          .help = "`per_image` maps each image's minimum and maximum to 0 and 1. "
                  "null: none."},
    s.scale);
  v(Field{.key = "rotate_90",
          .help = "Rotates each training pair by a random multiple of 90 degrees; "
                  "needs square images."},
    s.rotate_90);
  v(Field{.key = "normalization",
          .help = "`zerocenter` subtracts the mean image of the training inputs, "
                  "kept as the buffer `input.mean`. null: none."},
    s.normalization);
}

template <SpecOf<ModelSpec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "initializer", .help = "`glorot_uniform` for weights; biases start at zero."},
    s.initializer);
  v(Field{.key = "layers",
          .help = "The layers in order, 1 to 10000 of them.",
          .required = true,
          .range = from_to(1, 10000)},
    s.layers);
}

template <SpecOf<LossSpec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "type",
          .help = "`half_mse`: half the squared error, summed over the pixels, averaged "
                  "over the observations of the batch.",
          .required = true},
    s.type);
}

template <SpecOf<OptimizerSpec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "type", .help = "`adam`.", .required = true}, s.type);
  v(Field{.key = "learning_rate", .help = "Step size.", .range = above_to(0, 1000)}, s.learning_rate);
  v(Field{.key = "beta1", .help = "Decay of the mean of the gradients.", .range = from_below(0, 1)}, s.beta1);
  v(Field{.key = "beta2", .help = "Decay of the mean of the squared gradients.", .range = from_below(0, 1)},
    s.beta2);
  v(Field{.key = "epsilon", .help = "Added to the denominator.", .range = above_to(0, 1)}, s.epsilon);
  v(Field{.key = "l2",
          .help = "L2 factor, added to the gradient of weights, not of biases.",
          .range = from_to(0, 1000)},
    s.l2);
}

template <SpecOf<TrainingSpec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "epochs",
          .help = "Passes over the training images.",
          .unit = "epochs",
          .required = true,
          .range = from_to(0, 1000000)},
    s.epochs);
  v(Field{.key = "batch_size",
          .help = "Observations in a step.",
          .unit = "images",
          .required = true,
          .range = from_to(1, 2147483647)},
    s.batch_size);
  v(Field{.key = "last_batch", .help = "What happens to a last batch that is not full."}, s.last_batch);
  v(Field{.key = "shuffle", .help = "When the training images are shuffled."}, s.shuffle);
  v(Field{.key = "validation_every",
          .help = "Validation after every so many steps, and at the end; 0: "
                  "only at the end.",
          .unit = "steps",
          .range = from_to(0, 1000000000)},
    s.validation_every);
  v(Field{.key = "validation_patience",
          .help = "Training stops when the validation loss has not improved "
                  "so many times in a row; null: never.",
          .unit = "validations",
          .range = from_to(1, 1000000)},
    s.validation_patience);
}

template <SpecOf<SeedSpec> S, class V>
void visit(S& s, V& v) {
  constexpr Range seeds = from_to(0, 4294967295.0);
  v(Field{.key = "cpu", .help = "Initial weights, dropout, and LibTorch's CPU generator.", .range = seeds},
    s.cpu);
  v(Field{.key = "gpu", .help = "The GPU generator.", .range = seeds}, s.gpu);
  v(Field{.key = "data", .help = "Split, order, noise, and augmentation.", .range = seeds}, s.data);
}

template <SpecOf<AuditSpec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "runs", .help = "Trainings in a group.", .unit = "runs", .range = from_to(2, 10000)},
    s.runs);
  v(Field{.key = "determinism",
          .help = "Which groups are trained: `on` is `deterministic`, `off` is "
                  "`default`, `both` is the one after the other; `warn` is a group of its own in which "
                  "operations "
                  "without a deterministic implementation only warn, and every alert is collected."},
    s.determinism);
  v(Field{.key = "isolation", .help = "`process`: a process for each run; `shared`: all runs in one."},
    s.isolation);
  v(Field{.key = "compare", .help = "The rule of the verdict.", .rule = &compare_rule}, s.compare);
}

template <SpecOf<Spec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "name",
          .help = "Names the output folder and the reports.",
          .rule = &spec_name_rule,
          .default_text = "the file's name without its ending; `spec` for standard input"},
    s.name);
  v(Field{.key = "data", .help = "Which images are learned.", .required = true}, s.data);
  v(Field{.key = "input",
          .help = "How images become observations, in this order. What is absent is not "
                  "done.",
          .default_text = "nothing is done"},
    s.input);
  v(Field{.key = "model", .help = "The network.", .required = true}, s.model);
  v(Field{.key = "loss", .help = "What training minimises.", .required = true}, s.loss);
  v(Field{.key = "optimizer", .help = "How a step changes the learnables.", .required = true}, s.optimizer);
  v(Field{.key = "training", .help = "How long and in which portions.", .required = true}, s.training);
  v(Field{.key = "seed", .help = "Seeds of the random numbers.", .default_text = "the defaults below"},
    s.seed);
  v(Field{.key = "execution",
          .help = "Where and how the arithmetic is done.",
          .default_text = "the defaults below"},
    s.execution);
  v(Field{.key = "audit",
          .help = "How often the training is repeated, and how the results are judged.",
          .default_text = "the defaults below"},
    s.audit);
}

}  // namespace repro
