#include "repro/spec/decode.h"

#include <cmath>

#include "spec_testing.h"

namespace repro {
namespace {

using testing::decode_with;
using testing::minimal;
using testing::mistakes_in;
using testing::mistakes_with;
using List = std::vector<std::string>;

// A field, a value that it takes, one that it does not, and what is said about that.
struct Case {
  std::string pointer, good, bad, message;
};

TEST_CASE("ranges and types: the ends are in, what is beyond them is named") {
  const std::string seeds = " is out of range; allowed: 0 to 4294967295";
  const std::vector<Case> cases = {
      {"/training/epochs", "0", "-1", "-1 is out of range; allowed: 0 to 1000000"},
      {"/training/epochs", "1000000", "2.5", "2.5 is not an integer; allowed: 0 to 1000000"},
      {"/training/epochs", "7", "1e3", "1e3 is not an integer without exponent; allowed: 0 to 1000000"},
      {"/training/epochs", "7", "1e30", "1e30 is not an integer without exponent; allowed: 0 to 1000000"},
      {"/training/epochs", "7", "\"3\"",
       "the string \"3\" is not an integer (write it without quotes); allowed: 0 to 1000000"},
      {"/training/epochs", "7", "null", "null is not an integer; allowed: 0 to 1000000"},
      {"/training/batch_size", "2147483647", "9223372036854775808",
       "9223372036854775808 is out of range; allowed: 1 to 2147483647"},
      {"/training/batch_size", "1", "18446744073709551616",
       "18446744073709551616 is out of range; allowed: 1 to 2147483647"},
      {"/training/batch_size", "1", "0", "0 is out of range; allowed: 1 to 2147483647"},
      {"/seed/cpu", "4294967295", "4294967296", "4294967296" + seeds},
      {"/seed/gpu", "0", "-1", "-1" + seeds},
      {"/data/seed", "0", "-9223372036854775809", "-9223372036854775809" + seeds},
      {"/optimizer/learning_rate", "1000", "0", "0 is out of range; allowed: above 0, at most 1000"},
      {"/optimizer/learning_rate", "5e-324", "-1", "-1 is out of range; allowed: above 0, at most 1000"},
      {"/optimizer/learning_rate", "1e-300", "1e-400",
       "1e-400 is beyond the range of a 64-bit floating-point number; allowed: above 0, at most "
       "1000"},
      {"/optimizer/l2", "0.0e5", "1e400",
       "1e400 is beyond the range of a 64-bit floating-point number; allowed: 0 to 1000"},
      {"/optimizer/beta1", "0", "1", "1 is out of range; allowed: at least 0, below 1"},
      {"/input/rotate_90", "true", "1", "1 is not a truth value; allowed: true or false"},
      {"/training/shuffle", "\"never\"", "\"onec\"",
       "the string \"onec\" is unknown; did you mean \"once\"?; allowed: once, every_epoch, never"},
      {"/execution/memory_format", "\"auto\"", "\"automatic\"",
       "the string \"automatic\" is unknown; allowed: auto, contiguous, channels_last"},
      {"/execution/device", "\"cuda:12\"", "\"cuda:-1\"",
       "the string \"cuda:-1\" is not allowed here; allowed: auto, cpu, cuda, or cuda:K with K "
       "from 0 to 999"},
      {"/execution/device", "\"cpu\"", "\"cuda:01\"",
       "the string \"cuda:01\" is not allowed here; allowed: auto, cpu, cuda, or cuda:K with K "
       "from 0 to 999"},
      {"/execution/threads", "1024", "1025", "1025 is out of range; allowed: 0 to 1024"},
      {"/execution/determinism/cublas_workspace", "\":16:8\"", "\":4096:2\"",
       "the string \":4096:2\" is not allowed here; allowed: ':4096:8' or ':16:8'"},
      {"/audit/runs", "2", "1", "1 is out of range; allowed: 2 to 10000"},
      {"/training/validation_patience", "null", "0", "0 is out of range; allowed: 1 to 1000000"},
      {"/input/noise", "null", "[]", "an array is not an object"},
      {"/input/resize", R"({"size": [1, 4096]})", "3", "3 is not an object"},
      {"/name", "\"\xC3\xA4 b\"", "\"a/b\"",
       "the string \"a/b\" is not allowed here; allowed: 1 to 200 bytes without slash, backslash, "
       "control or "
       "invisible characters, not starting with a dot"},
  };
  for (const Case& c : cases) {
    INFO(c.pointer << " " << c.good << " " << c.bad);
    CHECK(mistakes_with({c.pointer + "=" + c.good}).empty());
    CHECK(mistakes_with({c.pointer + "=" + c.bad}) == List{c.pointer + ": " + c.message});
  }
}

TEST_CASE("values arrive") {
  const Spec spec = decode_with({"/optimizer/l2=-0.0", "/training/validation_patience=null",
                                 "/seed/cpu=4294967295", "/input={\"resize\": {\"size\": [28, 32]}}",
                                 "/execution/memory_format=\"channels_last\""});
  CHECK(spec.name == "minimal");
  CHECK_FALSE(std::signbit(spec.optimizer.l2));
  CHECK_FALSE(spec.training.validation_patience.has_value());
  CHECK(spec.seed.cpu == 4294967295U);
  CHECK(spec.input.resize->size == std::array<std::int64_t, 2>{28, 32});
  CHECK(spec.execution.memory_format == MemoryFormat::channels_last);
  CHECK_FALSE(spec.input.noise.has_value());
  CHECK(spec.training.validation_every == 50);
}

TEST_CASE("a file's stem that cannot be a name is replaced") {
  CHECK(decode_spec(minimal, "my spec").name == "my spec");
  CHECK(decode_spec(minimal, "").name == "spec");
  CHECK(decode_spec(minimal, "..").name == "spec");
  CHECK(decode_spec(minimal, "a\xFF").name == "spec");
}

TEST_CASE("what is missing is named, and only that") {
  CHECK(mistakes_in("{}") == List{"/data: missing; required", "/model: missing; required",
                                  "/loss: missing; required", "/optimizer: missing; required",
                                  "/training: missing; required"});
  CHECK(mistakes_with({"/training={}"}) ==
        List{"/training/epochs: missing; required; allowed: 0 to 1000000",
             "/training/batch_size: missing; required; allowed: 1 to 2147483647"});
  CHECK(mistakes_with({"/data={\"type\": \"idx\"}"}) ==
        List{"/data/images: missing; required", "/data/labels: missing; required"});
  CHECK(mistakes_in("[]") == List{"the spec: an array is not an object"});
}

TEST_CASE("an unknown key is told where it belongs, or what was meant") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"/optimizer/learning_rat", "unknown key; did you mean 'learning_rate'?"},
      {"/optimizer/epochs", "unknown key; it belongs to /training"},
      {"/training/seed", "unknown key; it belongs to / or /data"},
      {"/training/kernel", "unknown key; it belongs to /model/layers/<n>"},
      {"/loss/zzzzzz", "unknown key; allowed: type"},
      {"/data/images", "a key of 'idx' data, not of 'digits'"},
      {"/$schema",
       "unknown key; allowed: name, data, input, model, loss, optimizer, training, seed, "
       "execution, audit"},
  };
  for (const auto& [pointer, message] : cases) {
    INFO(pointer);
    CHECK(mistakes_with({pointer + "=1"}) == List{pointer + ": " + message});
  }
  CHECK(mistakes_with({"/a\n=1"}).front().starts_with("/a\\n: unknown key"));
}

