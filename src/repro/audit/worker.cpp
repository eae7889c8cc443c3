#include "repro/audit/worker.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "repro/base/text.h"
#include "repro/environment/environment.h"

namespace repro {
namespace {

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

void check_same_build(const fs::path& program, const WorkerEvent& ready) {
  const std::string where = "the worker " + displayable(program.string());
  if (ready.protocol != worker_protocol) {
    throw Error(ErrorKind::request,
                where + " speaks protocol " + std::to_string(ready.protocol) +
                    ", this program speaks protocol " + std::to_string(worker_protocol),
                "install repro-train and repro-worker from the same build");
  }
  if (ready.build != build_identity()) {
    throw Error(
        ErrorKind::request,
        where + " is of build " + displayable(ready.build) + ", this program of build " + build_identity(),
        "install repro-train and repro-worker from the same build");
  }
}

}  // namespace

fs::path find_worker() {
  if (const char* named = std::getenv("REPRO_WORKER"); named != nullptr && *named != '\0') {
    if (is_program(named)) return fs::absolute(named);
    throw Error(ErrorKind::request,
                "REPRO_WORKER is " + displayable(named) + ", which is not an executable file",
                "unset it or let it name a repro-worker");
  }
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& candidate :
       {folder / "repro-worker", folder.parent_path() / "libexec/repro-train/repro-worker"}) {
    if (is_program(candidate)) return candidate;
  }
  throw Error(ErrorKind::request,
              "training needs repro-worker, which is neither beside this program (" +
                  displayable(folder.string()) + ") nor in ../libexec/repro-train",
              "build it with LibTorch, or let REPRO_WORKER name one");
}

EarlyOutput::EarlyOutput() : descriptor_(::memfd_create("worker output", MFD_CLOEXEC)) {
  if (descriptor_ < 0) {
    throw Error(ErrorKind::unavailable, "cannot make a memory file: " + error_text(errno));
  }
}

EarlyOutput::~EarlyOutput() { ::close(descriptor_); }

fs::path EarlyOutput::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor_);
}

std::string EarlyOutput::text() const {
  std::string out(65536, '\0');  // more than that is nobody's start-up message
  const ssize_t n = ::pread(descriptor_, out.data(), out.size(), 0);
  out.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
  return out;
}

Worker::Worker(const fs::path& program, const std::string& device,
               const std::map<std::string, std::string>& environment, int interrupt_descriptor)
    : interrupt_descriptor_(interrupt_descriptor),
      process_({{program.string(), "--protocol", std::to_string(worker_protocol), "--device", device},
                environment,
                {},
                std::nullopt,
                early_.path()}) {
  const auto event = next_event();
  if (!event) {
    throw Error(ErrorKind::unavailable,
                "the worker " + displayable(program.string()) + " " + how_it_ended() +
                    " before it was ready: " + displayable(early_.text().substr(0, 2000)));
  }
  if (event->type == WorkerEvent::Type::refused) {
    throw Error(event->error, displayable(event->message), displayable(event->hint));
  }
  if (event->type != WorkerEvent::Type::ready) {
    throw Error(ErrorKind::unavailable, "the worker did not say that it is ready");
  }
  ready_ = *event;
  check_same_build(program, ready_);
}

std::optional<WorkerEvent> Worker::next_event() {
  std::string line;
  switch (process_.next_line(line, -1, interrupt_descriptor_)) {
    case Process::Wait::line: return decode_event(line);
    case Process::Wait::interrupted: throw Interrupted{};
    case Process::Wait::timeout:
    case Process::Wait::ended: break;
  }
  return std::nullopt;
}

WorkerEvent Worker::train(const fs::path& directory,
                          const std::function<void(const WorkerEvent&)>& on_event) {
  if (!used_) write_file(directory / "log.txt", early_.text());
  used_ = true;
  process_.send_line(directory.string());
  while (auto event = next_event()) {
    if (event->type == WorkerEvent::Type::finished || event->type == WorkerEvent::Type::failed) {
      return *event;
    }
    on_event(*event);
  }
  return failed_event({ErrorKind::unavailable, "the worker " + how_it_ended() + " without a result",
                       "see log.txt of the run"});
}

std::string Worker::how_it_ended() {
  alive_ = false;
  return describe(process_.wait());
}

void Worker::stop() {
  if (!alive_) return;
  alive_ = false;
  process_.signal_group(SIGTERM);
  if (!process_.wait_for(5000)) process_.signal_group(SIGKILL);
  process_.wait();
}

}  // namespace repro
