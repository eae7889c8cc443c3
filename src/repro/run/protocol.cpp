#include "repro/run/protocol.h"

#include <bit>
#include <nlohmann/json.hpp>

#include "repro/base/text.h"

namespace repro {
namespace {

using Json = nlohmann::ordered_json;

NLOHMANN_JSON_SERIALIZE_ENUM(ErrorKind, {{ErrorKind::request, "request"},
                                         {ErrorKind::input, "input"},
                                         {ErrorKind::unavailable, "unavailable"},
                                         {ErrorKind::bug, "bug"}})

using Type = WorkerEvent::Type;
NLOHMANN_JSON_SERIALIZE_ENUM(Type, {{Type::ready, "ready"},
                                    {Type::refused, "refused"},
                                    {Type::step, "step"},
                                    {Type::warning, "warning"},
                                    {Type::finished, "finished"},
                                    {Type::failed, "failed"}})

template <class T>
void read(const Json& json, const char* key, T& value) {
  json.at(key).get_to(value);
}

}  // namespace

WorkerEvent step_event(std::int64_t step, std::int64_t total_steps, std::int64_t epoch, double loss) {
  WorkerEvent event;
  event.type = Type::step;
  event.step = step;
  event.total_steps = total_steps;
  event.epoch = epoch;
  event.loss = loss;
  return event;
}

WorkerEvent warning_event(const std::string& message) {
  WorkerEvent event;
  event.type = Type::warning;
  event.message = message;
  return event;
}

WorkerEvent failed_event(const Error& error) {
  WorkerEvent event;
  event.type = Type::failed;
  event.error = error.kind();
  event.message = error.message();
  event.hint = error.hint();
  return event;
}

std::string encode_event(const WorkerEvent& e) {
  Json out;
  out["event"] = e.type;
  switch (e.type) {
    case Type::ready:
      out.update({{"protocol", e.protocol},
                  {"build", e.build},
                  {"device", e.device},
                  {"device_name", e.device_name},
                  {"device_reason", e.device_reason}});
      break;
    case Type::refused:
    case Type::failed: out.update({{"error", e.error}, {"message", e.message}, {"hint", e.hint}}); break;
    case Type::warning: out["message"] = e.message; break;
    case Type::step:
      out.update({{"step", e.step},
                  {"total_steps", e.total_steps},
                  {"epoch", e.epoch},
                  {"loss_bits", std::bit_cast<std::uint64_t>(e.loss)}});
      break;
    case Type::finished:
      out.update({{"step", e.step},
                  {"total_steps", e.total_steps},
                  {"epoch", e.epoch},
                  {"stopped_early", e.stopped_early},
                  {"seconds", e.seconds},
                  {"step_seconds", e.step_seconds},
                  {"peak_memory_bytes", e.peak_memory_bytes}});
      out["first_nan_step"] = e.first_nan_step ? Json(*e.first_nan_step) : Json(nullptr);
      break;
  }
  // Text from exceptions and devices may hold any bytes; a line must always come out.
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

WorkerEvent decode_event(std::string_view line) {
  try {
    const Json json = Json::parse(line);
    WorkerEvent e;
    // An unknown name would silently become the first enumerator.
    if (json.at("event") != Json(json.at("event").get<Type>())) throw std::runtime_error("event");
    read(json, "event", e.type);
    switch (e.type) {
      case Type::ready:
        read(json, "protocol", e.protocol);
        read(json, "build", e.build);
        read(json, "device", e.device);
        read(json, "device_name", e.device_name);
        read(json, "device_reason", e.device_reason);
        break;
      case Type::refused:
      case Type::failed:
        read(json, "error", e.error);
        read(json, "message", e.message);
        read(json, "hint", e.hint);
        break;
      case Type::warning: read(json, "message", e.message); break;
      case Type::step:
      case Type::finished:
        read(json, "step", e.step);
        read(json, "total_steps", e.total_steps);
        read(json, "epoch", e.epoch);
        if (e.type == Type::step) {
          e.loss = std::bit_cast<double>(json.at("loss_bits").get<std::uint64_t>());
          break;
        }
        read(json, "stopped_early", e.stopped_early);
        read(json, "seconds", e.seconds);
        read(json, "step_seconds", e.step_seconds);
        read(json, "peak_memory_bytes", e.peak_memory_bytes);
        if (!json.at("first_nan_step").is_null()) e.first_nan_step = json.at("first_nan_step");
        break;
    }
    return e;
  } catch (const std::exception&) {
    throw Error(ErrorKind::unavailable,
                "the worker wrote a line that is no event: " + displayable(line.substr(0, 200)),
                "repro-train and the worker must come from the same build");
  }
}

}  // namespace repro
