#include "repro/snapshot/safetensors.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>

#include "repro/base/error.h"
#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/snapshot/safetensors_header.h"
#include "repro/snapshot/safetensors_metadata.h"

namespace repro {
namespace {

[[noreturn]] void fail(const std::string& what, const std::string& reason, std::string hint = {}) {
  throw Error(ErrorKind::input, what + ": " + reason, std::move(hint));
}
std::string tensor_text(const HeaderEntry& entry) { return "tensor '" + displayable(entry.name) + "'"; }

std::string_view header_text(ByteView bytes, const std::string& what) {
  if (bytes.size() < 8) {
    fail(what,
         "found " + plural(static_cast<std::int64_t>(bytes.size()), "byte") +
             ", a safetensors file has at least 8",
         "is the file complete?");
  }
  const auto length = load<std::uint64_t>(bytes);
  if (length > max_safetensors_header_bytes) {
    fail(what,
         "the header claims " + thousands(length) + " bytes, allowed are " +
             thousands(max_safetensors_header_bytes),
         "is this a safetensors file?");
  }
  if (length > bytes.size() - 8) {
    fail(what,
         "the header claims " + thousands(length) + " bytes, the file has " +
             thousands(std::uint64_t{bytes.size() - 8}) + " after the first 8",
         "is the file complete?");
  }
  const std::string_view text = as_text(bytes.subspan(8, static_cast<std::size_t>(length)));
  if (text.empty() || text.front() != '{') {
    fail(what, "the header does not begin with '{'", "is this a safetensors file?");
  }
  return text;
}

// Bytes that an entry's dtype and shape ask for; nothing for a dtype of unknown size.
std::optional<std::uint64_t> size_asked(const HeaderEntry& entry, const std::string& what) {
  const auto count = checked_element_count(entry.shape);
  if (!count) {
    fail(what, tensor_text(entry) + ": the shape " + shape_text(entry.shape) +
                   " has more elements than the 2^62 that are allowed");
  }
  const SafetensorsDType* dtype = safetensors_dtype(entry.dtype);
  if (dtype == nullptr) return std::nullopt;
  // Without overflow: the element count in units of 8, then what is left of it.
  const std::uint64_t eighths = *count / 8, rest = *count % 8;
  if (eighths > std::numeric_limits<std::uint64_t>::max() / dtype->bits - dtype->bits) {
    fail(what, tensor_text(entry) + ": the shape " + shape_text(entry.shape) + " of " + entry.dtype +
                   " has more bytes than the 2^64 that can be counted");
  }
  if (rest * dtype->bits % 8 != 0) {
    fail(what, tensor_text(entry) + ": " + thousands(*count) + " elements of " + std::to_string(dtype->bits) +
                   " bits do not fill whole bytes");
  }
  return eighths * dtype->bits + rest * dtype->bits / 8;
}

void check_size(const HeaderEntry& entry, const std::string& what) {
  if (entry.end < entry.begin) {
    fail(what, tensor_text(entry) + ": data_offsets run backwards, from " + thousands(entry.begin) + " to " +
                   thousands(entry.end));
  }
  const auto asked = size_asked(entry, what);
  if (asked && *asked != entry.end - entry.begin) {
    fail(what, tensor_text(entry) + ": shape [" + shape_text(entry.shape, ",") + "] of " + entry.dtype +
                   " takes " + thousands(*asked) + " bytes, data_offsets give " +
                   thousands(entry.end - entry.begin));
  }
}

// The offsets, sorted, must start at 0, follow each other without a hole or an overlap, and end with the
// file.
void check_cover(const std::vector<HeaderEntry>& entries, std::uint64_t data_bytes, const std::string& what) {
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(entries[a].begin, entries[a].end) < std::pair(entries[b].begin, entries[b].end);
  });
  std::uint64_t covered = 0;
  for (const std::size_t index : order) {
    const HeaderEntry& entry = entries[index];
    if (entry.begin > covered) {
      fail(what, tensor_text(entry) + " begins at offset " + thousands(entry.begin) +
                     ", which leaves a hole: the data before it ends at " + thousands(covered));
    }
    if (entry.begin < covered) {
      fail(what, tensor_text(entry) + " begins at offset " + thousands(entry.begin) +
                     " and overlaps the data before it, which ends at " + thousands(covered));
    }
    covered = entry.end;
    if (covered > data_bytes) {
      fail(what,
           tensor_text(entry) + " ends at offset " + thousands(covered) + ", the file has " +
               thousands(data_bytes) + " bytes of data",
           "is the file complete?");
    }
  }
  if (covered < data_bytes) {
    fail(what,
         "the tensors cover " + thousands(covered) + " bytes of data, the file has " + thousands(data_bytes));
  }
}

