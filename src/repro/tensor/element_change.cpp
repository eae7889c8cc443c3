#include "repro/tensor/element_change.h"

#include <charconv>
#include <cstring>
#include <optional>

#include "repro/base/error.h"
#include "repro/base/text.h"

namespace repro {
namespace {

[[noreturn]] void cannot(const std::string& reason) {
  throw Error(ErrorKind::unavailable, "the fault cannot be injected: " + reason);
}

std::uint64_t mask_of(std::size_t bits) {
  return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

// Bits of the fraction, so that everything from there up to the sign is the exponent; nothing for numbers
// whose bits are not ordered like those of IEEE 754.
std::optional<unsigned> fraction_bits(DType dtype) {
  switch (dtype) {
    case DType::float16: return 10;
    case DType::bfloat16: return 7;
    case DType::float32: return 23;
    case DType::float64: return 52;
    default: return std::nullopt;
  }
}

// The position of a finite number on the scale of representable values, 0 for both zeros.
std::uint64_t moved_float(std::uint64_t pattern, unsigned fraction, std::size_t bits, std::int64_t steps) {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  const std::uint64_t infinity = (sign - 1) >> fraction << fraction;
  if ((pattern & (sign - 1)) >= infinity) cannot("the value is NaN or infinite, which has no next value");
  const auto magnitude = static_cast<std::int64_t>(pattern & (sign - 1));
  std::int64_t at = 0;
  if (__builtin_add_overflow((pattern & sign) != 0 ? -magnitude : magnitude, steps, &at) ||
      static_cast<std::uint64_t>(at < 0 ? -at : at) >= infinity) {
    cannot("there is no finite value so many steps away");
  }
  return at < 0 ? sign | static_cast<std::uint64_t>(-at) : static_cast<std::uint64_t>(at);
}

template <class Number>
Number number_in(std::string_view text, int base, std::string_view what, std::string_view all) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
    throw Error(ErrorKind::request,
                std::string(what) + ": '" + displayable(all) + "' is no change of a number",
                "allowed are ulp=N, bit=K and bits=HEX, such as ulp=1, bit=31, bits=7fc00001");
  }
  return value;
}

}  // namespace

std::string text_of(const ElementChange& change) {
  switch (change.kind) {
    case ElementChange::Kind::ulp: return "ulp=" + std::to_string(change.amount);
    case ElementChange::Kind::bit: return "bit=" + std::to_string(change.amount);
    case ElementChange::Kind::bits: {
      char text[17] = {};
      const auto end = std::to_chars(text, text + 16, change.pattern, 16).ptr;
      return "bits=" + std::string(text, end);
    }
  }
  throw Error(ErrorKind::bug, "unknown kind of change");
}

ElementChange parse_element_change(std::string_view text, std::string_view what) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = text.substr(std::min(equals + 1, text.size()));
  ElementChange change;
  if (name == "ulp") {
    change.amount = number_in<std::int64_t>(value, 10, what, text);
    if (change.amount == 0) throw Error(ErrorKind::request, std::string(what) + ": ulp=0 changes nothing");
  } else if (name == "bit") {
    change.kind = ElementChange::Kind::bit;
    change.amount = number_in<std::int64_t>(value, 10, what, text);
    if (change.amount < 0 || change.amount > 63) {
      throw Error(ErrorKind::request, std::string(what) + ": bit " + std::to_string(change.amount) +
                                          " does not exist; bits are 0 to 63");
    }
  } else {
    change.kind = ElementChange::Kind::bits;
    change.pattern = number_in<std::uint64_t>(name == "bits" ? value : "", 16, what, text);
  }
  return change;
}

void change_element(std::span<std::byte> element, DType dtype, const ElementChange& change) {
  const std::size_t bits = element.size() * 8;
  if (bits > 64) cannot("elements of " + std::string(name_of(dtype)) + " have more than 64 bits");
  std::uint64_t pattern = 0;
  std::memcpy(&pattern, element.data(), element.size());
  switch (change.kind) {
    case ElementChange::Kind::ulp:
      if (const auto fraction = fraction_bits(dtype)) {
        pattern = moved_float(pattern, *fraction, bits, change.amount);
      } else if (is_integer(dtype)) {
        pattern += static_cast<std::uint64_t>(change.amount);
      } else {
        cannot(std::string(name_of(dtype)) + " has no ULP");
      }
      break;
    case ElementChange::Kind::bit:
      if (change.amount >= static_cast<std::int64_t>(bits)) {
        cannot(std::string(name_of(dtype)) + " has no bit " + std::to_string(change.amount));
      }
      pattern ^= std::uint64_t{1} << change.amount;
      break;
    case ElementChange::Kind::bits:
      if ((change.pattern & ~mask_of(bits)) != 0)
        cannot("the bits do not fit " + std::string(name_of(dtype)));
      pattern = change.pattern;
      break;
  }
  std::memcpy(element.data(), &pattern, element.size());
}

}  // namespace repro
