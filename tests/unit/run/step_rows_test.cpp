#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <limits>

#include "files.h"
#include "repro/run/record.h"

using namespace repro;

namespace {

// Losses by their bits: NaN payloads and signed zeros count.
bool same(const StepRow& left, const StepRow& right) {
  return left.step == right.step && left.epoch == right.epoch &&
         std::bit_cast<std::uint32_t>(left.loss) == std::bit_cast<std::uint32_t>(right.loss) &&
         std::bit_cast<std::uint64_t>(left.learning_rate) ==
             std::bit_cast<std::uint64_t>(right.learning_rate) &&
         left.batch_fingerprint == right.batch_fingerprint &&
         left.weights_fingerprint == right.weights_fingerprint &&
         std::bit_cast<std::uint64_t>(left.seconds) == std::bit_cast<std::uint64_t>(right.seconds);
}

const std::array<float, 8> losses = {0.1F,
                                     -0.0F,
                                     std::numeric_limits<float>::denorm_min(),
                                     std::numeric_limits<float>::max(),
                                     std::numeric_limits<float>::infinity(),
                                     -std::numeric_limits<float>::infinity(),
                                     std::bit_cast<float>(0x7FC00000U),
                                     std::bit_cast<float>(0xFFC12345U)};

std::vector<StepRow> sample() {
  std::vector<StepRow> rows;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const auto k = static_cast<std::int64_t>(i) + 1;
    rows.push_back({k, 1 + k / 4, losses[i], 0.001 / static_cast<double>(k), 0x0123456789ABCDEFU >> i,
                    ~std::uint64_t{0} << i, 0.1 * static_cast<double>(k)});
  }
  return rows;
}

std::string steps_text(const std::vector<StepRow>& rows) {
  std::string text = std::string(steps_csv_header) + "\n";
  for (const StepRow& row : rows) text += csv_line(row);
  return text;
}

std::vector<StepRow> read_steps(std::string_view text) {
  const TemporaryFile file(text);
  return read_steps_csv(file.path());
}

std::string steps_error(const std::string& text) {
  const TemporaryFile file(text);
  const std::string message = input_error([&] { read_steps_csv(file.path()); });
  const std::string start = file.path().string() + ": ";
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

}  // namespace

TEST_CASE("a row is spelled as documented") {
  CHECK(steps_csv_header ==
        "step,epoch,loss,loss_bits,learning_rate,batch_fingerprint,weights_fingerprint,seconds");
  CHECK(csv_line(StepRow{3, 1, 0.1F, 0.001, 0xAB, 1, 0.25}) ==
        "3,1,0.1,3dcccccd,0.001,00000000000000ab,0000000000000001,0.25\n");
  CHECK(validation_csv_header == "step,epoch,loss,loss_bits");
  CHECK(csv_line(ValidationRow{50, 3, -0.0F}) == "50,3,-0,80000000\n");
  CHECK(csv_line(ValidationRow{50, 3, losses[5]}) == "50,3,-Infinity,ff800000\n");
  CHECK(csv_line(ValidationRow{50, 3, losses[7]}) == "50,3,NaN,ffc12345\n");
}

TEST_CASE("steps are read back to the bit, and cut at any byte up to the last whole line") {
  const std::vector<StepRow> rows = sample();
  const std::string text = steps_text(rows);
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string_view part = std::string_view(text).substr(0, size);
    const std::vector<StepRow> read = read_steps(part);
    const auto breaks = std::count(part.begin(), part.end(), '\n');
    REQUIRE(read.size() == static_cast<std::size_t>(std::max<std::ptrdiff_t>(breaks - 1, 0)));
    for (std::size_t i = 0; i < read.size(); ++i) CHECK(same(read[i], rows[i]));
  }
  StepRow changed = rows[6];
  changed.loss = std::bit_cast<float>(0x7FC00001U);  // another NaN is another row
  CHECK_FALSE(same(changed, rows[6]));
}

TEST_CASE("validation rows are read back to the bit") {
  std::string text = std::string(validation_csv_header) + "\n";
  for (const float loss : losses) text += csv_line(ValidationRow{50, 2, loss});
  const TemporaryFile file(text + "100,3,0.");
  const auto rows = read_validation_csv(file.path());
  REQUIRE(rows.size() == losses.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].step == 50);
    CHECK(rows[i].epoch == 2);
    CHECK(std::bit_cast<std::uint32_t>(rows[i].loss) == std::bit_cast<std::uint32_t>(losses[i]));
  }
}

TEST_CASE("whole lines that are wrong are errors with line and field") {
  const std::string text = steps_text({StepRow{1, 1, 0.5F, 0.001, 1, 2, 0.25}});
  CHECK(steps_error(text).empty());
  const auto check = [&](const char* from, const char* to, const char* message) {
    CHECK(steps_error(replaced(text, from, to)) == message);
  };
  check("step,", "steps,",
        "line 1: expected '"
        "step,epoch,loss,loss_bits,learning_rate,"
        "batch_fingerprint,weights_fingerprint,seconds'");
  check("\n1,1,", "\n1,", "line 2: expected 8 fields, found 7");
  check("0.25\n", "0.25\n\n", "line 3: expected 8 fields, found 1");
  check("\n1,1,", "\n-1,1,", "line 2, field 1: expected an integer, 0 or more, found '-1'");
  check("\n1,1,", "\n1,1.0,", "line 2, field 2: expected an integer, 0 or more, found '1.0'");
  check("0.5,", "0.50,", "line 2, field 3: expected 0.5, as 3f000000 beside it says, found '0.50'");
  check("3f000000", "3F000000",
        "line 2, field 4: expected 8 lower-case hexadecimal digits, found "
        "'3F000000'");
  check("3f000000", "3f0000000",
        "line 2, field 4: expected 8 lower-case hexadecimal digits, found "
        "'3f0000000'");
  check("0.001", "0,001", "line 2: expected 8 fields, found 9");
  check("0.001", "1e999", "line 2, field 5: expected a number, found '1e999'");
  check("0000000000000002", "", "line 2, field 7: expected 16 lower-case hexadecimal digits, found ''");
  CHECK(steps_error("something else").starts_with("line 1: expected 'step,epoch,"));
  CHECK(input_error([] { read_steps_csv("/no/such/folder/steps.csv"); }).find("steps.csv") !=
        std::string::npos);
}
