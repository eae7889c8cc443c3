#include "repro/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>

#include "repro/base/error.h"
#include "repro/base/files.h"
#include "repro/base/text.h"

namespace repro {
namespace {

// What the signal handler may look at: fixed memory, atomics only. A slot is in use while `end` is not 0.
struct Slot {
  std::atomic<std::uintptr_t> begin{0}, end{0};
  std::atomic<bool> faulted{false};
};
constexpr std::size_t slot_count = 65536;
std::array<Slot, slot_count> slots;      // static: zero, and not touched until used
std::atomic<std::size_t> slots_used{0};  // slots from here on have never been in use
std::atomic<std::uintptr_t> page_bytes{4096};

// Lays a page of zeros over a page of a mapping that its file no longer has, and remembers it. Anything
// else is passed on: with the default action in place the instruction faults again and ends the program.
// mmap is a plain system call here; nothing is allocated and nothing is jumped over.
void on_bus_error(int signal, siginfo_t* info, void*) {
  const int saved_errno = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const std::size_t used = slots_used.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    Slot& slot = slots[i];
    if (address < slot.begin.load(std::memory_order_acquire) ||
        address >= slot.end.load(std::memory_order_acquire)) {
      continue;
    }
    const std::uintptr_t size = page_bytes.load(std::memory_order_relaxed);
    void* page = reinterpret_cast<void*>(address & ~(size - 1));
    slot.faulted.store(true, std::memory_order_release);
    if (::mmap(page, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) break;
    errno = saved_errno;
    return;
  }
  std::signal(signal, SIG_DFL);
  errno = saved_errno;
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_bytes.store(static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE)));
    struct sigaction action = {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, nullptr);
  });
}

std::mutex slots_mutex;

Slot* take_slot(std::uintptr_t begin, std::uintptr_t end) {
  const std::lock_guard lock(slots_mutex);
  std::size_t used = slots_used.load();
  std::size_t free = 0;
  while (free < used && slots[free].end.load() != 0) ++free;
  if (free == slot_count) return nullptr;
  slots[free].faulted.store(false);
  slots[free].begin.store(begin);
  slots[free].end.store(end, std::memory_order_release);
  if (free == used) slots_used.store(used + 1, std::memory_order_release);
  return &slots[free];
}

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw Error(ErrorKind::input, "cannot read " + displayable(path.string()) + ": " + reason);
}

// The soft limit of open files is often 1,024; the hard one is what the administrator means.
bool raise_file_limit() {
  struct rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return false;
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

int open_for_reading(const fs::path& path) {
  // O_NONBLOCK: a FIFO must be refused, not waited for.
  constexpr int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
  int descriptor = ::open(path.c_str(), flags);
  if (descriptor < 0 && errno == EMFILE && raise_file_limit()) descriptor = ::open(path.c_str(), flags);
  return descriptor;
}

}  // namespace

struct MappedFile::Mapping {
  fs::path path;
  int descriptor = -1;
  struct stat opened = {};
  ByteView bytes;
  Slot* slot = nullptr;

  explicit Mapping(const fs::path& file) : path(file) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (slot != nullptr) slot->end.store(0, std::memory_order_release);
    if (!bytes.empty()) ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
    if (descriptor >= 0) ::close(descriptor);
  }
};

MappedFile::MappedFile(const fs::path& path) : mapping_(std::make_unique<Mapping>(path)) {
  Mapping& m = *mapping_;
  m.descriptor = open_for_reading(path);
  if (m.descriptor < 0) fail(path, error_text(errno));
  if (::fstat(m.descriptor, &m.opened) != 0) fail(path, error_text(errno));
  if (!S_ISREG(m.opened.st_mode)) {
    fail(path, S_ISDIR(m.opened.st_mode) ? "it is a folder" : "not a regular file");
  }
  if (m.opened.st_size == 0) return;
  install_handler();
  const auto size = static_cast<std::size_t>(m.opened.st_size);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, m.descriptor, 0);
  if (address == MAP_FAILED) fail(path, error_text(errno));
  m.bytes = {static_cast<const std::byte*>(address), size};
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  m.slot = take_slot(begin, begin + size);
  if (m.slot == nullptr) {
    throw Error(ErrorKind::unavailable, "cannot read " + displayable(path.string()) + ": more than " +
                                            thousands(std::uint64_t{slot_count}) + " files at a time");
  }
}

MappedFile::MappedFile(MappedFile&& other) noexcept = default;
MappedFile& MappedFile::operator=(MappedFile&& other) noexcept = default;
MappedFile::~MappedFile() = default;

ByteView MappedFile::bytes() const { return mapping_->bytes; }
const fs::path& MappedFile::path() const { return mapping_->path; }

void MappedFile::check_unchanged() const {
  const Mapping& m = *mapping_;
  struct stat now = {};
  if (::fstat(m.descriptor, &now) != 0) fail(m.path, error_text(errno));
  if (now.st_size != m.opened.st_size) {
    fail(m.path, "it had " + thousands(static_cast<std::int64_t>(m.opened.st_size)) +
                     " bytes when it was opened, now it has " +
                     thousands(static_cast<std::int64_t>(now.st_size)) + "; it changed while it was read");
  }
  const bool same_time =
      now.st_mtim.tv_sec == m.opened.st_mtim.tv_sec && now.st_mtim.tv_nsec == m.opened.st_mtim.tv_nsec;
  if (!same_time) fail(m.path, "it changed while it was read");
  if (m.slot != nullptr && m.slot->faulted.load(std::memory_order_acquire)) {
    fail(m.path, "a part of it could not be read (a device error, or it was cut for a moment)");
  }
}

}  // namespace repro
