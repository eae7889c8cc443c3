#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <span>

#include "repro/base/bytes.h"
#include "repro/base/csv.h"
#include "repro/base/error.h"
#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/run/record.h"

namespace repro {

const std::string_view steps_csv_header =
    "step,epoch,loss,loss_bits,learning_rate,batch_fingerprint,weights_fingerprint,seconds";
const std::string_view validation_csv_header = "step,epoch,loss,loss_bits";
const std::string_view alerts_csv_header = "step,phase,layer,operation,count,message";

namespace {

// One row of a file, whose fields are asked for by position.
class Row {
 public:
  Row(std::span<const std::string> fields, std::string_view what, std::size_t line)
      : fields_(fields), what_(what), line_(line) {}

  std::int64_t count(std::size_t at) const {
    const auto value = parse_integer(fields_[at]);
    if (!value || *value < 0) fail(at, "an integer, 0 or more");
    return *value;
  }

  const std::string& text(std::size_t at) const { return fields_[at]; }

  Phase phase(std::size_t at) const {
    const auto value = phase_named(fields_[at]);
    if (!value) fail(at, "a phase");
    return *value;
  }

  double number(std::size_t at) const {
    const std::string& text = fields_[at];
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text == "Infinity") return std::numeric_limits<double>::infinity();
    if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
    const auto value = parse_double(text);
    if (!value) fail(at, "a number");
    return *value;
  }

  // Full width, lower case, as hex_of() writes.
  template <class T>
  T bits(std::size_t at) const {
    const std::string& text = fields_[at];
    T value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (hex_of(value) != text) {
      fail(at, std::to_string(sizeof(T) * 2) + " lower-case hexadecimal digits");
    }
    return value;
  }

  // The bits decide; the number beside them is for people, and must not say something else.
  float loss(std::size_t at) const {
    const auto value = std::bit_cast<float>(bits<std::uint32_t>(at + 1));
    if (shortest(value) != fields_[at]) {
      fail(at, shortest(value) + ", as " + fields_[at + 1] + " beside it says");
    }
    return value;
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& expected) const {
    throw Error(ErrorKind::input, std::string(what_) + ": line " + std::to_string(line_) + ", field " +
                                      std::to_string(at + 1) + ": expected " + expected + ", found '" +
                                      displayable(fields_[at]) + "'");
  }

  std::span<const std::string> fields_;
  std::string_view what_;
  std::size_t line_;
};

// `convert` makes a T of each Row below the header.
template <class T, class Convert>
std::vector<T> read_rows(const fs::path& path, std::string_view header, Convert convert) {
  const std::string text = read_text_file(path);
  const std::string what = displayable(path.string());
  // What follows the last line break was cut off while it was written.
  const std::string_view whole = std::string_view(text).substr(0, text.rfind('\n') + 1);
  const auto refuse_header = [&] {
    throw Error(ErrorKind::input, what + ": line 1: expected '" + std::string(header) + "'");
  };
  if (whole.empty()) {
    if (!header.starts_with(text)) refuse_header();
    return {};
  }
  const std::vector<std::string> names = parse_csv(header, what).front();
  const auto rows = parse_csv(whole, what);
  if (rows.front() != names) refuse_header();
  std::vector<T> out;
  out.reserve(rows.size());
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].size() != names.size()) {
      throw Error(ErrorKind::input, what + ": line " + std::to_string(i + 1) + ": expected " +
                                        std::to_string(names.size()) + " fields, found " +
                                        std::to_string(rows[i].size()));
    }
    out.push_back(convert(Row(rows[i], what, i + 1)));
  }
  return out;
}

std::vector<std::string> shared_fields(std::int64_t step, std::int64_t epoch, float loss) {
  return {std::to_string(step), std::to_string(epoch), shortest(loss),
          hex_of(std::bit_cast<std::uint32_t>(loss))};
}

}  // namespace

std::string csv_line(const StepRow& row) {
  std::vector<std::string> fields = shared_fields(row.step, row.epoch, row.loss);
  fields.push_back(shortest(row.learning_rate));
  fields.push_back(hex_of(row.batch_fingerprint));
  fields.push_back(hex_of(row.weights_fingerprint));
  fields.push_back(shortest(row.seconds));
  return csv_row(fields);
}

std::string csv_line(const ValidationRow& row) {
  return csv_row(shared_fields(row.step, row.epoch, row.loss));
}

std::string csv_line(const AlertRow& row) {
  return csv_row(std::vector<std::string>{std::to_string(row.step), std::string(name_of(row.phase)),
                                          row.layer, row.operation, std::to_string(row.count), row.message});
}

std::vector<StepRow> read_steps_csv(const fs::path& path) {
  return read_rows<StepRow>(path, steps_csv_header, [](const Row& row) {
    return StepRow{row.count(0),
                   row.count(1),
                   row.loss(2),
                   row.number(4),
                   row.bits<std::uint64_t>(5),
                   row.bits<std::uint64_t>(6),
                   row.number(7)};
  });
}

std::vector<ValidationRow> read_validation_csv(const fs::path& path) {
  return read_rows<ValidationRow>(path, validation_csv_header, [](const Row& row) {
    return ValidationRow{row.count(0), row.count(1), row.loss(2)};
  });
}

std::vector<AlertRow> read_alerts_csv(const fs::path& path) {
  return read_rows<AlertRow>(path, alerts_csv_header, [](const Row& row) {
    return AlertRow{row.count(0), row.phase(1), row.text(2), row.text(3), row.count(4), row.text(5)};
  });
}

}  // namespace repro
