#include "repro/process/spawn.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "repro/base/error.h"
#include "repro/base/text.h"

namespace repro {
namespace {

// What a child that could not reach its program says through a pipe that exec closes.
enum class Stage : int { prepare, working_directory, execute };
struct Failure {
  Stage stage = Stage::prepare;
  int error_number = 0;
};

// Everything that the child needs, made before fork(): between fork and exec only async-signal-safe calls
// are allowed, so nothing may allocate there.
struct Plan {
  std::vector<std::string> programs;  // tried one after the other
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  std::vector<char*> argv;
  std::vector<char*> envp;
  std::string working_directory;  // empty: ours
  pid_t parent = 0;
  int input = -1;
  int events = -1;
  int output = -1;
  int failure = -1;
};

[[noreturn]] void fail(const std::string& program, const std::string& reason, std::string hint = {}) {
  throw Error(ErrorKind::unavailable, "cannot start " + displayable(program) + ": " + reason,
              std::move(hint));
}

void refuse_nul(const ProcessOptions& options, const std::string& text, const char* what) {
  if (text.find('\0') == std::string::npos) return;
  fail(options.argv.front(), std::string(what) + " holds a zero byte: " + displayable(text));
}

std::vector<std::string> child_environment(const ProcessOptions& options) {
  std::map<std::string, bool> dropped;
  for (const std::string& name : options.unset) dropped[name] = true;
  for (const auto& [name, value] : options.environment) dropped[name] = true;
  std::vector<std::string> out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!dropped.contains(std::string(text.substr(0, text.find('='))))) out.emplace_back(text);
  }
  for (const auto& [name, value] : options.environment) {
    refuse_nul(options, name, "the name of an environment variable");
    refuse_nul(options, value, "an environment variable");
    if (name.empty() || name.find('=') != std::string::npos) {
      fail(options.argv.front(), "no name of an environment variable: '" + displayable(name) + "'");
    }
    out.emplace_back(name).append("=").append(value);
  }
  return out;
}

// As execvp, but with the PATH that the child will have, as env(1) does.
std::vector<std::string> candidates(const std::string& program, const std::vector<std::string>& environment) {
  if (program.empty() || program.find('/') != std::string::npos) return {program};
  std::string_view path = "/bin:/usr/bin";
  for (const std::string& entry : environment) {
    if (entry.starts_with("PATH=")) path = std::string_view(entry).substr(5);
  }
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    std::string& candidate = out.emplace_back(path.substr(begin, end - begin));
    if (!candidate.empty()) candidate += '/';  // an empty entry is the working directory
    candidate += program;
    begin = end + 1;
  }
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

Plan make_plan(const ProcessOptions& options) {
  if (options.argv.empty()) throw Error(ErrorKind::bug, "a process without a program was asked for");
  Plan plan;
  for (const std::string& argument : options.argv) refuse_nul(options, argument, "an argument");
  plan.arguments = options.argv;
  plan.environment = child_environment(options);
  plan.programs = candidates(options.argv.front(), plan.environment);
  plan.argv = pointers(plan.arguments);
  plan.envp = pointers(plan.environment);
  if (options.working_directory) plan.working_directory = options.working_directory->string();
  plan.parent = ::getpid();
  return plan;
}

Descriptor open_output(const ProcessOptions& options) {
  const std::string path = options.output ? options.output->string() : "/dev/null";
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
  } while (descriptor < 0 && errno == EINTR);
  Descriptor output = above_standard(Descriptor(descriptor));
  if (!output) {
    throw Error(ErrorKind::unavailable, displayable(path) + ": cannot write: " + error_text(errno));
  }
  return output;
}

// ---- in the child, between fork and exec ----

[[noreturn]] void give_up(const Plan& plan, Stage stage) {
  const Failure failure{stage, errno};
  while (::write(plan.failure, &failure, sizeof failure) < 0 && errno == EINTR) {
  }
  ::_exit(127);
}