// The text of one of our metadata values: a JSON array of strings.
std::vector<std::string> string_array(const std::string& text, const std::string& what,
                                      std::string_view key) {
  using Json = nlohmann::json;
  const auto refuse = [&] {
    fail(what,
         "__metadata__, '" + std::string(key) + "': found something else, allowed is an array of strings");
  };
  // Refused at once, so that deep nesting is never built.
  const auto check = [&](int depth, Json::parse_event_t event, Json&) {
    if (event == Json::parse_event_t::object_start ||
        (event == Json::parse_event_t::array_start && depth > 0)) {
      refuse();
    }
    return true;
  };
  const Json array = Json::parse(text, check, false);
  if (!array.is_array() ||
      !std::all_of(array.begin(), array.end(), [](const auto& item) { return item.is_string(); })) {
    refuse();
  }
  return array.get<std::vector<std::string>>();
}

struct Registration {
  std::vector<std::string> order;
  std::unordered_map<std::string, Role> roles;
};

// Our own metadata, if it is there: it must then fit the tensors exactly.
Registration registration(const Header& header, const std::string& what) {
  const auto version_at = header.metadata.find(std::string(metadata_version_key));
  if (version_at == header.metadata.end()) return {};
  const auto version = parse_unsigned(version_at->second);
  if (version != std::uint64_t{safetensors_metadata_version}) {
    fail(what,
         "format version " + displayable(version_at->second) + " found, " +
             std::to_string(safetensors_metadata_version) + " is allowed",
         "a newer repro-train may be able to read it");
  }
  const auto array = [&](std::string_view key) {
    const auto at = header.metadata.find(std::string(key));
    if (at == header.metadata.end()) {
      fail(what, "__metadata__: the key '" + std::string(key) + "' is missing");
    }
    return string_array(at->second, what, key);
  };
  Registration result;
  result.order = array(metadata_order_key);
  const std::vector<std::string> roles = array(metadata_roles_key);
  const std::size_t count = header.entries.size();
  if (result.order.size() != count || roles.size() != count) {
    fail(what, "__metadata__ lists " + thousands(std::uint64_t{result.order.size()}) + " names and " +
                   thousands(std::uint64_t{roles.size()}) + " roles for " +
                   plural(static_cast<std::int64_t>(count), "tensor"));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto role = role_named(roles[i]);
    if (!role) fail(what, "__metadata__: unknown role '" + displayable(roles[i]) + "'");
    if (!result.roles.emplace(result.order[i], *role).second) {
      fail(what, "__metadata__: '" + displayable(result.order[i]) + "' is registered twice");
    }
  }
  for (const HeaderEntry& entry : header.entries) {
    if (result.roles.count(entry.name) == 0) {
      fail(what, tensor_text(entry) + " is not in the registration order of __metadata__");
    }
  }
  return result;
}

}  // namespace

SafetensorsContent parse_safetensors(ByteView bytes, const std::string& what) {
  const std::string_view json = header_text(bytes, what);
  const ByteView data = bytes.subspan(8 + json.size());
  Header header = parse_safetensors_header(json, what);
  for (const HeaderEntry& entry : header.entries) check_size(entry, what);
  check_cover(header.entries, data.size(), what);
  Registration registered = registration(header, what);

  SafetensorsContent content;
  for (HeaderEntry& entry : header.entries) {
    const auto role_at = registered.roles.find(entry.name);
    const Role role = role_at == registered.roles.end() ? Role::none : role_at->second;
    const SafetensorsDType* dtype = safetensors_dtype(entry.dtype);
    if (dtype == nullptr || !dtype->dtype) {
      std::string reason = "element type " + displayable(entry.dtype) +
                           (dtype == nullptr ? " is not known" : " cannot be read yet");
      content.unreadable.push_back(
          {std::move(entry.name), role, std::move(entry.dtype), std::move(entry.shape), std::move(reason)});
      continue;
    }
    const ByteView view = data.subspan(static_cast<std::size_t>(entry.begin),
                                       static_cast<std::size_t>(entry.end - entry.begin));
    content.tensors.push_back(
        {std::move(entry.name), TensorView{*dtype->dtype, std::move(entry.shape), view}});
    content.roles.push_back(role);
  }
  content.metadata = std::move(header.metadata);
  content.registration_order = std::move(registered.order);
  return content;
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path)
    : file_(path), content_(parse_safetensors(file_.bytes(), displayable(path.string()))) {}

}  // namespace repro
