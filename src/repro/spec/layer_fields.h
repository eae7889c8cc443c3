#pragma once

#include <concepts>
#include <type_traits>

#include "repro/spec/field.h"
#include "repro/spec/spec.h"
#include "repro/spec/text_rules.h"

namespace repro {

// S is T or const T.
template <class S, class T>
concept SpecOf = std::same_as<std::remove_const_t<S>, T>;

inline constexpr Field filters_field = {
    .key = "filters", .help = "Output channels.", .required = true, .range = from_to(1, 1000000)};
inline constexpr Field kernel_field = {.key = "kernel",
                                       .help = "Rows and columns of the window.",
                                       .unit = "pixels",
                                       .required = true,
                                       .range = from_to(1, 1024)};
inline constexpr Field stride_field = {
    .key = "stride", .help = "Step of the window.", .unit = "pixels", .range = from_to(1, 1024)};
inline constexpr Field stride_as_kernel_field = {.key = "stride",
                                                 .help = "Step of the window.",
                                                 .unit = "pixels",
                                                 .range = from_to(1, 1024),
                                                 .default_text = "the kernel"};
inline constexpr Field padding_field = {
    .key = "padding",
    .help =
        "Rows and columns added on each side; `\"same\"`: so many that the output has "
        "ceil(size / stride) of them, an odd one at the end.",
    .unit = "pixels",
    .range = from_to(0, 1024)};
inline constexpr Field pool_padding_field = {.key = "padding",
                                             .help =
                                                 "Rows and columns of minus infinity on each side, "
                                                 "at most half the kernel; `\"same\"` where "
                                                 "both sides need equally many.",
                                             .unit = "pixels",
                                             .range = from_to(0, 512)};
inline constexpr Field cropping_field = {
    .key = "padding",
    .help = "Rows and columns cut off on each side of the output; not `\"same\"`.",
    .unit = "pixels",
    .range = from_to(0, 1024)};

// The keys of a layer of type s.type; see fields.h.
template <SpecOf<LayerSpec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "type", .help = "What the layer computes.", .required = true}, s.type);
  v(Field{.key = "name",
          .help = "Unique; parameters are named `<name>.weight` and `<name>.bias`.",
          .rule = &layer_name_rule,
          .default_text = "`<type>_<n>`, the n-th layer of its type, from 1"},
    s.name);
  switch (s.type) {
    case LayerType::conv2d:
      v(filters_field, s.filters);
      v(kernel_field, s.kernel);
      v(stride_field, s.stride);
      v(padding_field, s.padding);
      break;
    case LayerType::conv_transpose2d:
      v(filters_field, s.filters);
      v(kernel_field, s.kernel);
      v(stride_as_kernel_field, s.stride, s.kernel);
      v(cropping_field, s.padding);
      break;
    case LayerType::max_pool2d:
      v(kernel_field, s.kernel);
      v(stride_as_kernel_field, s.stride, s.kernel);
      v(pool_padding_field, s.padding);
      break;
    case LayerType::relu: break;
    case LayerType::clipped_relu:
      v(Field{.key = "ceiling", .help = "Largest output.", .range = above_to(0, 1e30)}, s.ceiling);
      break;
    case LayerType::linear:
      v(Field{.key = "units", .help = "Output features.", .required = true, .range = from_to(1, 100000000)},
        s.units);
      break;
    case LayerType::flatten: break;
    case LayerType::lookup:
      v(Field{.key = "entries",
              .help = "Rows of the learnable table: a value x in [0, 1] looks up row "
                      "round(x (entries - 1)), half to even.",
              .unit = "rows",
              .required = true,
              .range = from_to(2, 1000000)},
        s.entries);
      v(Field{.key = "width",
              .help = "Columns of the table: channel c becomes the channels c * width to "
                      "c * width + width - 1.",
              .unit = "columns",
              .required = true,
              .range = from_to(1, 1000000)},
        s.width);
      break;
  }
}

}  // namespace repro
