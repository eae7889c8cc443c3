#include "repro/run/record.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "files.h"

using namespace repro;

namespace {

RunRecord sample() {
  RunRecord record;
  record.name = "deterministic-0";
  record.status = RunStatus::finished;
  record.steps = 95;
  record.epochs = 5;
  record.stopped_early = true;
  record.first_nan_step = 7;
  record.started = "2026-11-30T15:00:00Z";
  record.seconds = 12.300000000000001;
  record.step_seconds = 0.1;
  record.peak_memory_bytes = 18446744073709551615U;
  record.warnings = {"first", "second \"quoted\"\n"};
  record.files = {{"steps.csv", std::string(64, '0')}, {"weights.safetensors", std::string(64, 'f')}};
  return record;
}

// Every member, doubles by their bits (NaN is NaN).
bool same(const RunRecord& left, const RunRecord& right) {
  const auto same_number = [](double a, double b) {
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
  };
  return left.name == right.name && left.status == right.status && left.message == right.message &&
         left.steps == right.steps && left.epochs == right.epochs &&
         left.stopped_early == right.stopped_early && left.first_nan_step == right.first_nan_step &&
         left.started == right.started && same_number(left.seconds, right.seconds) &&
         same_number(left.step_seconds, right.step_seconds) &&
         left.peak_memory_bytes == right.peak_memory_bytes && left.warnings == right.warnings &&
         left.files == right.files;
}

std::string decode_error(const std::string& text) {
  return input_error([&] { decode_record(text, "result.json"); });
}

}  // namespace

TEST_CASE("a record is read back as it was written, each of its facts") {
  const RunRecord record = sample();
  REQUIRE(same(record, decode_record(encode_record(record), "r")));
  CHECK(encode_record(record).ends_with("}\n"));

  RunRecord other = record;
  const std::vector<std::function<void()>> changes = {
      [&] { other.name = "default-3"; },
      [&] { other.status = RunStatus::failed; },
      [&] { other.status = RunStatus::interrupted; },
      [&] { other.message = "was killed by signal 9 (SIGKILL)"; },
      [&] { other.steps = INT64_MAX; },
      [&] { other.epochs = 6; },
      [&] { other.stopped_early = false; },
      [&] { other.first_nan_step.reset(); },
      [&] { other.started = ""; },
      [&] { other.seconds = std::nextafter(12.300000000000001, 13.0); },
      [&] { other.seconds = std::numeric_limits<double>::denorm_min(); },
      [&] { other.seconds = -std::numeric_limits<double>::infinity(); },
      [&] { other.step_seconds = std::numeric_limits<double>::quiet_NaN(); },
      [&] { other.step_seconds = -0.0; },
      [&] { other.peak_memory_bytes = 0; },
      [&] { other.warnings.clear(); },
      [&] { other.files.clear(); }};
  for (const auto& change : changes) {
    other = record;
    change();
    CHECK_FALSE(same(record, other));
    CHECK(same(other, decode_record(encode_record(other), "r")));
  }
}

TEST_CASE("no truncated record is a record") {
  const std::string text = encode_record(sample());
  // Only the line break after the last brace can be missing.
  CHECK(same(sample(), decode_record(text.substr(0, text.size() - 1), "r")));
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    CHECK_FALSE(decode_error(text.substr(0, size)).empty());
  }
  CHECK_FALSE(decode_error(text + "x").empty());
}

TEST_CASE("a record of another version or kind is refused, unknown members are ignored") {
  const std::string text = encode_record(sample());
  CHECK(decode_error(replaced(text, "\"version\": 1", "\"version\": 2")) ==
        "result.json: /version: the file has version 2, this program reads up to version 1");
  CHECK(decode_error(replaced(text, "\"version\": 1", "\"version\": 0")) ==
        "result.json: /version: expected an integer, 1 or more, found 0");
  CHECK(decode_error(replaced(text, "run-result", "run-request")) ==
        "result.json: /format: expected 'repro-train/run-result', found 'repro-train/run-request'");
  CHECK(decode_error(replaced(text, "{", "{\"of\": {\"tomorrow\": [1]},")).empty());
}

TEST_CASE("what is wrong in a record is named by its pointer") {
  const std::string text = encode_record(sample());
  const auto check = [&](const char* from, const char* to, const char* message) {
    CHECK(decode_error(replaced(text, from, to)) == std::string("result.json: ") + message);
  };
  check("\"steps\": 95,", "", "/steps: missing");
  check("\"steps\": 95", "\"steps\": -1", "/steps: expected an integer, 0 or more, found -1");
  check("\"steps\": 95", "\"steps\": 95.0", "/steps: expected an integer, 0 or more, found 95.0");
  check("\"steps\": 95", "\"steps\": 9223372036854775808",
        "/steps: expected an integer, 0 or more, found 9223372036854775808");
  check("\"steps\": 95", "\"steps\": \"95\"", "/steps: expected an integer, 0 or more, found string");
  check("18446744073709551615", "-1", "/peak_memory_bytes: expected an integer, 0 or more, found -1");
  check("\"stopped_early\": true", "\"stopped_early\": 1", "/stopped_early: expected true or false, found 1");
  check("\"finished\"", "\"done\"", "/status: expected 'finished', 'failed' or 'interrupted', found 'done'");
  check("\"finished\"", "\"\\u001b[31m\"",
        "/status: expected 'finished', 'failed' or 'interrupted', found '\\x1b[31m'");
  check("\"first\"", "null", "/warnings/0: expected a string, found null");
  check("0.1", "\"0.1\"", "/step_seconds: expected a number, found string");
  check("\"steps.csv\"", "\"../steps.csv\"", "/files: no name of a file of a run: '../steps.csv'");
  check("\"steps.csv\"", "\"/etc/passwd\"", "/files: no name of a file of a run: '/etc/passwd'");
  check("000\"", "00\"",
        ("/files/steps.csv: expected a SHA-256 of 64 lower-case digits, found '" + std::string(63, '0') + "'")
            .c_str());
  check(
      "000\"", "00G\"",
      ("/files/steps.csv: expected a SHA-256 of 64 lower-case digits, found '" + std::string(63, '0') + "G'")
          .c_str());
  check("0.1", "1e999", "not valid JSON: a number is out of range");
  CHECK(decode_error("[]") == "result.json: expected an object, found array");
  CHECK(input_error([] { decode_record("{", "bad\nname"); }) == "bad\\nname: not valid JSON at byte 2");
}

TEST_CASE("a message with bytes that are no text can be recorded") {
  RunRecord record = sample();
  record.message = "log says \xFF";
  CHECK(decode_record(encode_record(record), "r").message == "log says \xEF\xBF\xBD");
}
