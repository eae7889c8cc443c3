#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <functional>
#include <memory>

#include "shell.h"

using namespace repro;

namespace {

// Runs `body` in a fork of this test, where it may do as it likes; its result is the exit status.
int in_fork(const std::function<int()>& body) {
  const pid_t id = ::fork();
  if (id == 0) {
    int result = 99;
    try {
      result = body();
    } catch (...) {
      result = 98;
    }
    ::_exit(result);
  }
  int status = 0;
  ::waitpid(id, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Starts a grandchild that holds the named pipe "line" until it is killed, says so, and goes on.
std::string family(const TemporaryFolder& folder, const std::string& then) {
  return "(echo started >&3; exec tail -f /dev/null) > '" + (folder / "line").string() + "' & " + then;
}

}  // namespace

TEST_CASE("the destructor ends the child and its group") {
  const TemporaryFolder folder;
  const Lifeline line(folder / "line");
  pid_t id = 0;
  {
    Process process(shell(family(folder, "read x")));
    REQUIRE(one_line(process) == "started");
    CHECK_FALSE(line.is_cut(0));
    id = process.id();
  }
  CHECK(line.is_cut(guard_ms));
  CHECK(::waitpid(id, nullptr, WNOHANG) == -1);  // reaped: no zombie
  CHECK(errno == ECHILD);
}

TEST_CASE("what outlives its leader is ended when the end is taken") {
  const TemporaryFolder folder;
  const Lifeline line(folder / "line");
  Process process(shell(family(folder, "read x; exit 9")));
  REQUIRE(one_line(process) == "started");
  CHECK_FALSE(line.is_cut(0));
  CHECK(process.wait().code == 9);
  CHECK(line.is_cut(guard_ms));
}

TEST_CASE("a signal reaches the group and nobody else") {
  const TemporaryFolder folder;
  const Lifeline line(folder / "line");
  Process process(shell(family(folder, "wait; exit 8")));
  Process other(shell("read x; exit 0"));
  REQUIRE(one_line(process) == "started");
  process.signal_group(SIGINT);  // background jobs of sh ignore it, the leader does not
  CHECK(process.wait().signal == SIGINT);
  CHECK(line.is_cut(guard_ms));
  CHECK(other.wait().success());
}

TEST_CASE("a stopped child is ended too") {
  Process process(shell("echo ready >&3; kill -STOP $$"));
  REQUIRE(one_line(process) == "ready");
}

TEST_CASE("a child dies with the process that started it") {
  const TemporaryFolder folder;
  const Lifeline line(folder / "line");
  Pipe started = make_pipe();
  const pid_t middle = ::fork();
  if (middle == 0) {
    Process process(shell("echo started >&3; exec tail -f /dev/null > '" + (folder / "line").string() + "'"));
    // The shell may not have opened the pipe yet, so hold it open until the other side knows.
    const int hold = ::open((folder / "line").c_str(), O_WRONLY | O_CLOEXEC);
    const bool ready = one_line(process) == "started" && hold >= 0;
    if (::write(started.write.get(), ready ? "y" : "n", 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char answer = 0;
  REQUIRE(::read(started.read.get(), &answer, 1) == 1);
  CHECK(answer == 'y');
  CHECK_FALSE(line.is_cut(0));
  ::kill(middle, SIGKILL);
  REQUIRE(::waitpid(middle, nullptr, 0) == middle);
  CHECK(line.is_cut(guard_ms));
}

TEST_CASE("a parent without standard streams, or with a descriptor 3 of its own, can start children") {
  const TemporaryFolder folder;
  const std::string script = "read x; echo \"$x\"; echo error >&2; echo event >&3";
  const auto talk = [&](const char* log) {
    ProcessOptions options = shell(script);
    options.output = folder / log;
    Process process(options);
    if (!process.send_line("input")) return 1;
    if (one_line(process) != "event") return 2;
    if (!process.wait().success()) return 3;
    return read_text_file(folder / log) == "input\nerror\n" ? 0 : 4;
  };
  CHECK(in_fork([&] { return talk("as-it-is.txt"); }) == 0);
  CHECK(in_fork([&] {
          for (int descriptor = 0; descriptor <= 3; ++descriptor) ::close(descriptor);
          const int result = talk("closed.txt");
          // None of ours took their numbers: a message for standard error goes nowhere, not into a pipe.
          for (int descriptor = 0; descriptor <= 3; ++descriptor) {
            if (::fcntl(descriptor, F_GETFD) != -1) return 10 + descriptor;
          }
          return result;
        }) == 0);
  CHECK(in_fork([&] {
          Pipe own = make_pipe();
          if (::dup2(own.write.get(), 3) != 3) return 5;
          if (const int result = talk("three.txt"); result != 0) return result;
          char byte = 0;
          return ::write(3, "!", 1) == 1 && ::read(own.read.get(), &byte, 1) == 1 && byte == '!' ? 0 : 6;
        }) == 0);
}