void reset_signals() {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  // The C library refuses its own two signals and the kernel SIGKILL and SIGSTOP; they have no handlers.
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Nothing but 0 to 3 survives exec.
void close_others_on_exec() {
#if defined(SYS_close_range)
  constexpr unsigned close_on_exec = 1U << 2;  // CLOSE_RANGE_CLOEXEC
  if (::syscall(SYS_close_range, 4U, ~0U, close_on_exec) == 0) return;
#endif
  // Before Linux 5.11. The limit of open files can be astronomic; descriptors are given out from below.
  const int end = static_cast<int>(std::min(::sysconf(_SC_OPEN_MAX), 65536L));
  for (int descriptor = 4; descriptor < end; ++descriptor) {
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  }
}

[[noreturn]] void become_program(const Plan& plan) {
  if (::setpgid(0, 0) != 0) give_up(plan, Stage::prepare);
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(plan, Stage::prepare);
  if (::getppid() != plan.parent) ::_exit(127);  // it died before prctl: no signal will come
  for (const auto& [from, to] : {std::pair{plan.input, 0}, std::pair{plan.output, 1},
                                 std::pair{plan.output, 2}, std::pair{plan.events, 3}}) {
    while (::dup2(from, to) < 0) {
      if (errno != EINTR && errno != EBUSY) give_up(plan, Stage::prepare);
    }
  }
  close_others_on_exec();
  if (!plan.working_directory.empty() && ::chdir(plan.working_directory.c_str()) != 0) {
    give_up(plan, Stage::working_directory);
  }
  reset_signals();
  bool denied = false;
  for (const std::string& program : plan.programs) {
    ::execve(program.c_str(), plan.argv.data(), plan.envp.data());
    if (errno == EACCES) {
      denied = true;
    } else if (errno != ENOENT && errno != ENOTDIR) {
      break;
    }
  }
  if (denied && (errno == ENOENT || errno == ENOTDIR)) errno = EACCES;
  give_up(plan, Stage::execute);
}

// ---- in the parent ----

// All signals are blocked during fork(), so that no handler of ours runs in the child.
pid_t fork_quietly(const Plan& plan) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t id = ::fork();
  if (id == 0) become_program(plan);
  const int saved = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = saved;
  return id;
}

// An ignored SIGCHLD, which a process can inherit, would make the kernel forget how children ended. The
// default does nothing either.
void keep_exit_statuses() {
  struct sigaction action = {};
  if (::sigaction(SIGCHLD, nullptr, &action) != 0) return;
  const bool ignored = (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_IGN;
  if (!ignored && (action.sa_flags & SA_NOCLDWAIT) == 0) return;
  if (ignored) action.sa_handler = SIG_DFL;
  action.sa_flags &= ~SA_NOCLDWAIT;
  ::sigaction(SIGCHLD, &action, nullptr);
}

// Empty: the child has reached its program, which closed the pipe.
std::optional<Failure> read_failure(const Descriptor& pipe) {
  Failure failure;
  ssize_t count = 0;
  do {
    count = ::read(pipe.get(), &failure, sizeof failure);
  } while (count < 0 && errno == EINTR);
  if (count == static_cast<ssize_t>(sizeof failure)) return failure;
  return std::nullopt;
}

[[noreturn]] void report(const ProcessOptions& options, const Failure& failure) {
  const std::string& program = options.argv.front();
  const std::string reason = error_text(failure.error_number);
  if (failure.stage == Stage::working_directory) {
    fail(program, "working directory " + displayable(options.working_directory->string()) + ": " + reason);
  }
  std::string hint;
  if (failure.stage == Stage::execute && failure.error_number == ENOENT) {
    const bool path = program.find('/') != std::string::npos;
    std::error_code ignored;
    hint = !path ? "no program of that name is in PATH"
           : fs::exists(options.working_directory.value_or("") / program, ignored)
               ? "the file is there, but the interpreter that it names is not"
               : "";
  } else if (failure.error_number == ENOEXEC) {
    hint = "a script needs a first line such as #!/bin/sh";
  }
  fail(program, reason, std::move(hint));
}

}  // namespace

Spawned spawn(const ProcessOptions& options) {
  Plan plan = make_plan(options);
  const Descriptor output = open_output(options);
  Pipe input = make_pipe();
  Pipe events = make_pipe();
  Pipe failures = make_pipe();
  for (const Pipe* pipe : {&input, &events, &failures}) {
    if (!pipe->read || !pipe->write) fail(options.argv.front(), "no pipe: " + error_text(errno));
  }
  if (!set_nonblocking(input.write) || !set_nonblocking(events.read)) {
    fail(options.argv.front(), "no pipe: " + error_text(errno));
  }
  plan.input = input.read.get();
  plan.events = events.write.get();
  plan.output = output.get();
  plan.failure = failures.write.get();

  keep_exit_statuses();
  const pid_t id = fork_quietly(plan);
  if (id < 0) fail(options.argv.front(), error_text(errno));
  failures.write.reset();
  if (const auto failure = read_failure(failures.read)) {
    while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
    }
    report(options, *failure);
  }
  Descriptor ended(static_cast<int>(::syscall(SYS_pidfd_open, id, 0U)));  // closed on exec by itself
  return {id, std::move(input.write), std::move(events.read), above_standard(std::move(ended))};
}

}  // namespace repro
