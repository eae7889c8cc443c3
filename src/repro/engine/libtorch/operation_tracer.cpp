#include "repro/engine/libtorch/operation_tracer.h"

#include <ATen/SequenceNumber.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/library.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "repro/base/error.h"
#include "repro/engine/libtorch/memory.h"

namespace repro {
namespace {

constexpr auto trace_key = c10::DispatchKey::TESTING_ONLY_GenericMode;

// Autograd's threads must find it too, so it cannot be thread-local.
std::atomic<OperationTracer*>& active_tracer() {
  static std::atomic<OperationTracer*> tracer = nullptr;
  return tracer;
}

void fallback(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const c10::DispatchKeySet below = keys - c10::DispatchKeySet(trace_key);
  OperationTracer* tracer = active_tracer().load();
  // A composition of other operations: those are seen instead.
  if (tracer == nullptr || op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd)) {
    op.redispatchBoxed(below, stack);
    return;
  }
  tracer->dispatch(op, below, stack);
}

const void* storage_of(const at::Tensor& tensor) {
  return tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl() : nullptr;
}

bool leaves_memory_uninitialised(std::string_view operation) {
  return operation.find("empty") != std::string_view::npos;
}

std::string list_name(const std::string& name, std::size_t i) { return name + "[" + std::to_string(i) + "]"; }

template <class Visit>
void visit_tensors(const c10::IValue& value, const std::string& name, const Visit& visit) {
  if (value.isTensor()) {
    visit(value.toTensor(), name);
  } else if (value.isTensorList()) {
    const c10::List<at::Tensor> list = value.toTensorList();
    for (std::size_t i = 0; i < list.size(); ++i) visit(list.get(i), list_name(name, i));
  } else if (value.isOptionalTensorList()) {
    const auto list = value.toOptionalTensorList();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::optional<at::Tensor> element = list.get(i);
      if (element) visit(*element, list_name(name, i));
    }
  }
}

std::string return_name(const c10::FunctionSchema& schema, std::size_t i) {
  const std::string& name = schema.returns()[i].name();
  if (!name.empty()) return name;
  return schema.returns().size() == 1 ? "result" : "result" + std::to_string(i);
}

// The results of an operation in memory of their own, or as views.
template <class Visit>
void visit_results(const c10::FunctionSchema& schema, const torch::jit::Stack& stack, const Visit& visit) {
  const std::size_t count = schema.returns().size();
  for (std::size_t i = 0; i < count; ++i) {
    const c10::AliasInfo* alias = schema.returns()[i].alias_info();
    if (alias != nullptr && alias->isWrite()) continue;  // one of the arguments that are written
    visit_tensors(stack[stack.size() - count + i], return_name(schema, i),
                  [&](const at::Tensor& tensor, const std::string& name) {
                    if (tensor.defined()) visit(tensor, name, alias != nullptr);
                  });
  }
}

// Keeps alerts of nondeterminism; other warnings go on to whoever had them before.
class AlertCollector : public c10::WarningHandler {
 public:
  std::vector<std::string> messages;

  void process(const c10::Warning& warning) override {
    if (warning.msg().find("deterministic") == std::string::npos) return previous_->process(warning);
    messages.push_back(warning.msg().substr(0, warning.msg().find('\n')));
  }

 private:
  c10::WarningHandler* previous_ = c10::WarningUtils::get_warning_handler();
};

}  // namespace

TORCH_LIBRARY_IMPL(_, TESTING_ONLY_GenericMode, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>());
}

struct OperationTracer::Scope::Guard {
  c10::impl::IncludeDispatchKeyGuard include{trace_key};
};

OperationTracer::Scope::Scope(OperationTracer& tracer) : tracer_(tracer) {
  tracer.begin();
  active_tracer() = &tracer;
  guard_ = std::make_unique<Guard>();
}

OperationTracer::Scope::~Scope() {
  guard_.reset();
  active_tracer() = nullptr;
  tracer_.end();
}

void OperationTracer::begin() {
  trace_ = {};
  storages_.clear();
  contents_.clear();
  parted_.reset();
  deviates_ = false;
  operation_.clear();
  layer_of_sequence_.clear();
  scope_names_.clear();
}

