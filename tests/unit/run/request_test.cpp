#include "repro/run/request.h"

#include <catch2/catch_test_macros.hpp>

#include "files.h"
#include "repro/spec/decode.h"

using namespace repro;

namespace {

Spec sample_spec() {
  return decode_spec(R"({"name": "tiny",
    "data": {"type": "digits", "count": 100, "seed": 4294967295},
    "input": {"noise": {"type": "salt_and_pepper", "density": 0.1}, "resize": {"size": [32, 32]}},
    "model": {"layers": [{"type": "conv2d", "filters": 2, "kernel": 3, "padding": "same"},
                         {"type": "relu"}]},
    "loss": {"type": "half_mse"}, "optimizer": {"type": "adam", "learning_rate": 0.1},
    "training": {"epochs": 1, "batch_size": 10, "validation_patience": null}})",
                     "tiny");
}

RunRequest sample() {
  RunRequest request;
  request.group = "deterministic";
  request.index = 3;
  request.spec = sample_spec();
  request.spec_folder = "/home/someone/spe\"cs";
  request.device = "cuda:1";
  request.threads = 2;
  request.deterministic = true;
  request.trace = TraceLevel::steps;
  request.save_optimizer = false;
  request.environment = {{"CUBLAS_WORKSPACE_CONFIG", ":4096:8"}, {"GLIBC_TUNABLES", "a=b:c=d"}};
  return request;
}

bool same(const RunRequest& left, const RunRequest& right) {
  return left.group == right.group && left.index == right.index &&
         encode_spec(left.spec) == encode_spec(right.spec) && left.spec_folder == right.spec_folder &&
         left.device == right.device && left.threads == right.threads &&
         left.deterministic == right.deterministic && left.trace == right.trace &&
         left.warn_only == right.warn_only && left.injection == right.injection &&
         left.part_from == right.part_from && left.save_optimizer == right.save_optimizer &&
         left.environment == right.environment;
}

std::string decode_error(const std::string& text) {
  return input_error([&] { decode_request(text, "request.json"); });
}

}  // namespace

TEST_CASE("a request is read back as it was written, each of its parts") {
  const RunRequest request = sample();
  CHECK(request.name() == "deterministic-3");
  REQUIRE(same(request, decode_request(encode_request(request), "r")));

  RunRequest other = request;
  const std::vector<std::function<void()>> changes = {
      [&] { other.group = "libtorch-default_2"; },
      [&] { other.index = 0; },
      [&] { other.spec.optimizer.learning_rate = 0.10000000000000002; },
      [&] { other.spec.training.validation_patience = 5; },
      [&] { other.spec.seed.cpu = 1; },
      [&] { other.spec.name = "another"; },
      [&] { other.spec_folder = "/"; },
      [&] { other.device = "cpu"; },
      [&] { other.threads = 64; },
      [&] { other.deterministic = false; },
      [&] { other.trace = TraceLevel::none; },
      [&] { other.trace = TraceLevel::ops; },
      [&] { other.warn_only = true; },
      [&] { other.injection = parse_injection("3,1,backward,conv1.weight,ulp=1", "test"); },
      [&] { other.part_from = "/somewhere/trace.bin"; },
      [&] { other.save_optimizer = true; },
      [&] { other.environment.clear(); }};
  for (const auto& change : changes) {
    other = request;
    change();
    CHECK_FALSE(same(request, other));
    CHECK(same(other, decode_request(encode_request(other), "r")));
  }
}

TEST_CASE("no truncated request is a request") {
  const std::string text = encode_request(sample());
  CHECK(same(sample(), decode_request(text.substr(0, text.size() - 1), "r")));
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    CHECK_FALSE(decode_error(text.substr(0, size)).empty());
  }
}

TEST_CASE("what is wrong in a request is named by its pointer, as a fault of the file") {
  const std::string text = encode_request(sample());
  const auto check = [&](const char* from, const char* to, const char* message) {
    CHECK(decode_error(replaced(text, from, to)) == std::string("request.json: ") + message);
  };
  check("\"version\": 1", "\"version\": 12",
        "/version: the file has version 12, this program reads up to version 1");
  check("run-request", "run-result",
        "/format: expected 'repro-train/run-request', found 'repro-train/run-result'");
  check("\"threads\": 2,", "", "/threads: missing");
  check("\"threads\": 2", "\"threads\": 0", "/threads: expected an integer, 1 or more, found 0");
  check("\"index\": 3", "\"index\": null", "/index: expected an integer, 0 or more, found null");
  check("\"deterministic\",", "\"../..\",",
        "/group: expected one or more of a-z, 0-9, '_' and '-', found '../..'");
  check("\"trace\": \"steps\"", "\"trace\": \"all\"",
        "/trace: expected 'none', 'steps' or 'ops', found 'all'");
  check("\"injection\": \"\"", "\"injection\": \"x\"",
        "/injection: injection: expected five or six parts, found 1 in 'x'");
  check("\":4096:8\"", "8", "/environment/CUBLAS_WORKSPACE_CONFIG: expected a string, found 8");
  CHECK(decode_error(replaced(text, "\"batch_size\": 10", "\"batch_size\": 0"))
            .starts_with("request.json: /spec"));
  CHECK(decode_error(replaced(text, "\"group\"", "\"of_tomorrow\": [], \"group\"")).empty());
}
