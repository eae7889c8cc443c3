#include "repro/spec/documentation_text.h"

namespace repro::documentation_text {

const std::string_view introduction = R"(# The spec

<!-- Generated: `REPRO_REGENERATE=1 test_spec` writes this file anew; a test fails if it is stale. -->

A spec says what is trained and how the result is judged. It is one JSON object (RFC 8259) in UTF-8. Reading is
strict: an unknown, duplicate, missing, mistyped or out-of-range key is an error, and all errors are listed at once,
each with its JSON pointer. A key that is left out has the default of the tables below. `repro-train spec check FILE`
validates a spec, `repro-train spec show FILE` prints it with every default filled in, and `repro-train spec schema`
prints the JSON Schema for editors (`docs/spec.schema.json`).

* Integers are written with digits only: no quotes, no point, no exponent (`1000`, not `1e3` or `1000.0`).
* Numbers must fit a 64-bit floating-point number: `1e400` and `1e-400` are errors. `-0` means `0`.
* Paths are relative to the folder of the spec file.
* A file has at most 16 MiB, 1,000,000 values and 64 levels. A UTF-8 byte order mark is accepted, UTF-16 is not.

`--set /pointer=JSON` overrides a value, for instance `--set /training/epochs=3`, `--set '/name="digits"'` (text
needs its quotes), `--set /input/noise=null`. In a pointer `~0` stands for `~` and `~1` for `/`. Objects on the way
that do not exist yet are created; elements of arrays are not, except that a last part `-` appends one.

)";

const std::string_view example = R"({
  "data": {"type": "digits", "count": 1000},
  "input": {"noise": {"density": 0.05}, "scale": "per_image"},
  "model": {"layers": [
    {"type": "conv2d", "filters": 8, "kernel": 3, "padding": "same"},
    {"type": "relu"},
    {"type": "conv2d", "filters": 1, "kernel": 1}
  ]},
  "loss": {"type": "half_mse"},
  "optimizer": {"type": "adam"},
  "training": {"epochs": 5, "batch_size": 100}
}
)";

const std::string_view relations = R"(## Between keys

* The fractions of `/data/split` add up to 1, within 1e-9.
* `/input/rotate_90` needs square images.
* Layer names are unique, default names included.
* `/execution/determinism/cudnn_benchmark` contradicts `algorithms` and `cudnn_deterministic`.
* The network's output has as many elements as the target image.

)";

const std::string_view shapes = R"(## Shapes of layers

An observation enters the network as an image {channels, rows, columns}; behind `flatten` and `linear` it is {features}.
`/` rounds down. The same holds for columns.

| type | takes | gives | parameters |
|---|---|---|---|
| `conv2d` | image | {filters, (rows + padding - kernel) / stride + 1, ...}; padding: both sides together | weight {filters, channels, kernel, kernel}, bias {filters} |
| `conv_transpose2d` | image | {filters, (rows - 1) stride - 2 padding + kernel, ...} | weight {channels, filters, kernel, kernel}, bias {filters} |
| `max_pool2d` | image | {channels, (rows + padding - kernel) / stride + 1, ...} | |
| `relu`, `clipped_relu` | anything | the same shape | |
| `flatten` | image | {channels rows columns}, row-major | |
| `linear` | features | {units} | weight {units, features}, bias {units} |
| `lookup` | image | {channels width, rows, columns}: channel c width + j is column j of the rows that channel c looks up; x is clamped to [0, 1], NaN fails the run, x gets no gradient | weight {entries, width} |

Padding `"same"` adds max((ceil(rows / stride) - 1) stride + kernel - rows, 0) rows, half of them before, an odd
one behind; rows and columns must need equally many.

Weights start uniform over [-b, b) with b = sqrt(6 / (fan in + fan out)). The fans of a convolution are kernel *
kernel times its input and its output channels, of `linear` its features and units, of `lookup` its entries and
width. Biases start at zero.

A parameter or an observation between two layers has at most 2147483647 values, a network at most 2^36 learnables.

)";

const std::string_view seeds = R"(## Seeds

A seed is an integer from 0 to 4294967295 (2^32 - 1). Anything else is an error, because some generators would cut
a larger one to 32 bits: 0 and 2^32 would be the same seed.

All random numbers that decide about data and initial weights come from counter-based streams with names such as
`init/conv1.weight`, `order/1` or `noise/1/17`, in integer arithmetic: the same on every machine, device and thread
count. Streams do not influence each other, so another layer, a log line or a validation pass shifts nothing.

| seed | decides |
|---|---|
| `/data/seed` | which digits are drawn |
| `/seed/data` | split, order, noise, rotation |
| `/seed/cpu` | initial weights (by parameter name), dropout, LibTorch's CPU generator |
| `/seed/gpu` | LibTorch's GPU generator |

`--seed N` sets `/seed/cpu`, `/seed/gpu` and `/seed/data`.
)";

}  // namespace repro::documentation_text