void OperationTracer::end() {
  expected_ = {};
  missed_ = missed_ || armed_.has_value();
  armed_.reset();
}

void OperationTracer::at(Phase phase, std::string layer) {
  phase_ = phase;
  layer_ = std::move(layer);
  // What is recorded for autograd from here on belongs to this layer.
  if (phase != Phase::backward) layer_of_sequence_[at::sequence_number::peek()] = layer_;
}

std::string OperationTracer::layer() const {
  if (phase_ != Phase::backward) return layer_;
  const auto node = torch::autograd::get_current_node();
  if (!node) return layer_;
  if (const auto* leaf = dynamic_cast<const torch::autograd::AccumulateGrad*>(node.get())) {
    const auto named = names_.find(storage_of(leaf->variable));
    return named == names_.end() ? "" : named->second.layer;
  }
  const auto behind = layer_of_sequence_.upper_bound(node->sequence_nr());
  return behind == layer_of_sequence_.begin() ? "" : std::prev(behind)->second;
}

std::string OperationTracer::last_operation() const {
  if (operation_.empty()) return {};
  return operation_layer_.empty() ? operation_ : "layer " + operation_layer_ + ", " + operation_;
}

void OperationTracer::name(const at::Tensor& tensor, std::string name, std::string layer) {
  names_[storage_of(tensor)] = {std::move(name), std::move(layer)};
}

void OperationTracer::name_in_scope(const at::Tensor& tensor, std::string name) {
  scope_names_[storage_of(tensor)] = std::move(name);
}

std::string OperationTracer::name_of_tensor(const at::Tensor& tensor, const std::string& otherwise) const {
  const void* storage = storage_of(tensor);
  if (const auto named = names_.find(storage); named != names_.end()) return named->second.name;
  const auto named = scope_names_.find(storage);
  return named == scope_names_.end() ? otherwise : named->second;
}

void OperationTracer::name_gradient(const at::Tensor& gradient, const std::string& name,
                                    const std::string& layer) {
  const void* storage = gradient.defined() ? storage_of(gradient) : nullptr;
  for (std::size_t i = trace_.slots.size(); storage != nullptr && i-- > 0;) {
    TraceSlot& slot = trace_.slots[i];
    if (storages_[i] != storage || slot.phase != Phase::backward) continue;
    if (slot.kind != SlotKind::result && slot.kind != SlotKind::written) continue;
    slot.tensor = name;
    if (slot.layer.empty()) slot.layer = layer;
    return;
  }
}

OperationTrace OperationTracer::take() {
  storages_.clear();
  return std::exchange(trace_, {});
}

void OperationTracer::expect(OperationTrace expected) { expected_ = std::move(expected); }

std::optional<Engine::Parted> OperationTracer::take_parted() { return std::exchange(parted_, std::nullopt); }

std::vector<Alert> OperationTracer::take_alerts() { return std::exchange(alerts_, {}); }

void OperationTracer::arm(const Injection& injection) {
  armed_ = Armed{injection, parse_operation_target(injection.target, "injection"), 0};
}

void OperationTracer::add(SlotKind kind, const at::Tensor& tensor, std::string name) {
  TraceSlot slot{.phase = phase_,
                 .kind = kind,
                 .tensor = std::move(name),
                 .layer = operation_layer_,
                 .operation = operation_};
  slot.dtype = dtype_of(tensor);
  slot.shape = tensor.sizes().vec();
  Fingerprint value = 0;
  if (has_fingerprint(kind) && has_readable_memory(tensor)) {
    FingerprintedTensor taken = fingerprint_of(tensor);
    value = taken.value;
    slot.strides = std::move(taken.strides);
  }
  const std::size_t at = trace_.slots.size();
  trace_.slots.push_back(std::move(slot));
  trace_.values.push_back(value);
  storages_.push_back(storage_of(tensor));
  if (expected_.slots.empty() || deviates_) return;
  deviates_ = at >= expected_.slots.size() || expected_.values[at] != value;
  if (deviates_ && has_readable_memory(tensor)) parted_ = Engine::Parted{at, host_copy(tensor)};
}

