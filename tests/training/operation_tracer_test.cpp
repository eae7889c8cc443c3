#include "repro/engine/libtorch/operation_tracer.h"

#include <ATen/Context.h>
#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/put.h>
#include <ATen/ops/split.h>
#include <ATen/ops/zeros.h>

#include <catch2/catch_test_macros.hpp>
#include <functional>

#include "repro/base/error.h"
#include "repro/snapshot/fingerprint.h"

namespace {

using namespace repro;

OperationTrace traced(OperationTracer& tracer, const std::function<void()>& work) {
  tracer.record(true);
  {
    const OperationTracer::Scope scope(tracer);
    tracer.at(Phase::forward, "layer1");
    work();
  }
  return tracer.take();
}
OperationTrace traced(const std::function<void()>& work) {
  OperationTracer tracer;
  return traced(tracer, work);
}

// "add: input self, input other, result" for each operation of a trace.
std::string shown(const OperationTrace& trace) {
  std::string out;
  std::string last;
  for (const TraceSlot& slot : trace.slots) {
    if (slot.operation != last) out += (out.empty() ? "" : "; ") + slot.operation.substr(6) + ":";
    last = slot.operation;
    out += " " + std::string(name_of(slot.kind)) + " " + slot.tensor;
  }
  return out;
}

TEST_CASE("arguments that nothing has made are recorded as they are read, results as they are given") {
  const at::Tensor a = at::ones({2, 3}), b = at::ones({2, 3});
  const OperationTrace trace = traced([&] { at::add(at::add(a, b), b); });
  CHECK(shown(trace) == "add: input self input other result result result result");
  REQUIRE(trace.slots.size() == 4);  // b is known the second time, the first sum is a result
  CHECK(trace.slots[0].layer == "layer1");
  CHECK(trace.slots[0].phase == Phase::forward);
  CHECK(trace.values[0] == trace.values[1]);
  CHECK(trace.values[2] != trace.values[3]);
  CHECK(traced([] {}).slots.empty());
}

TEST_CASE("what is overwritten is recorded before and after") {
  const at::Tensor a = at::zeros({4});
  const OperationTrace trace = traced([&] { a.add_(1); });
  CHECK(shown(trace) == "add_: before self written self");
  CHECK(trace.values[0] != trace.values[1]);
  const OperationTrace again = traced([&] { a.add_(1); });
  CHECK(again.values[0] == trace.values[1]);  // as it was left
}

TEST_CASE("what uninitialised memory held is never recorded") {
  const auto work = [](float garbage) {
    return traced([&] {
      at::Tensor a = at::empty({1000});
      {
        const c10::impl::ExcludeDispatchKeyGuard off(c10::DispatchKey::TESTING_ONLY_GenericMode);
        a.fill_(garbage);  // whatever was there before
      }
      a.fill_(1);
      a.add_(1);
    });
  };
  const OperationTrace one = work(3), other = work(4);
  CHECK(shown(one) == "empty: uninitialised result; fill_: written self; add_: before self written self");
  CHECK(one.values == other.values);
  CHECK(one.values[0] == 0);
  // Read before it is written, it is recorded: the difference must not be blamed on the reader.
  const auto reading = [](float garbage) {
    return traced([&] {
      at::Tensor a = at::empty({1000});
      {
        const c10::impl::ExcludeDispatchKeyGuard off(c10::DispatchKey::TESTING_ONLY_GenericMode);
        a.fill_(garbage);
      }
      at::add(a, a);
    });
  };
  const OperationTrace left = reading(3), right = reading(4);
  CHECK(shown(left) == "empty: uninitialised result; add: input self result result");
  CHECK(left.values[1] != right.values[1]);
}

TEST_CASE("views have no fingerprint of their own; writes through them are seen") {
  const at::Tensor a = at::zeros({4, 2});
  const OperationTrace trace = traced([&] { a.t().select(0, 1).add_(1); });
  CHECK(shown(trace) == "t: input self view result; select: view result; add_: before self written self");
  CHECK(trace.values[1] == 0);
  const OperationTrace parts = traced([&] { at::split(a, 2); });
  CHECK(shown(parts) == "split: input self view result[0] view result[1]");
}

TEST_CASE("tensors in another dense order are fingerprinted as they lie, with their strides") {
  const at::Tensor rows = at::ones({2, 3, 4, 5}).cumsum(3);
  const at::Tensor channels = rows.contiguous(at::MemoryFormat::ChannelsLast);
  const OperationTrace trace = traced([&] {
    at::add(rows, 1);
    at::add(channels, 1);
  });
  REQUIRE(trace.slots.size() == 4);
  CHECK(trace.slots[1].strides.empty());
  CHECK(trace.slots[3].strides == std::vector<std::int64_t>{60, 1, 15, 3});
  CHECK(trace.slots[3].shape == Shape{2, 3, 4, 5});
  CHECK(trace.values[1] != trace.values[3]);
}

TEST_CASE("alerts of warn mode have their place, others do not count") {
  at::Context& context = at::globalContext();
  context.setDeterministicAlgorithms(true, true);
  OperationTracer tracer;
  tracer.collect_alerts();
  const at::Tensor a = at::zeros({4});
  const at::Tensor index = at::zeros({1}, at::kLong), value = at::ones({1});
  traced(tracer, [&] {
    at::put(a, index, value);
    at::put(a, index, value);
    at::add(a, a);
  });
  context.setDeterministicAlgorithms(false, false);
  const std::vector<Alert> alerts = tracer.take_alerts();
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].layer == "layer1");
  CHECK(alerts[0].phase == Phase::forward);
  CHECK(alerts[0].operation.starts_with("aten::put"));
  CHECK(alerts[0].count == 2);
  CHECK(alerts[0].message.find("does not have a deterministic implementation") != std::string::npos);
  CHECK(tracer.take_alerts().empty());
}

TEST_CASE("a fault strikes the operation that it names, once") {
  const at::Tensor a = at::zeros({4});
  const auto with_fault = [&](const char* target) {
    OperationTracer tracer;
    tracer.arm(parse_injection("x,1,forward," + std::string(target) + ",2,bit=30", "test"));
    at::Tensor first, second;
    const OperationTrace trace = traced(tracer, [&] {
      first = at::add(a, 1);
      second = at::add(a, 1);
    });
    const bool in_first = first[2].item<float>() != 1, in_second = second[2].item<float>() != 1;
    CHECK(tracer.missed() == !(in_first || in_second));
    CHECK((trace.values[1] != trace.values[2]) == (in_first != in_second));
    return std::pair(in_first, in_second);
  };
  CHECK(with_fault("aten::add") == std::pair(true, false));
  CHECK(with_fault("aten::add#2") == std::pair(false, true));
  CHECK(with_fault("layer1/aten::add") == std::pair(true, false));
  CHECK(with_fault("layer2/aten::add") == std::pair(false, false));
  CHECK(with_fault("aten::add#3") == std::pair(false, false));
}

TEST_CASE("where a trace parts from what was expected, the tensor is kept") {
  const auto work = [](float value) { return [value] { at::add(at::zeros({3}), value).mul_(2); }; };
  OperationTracer tracer;
  const OperationTrace expected = traced(tracer, work(1));
  tracer.expect(expected);
  traced(tracer, work(1));
  CHECK_FALSE(tracer.take_parted());
  tracer.expect(expected);
  const OperationTrace other = traced(tracer, work(2));
  const auto parted = tracer.take_parted();
  REQUIRE(parted);
  CHECK(other.slots[parted->slot].operation == "aten::add");
  CHECK(parted->tensor.values<float>()[0] == 2);
}

}  // namespace