TEST_CASE("all mistakes are listed in one exception") {
  const std::string text = R"({
    "data": {"count": 0, "count": 5}, "model": {"layers": [{"type": "relu", "slope": 1}, {"type": "rel"}]},
    "loss": {"type": "mse"}, "optimizer": {"type": "adam", "l2": "x"}, "training": {"epochs": 1}, "sed": {}
  })";
  try {
    decode_spec(text, "x");
    FAIL("no exception");
  } catch (const SpecError& error) {
    CHECK(error.kind() == ErrorKind::request);
    CHECK(error.mistakes() ==
          List{"/data/count: duplicate key", "/data/count: 0 is out of range; allowed: 1 to 10000000",
               "/model/layers/0/slope: unknown key; allowed: type, name",
               "/model/layers/1/type: the string \"rel\" is unknown; did you mean \"relu\"?; "
               "allowed: conv2d, "
               "conv_transpose2d, max_pool2d, relu, clipped_relu, linear, flatten, lookup",
               "/loss/type: the string \"mse\" is unknown; allowed: half_mse",
               "/optimizer/l2: the string \"x\" is not a number; allowed: 0 to 1000",
               "/training/batch_size: missing; required; allowed: 1 to 2147483647",
               "/sed: unknown key; did you mean 'seed'?"});
    CHECK(error.message() == "8 mistakes in the spec: " + error.mistakes()[0] + "; " + error.mistakes()[1] +
                                 "; " + error.mistakes()[2] + "; and 5 more");
  }
}

TEST_CASE("a flood of mistakes is counted, not kept") {
  std::string text(minimal.substr(0, minimal.rfind('}')));
  for (int i = 0; i < 20000; ++i) text += ", \"k" + std::to_string(i) + "\": 0";
  try {
    decode_spec(text + "}", "x");
    FAIL("no exception");
  } catch (const SpecError& error) {
    CHECK(error.total() == 20000);
    CHECK(error.mistakes().size() == 1000);
  }
}

TEST_CASE("settings that contradict each other") {
  const std::string d = "/execution/determinism/";
  CHECK(mistakes_with({d + "cudnn_benchmark=true"}).size() == 1);
  CHECK(mistakes_with({d + "cudnn_benchmark=true", d + "algorithms=false"})
            .front()
            .starts_with(d + "cudnn_benchmark: true contradicts cudnn_deterministic: true"));
  CHECK(mistakes_with({d + "cudnn_benchmark=true", d + "algorithms=false", d + "cudnn_deterministic=false"})
            .empty());

  const std::string split = "/data/split/";
  CHECK(mistakes_with({split + "train=0.9"}) ==
        List{"/data/split: train 0.9, validation 0.025 and test 0.025 add up to "
             "0.9500000000000001, not to 1"});
  CHECK(mistakes_with({split + "train=0.9500000001"}).empty());
  CHECK(mistakes_with({split + "train=0.95000001"}).size() == 1);
  // No sum of what could not be read.
  CHECK(mistakes_with({split + "train=2", split + "test=0.5"}) ==
        List{"/data/split/train: 2 is out of range; allowed: above 0, at most 1"});

  const std::string input = R"(/input={"rotate_90": true, "resize": {"size": [32, )";
  CHECK(mistakes_with({input + "32]}}"}).empty());
  CHECK(mistakes_with({input + "30]}}"}) ==
        List{"/input/rotate_90: true needs square images, but /input/resize/size is [32, 30]"});
}

}  // namespace
}  // namespace repro