void OperationTracer::before(const std::vector<Argument>& arguments) {
  for (const Argument& argument : arguments) {
    const void* storage = storage_of(argument.tensor);
    const auto contents = contents_.find(storage);
    if (argument.written) {
      if (contents != contents_.end() && contents->second == Contents::uninitialised) continue;
      add(SlotKind::before, argument.tensor, argument.name);
    } else if (contents == contents_.end() || contents->second == Contents::uninitialised) {
      add(SlotKind::input, argument.tensor, argument.name);
      contents_[storage] = Contents::known;
    }
  }
}

void OperationTracer::after(const c10::FunctionSchema& schema, const std::vector<Argument>& arguments,
                            const torch::jit::Stack& stack) {
  for (const Argument& argument : arguments) {
    if (!argument.written) continue;
    contents_[storage_of(argument.tensor)] = Contents::known;
    add(SlotKind::written, argument.tensor, argument.name);
  }
  const bool uninitialised = leaves_memory_uninitialised(operation_);
  visit_results(schema, stack, [&](const at::Tensor& tensor, const std::string& name, bool view) {
    if (!view) {
      contents_[storage_of(tensor)] = uninitialised ? Contents::uninitialised : Contents::known;
    }
    add(view ? SlotKind::view : uninitialised ? SlotKind::uninitialised : SlotKind::result, tensor, name);
  });
}

void OperationTracer::inject_into_result(const c10::FunctionSchema& schema,
                                         const std::vector<Argument>& arguments,
                                         const torch::jit::Stack& stack) {
  if (!armed_ || armed_->injection.phase != phase_ || armed_->target.operation != operation_) return;
  if (!armed_->target.layer.empty() && armed_->target.layer != operation_layer_) return;
  if (++armed_->seen != armed_->target.occurrence) return;
  const Injection injection = std::exchange(armed_, std::nullopt)->injection;
  at::Tensor target;
  for (const Argument& argument : arguments) {
    if (argument.written && !target.defined()) target = argument.tensor;
  }
  visit_results(schema, stack, [&](const at::Tensor& tensor, const std::string&, bool) {
    if (!target.defined()) target = tensor;
  });
  if (!target.defined()) {
    throw Error(ErrorKind::unavailable, "the fault cannot be injected: " + operation_ + " gives no tensor");
  }
  change_element_of(target, injection.index, injection.change);
}

// Autograd holds warnings of the backward pass back; caught here they still have their place.
void OperationTracer::call(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                           torch::jit::Stack* stack) {
  if (!collecting_alerts_) return op.redispatchBoxed(keys, stack);
  AlertCollector collector;
  {
    const c10::WarningUtils::WarningHandlerGuard guard(&collector);
    op.redispatchBoxed(keys, stack);
  }
  for (const std::string& message : collector.messages) {
    const auto same = std::ranges::find_if(alerts_, [&](const Alert& alert) {
      return alert.phase == phase_ && alert.layer == operation_layer_ && alert.operation == operation_ &&
             alert.message == message;
    });
    if (same != alerts_.end()) {
      ++same->count;
    } else {
      alerts_.push_back({phase_, operation_layer_, operation_, message, 1});
    }
  }
}

void OperationTracer::dispatch(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                               torch::jit::Stack* stack) {
  const c10::FunctionSchema& schema = op.schema();
  operation_ = schema.name();
  operation_layer_ = layer();
  std::vector<Argument> arguments;
  const std::size_t count = schema.arguments().size();
  for (std::size_t i = 0; i < count; ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    const bool written = argument.alias_info() != nullptr && argument.alias_info()->isWrite();
    visit_tensors((*stack)[stack->size() - count + i], argument.name(),
                  [&](const at::Tensor& tensor, const std::string& name) {
                    if (tensor.defined())
                      arguments.push_back({tensor, name_of_tensor(tensor, name), written});
                  });
  }
  const c10::impl::ExcludeDispatchKeyGuard off(trace_key);  // neither kernels nor our own work are traced
  if (recording_) before(arguments);
  call(op, keys, stack);
  inject_into_result(schema, arguments, *stack);
  if (recording_) after(schema, arguments, *stack);
}

}  // namespace repro
