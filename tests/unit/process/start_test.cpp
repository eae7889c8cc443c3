#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>

#include "shell.h"

using namespace repro;

namespace {

struct Refusal {
  std::string message;
  std::string hint;
};

Refusal refusal(const ProcessOptions& options) {
  try {
    const Process process(options);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unavailable);
    return {error.message(), error.hint()};
  }
  return {"it was started", ""};
}

Refusal refusal_of(const fs::path& program) {
  ProcessOptions options;
  options.argv = {program.string()};
  return refusal(options);
}

void write_script(const fs::path& path, std::string_view text, fs::perms permissions) {
  write_file(path, text);
  fs::permissions(path, permissions);
}

}  // namespace

TEST_CASE("a program that cannot be started is told with the reason") {
  CHECK(refusal(shell(":")).message == "it was started");

  const TemporaryFolder folder;
  const std::string missing = (folder / "missing").string();
  CHECK(refusal_of(missing).message == "cannot start " + missing + ": No such file or directory");
  CHECK(refusal_of("no-such-program-anywhere").message ==
        "cannot start no-such-program-anywhere: No such file or directory");
  CHECK(refusal_of("no-such-program-anywhere").hint == "no program of that name is in PATH");
  CHECK(refusal_of("").message == "cannot start : No such file or directory");

  const fs::path plain = folder / "plain";
  write_script(plain, "#!/bin/sh\n", fs::perms::owner_read);
  CHECK(refusal_of(plain).message == "cannot start " + plain.string() + ": Permission denied");

  const fs::path orphan = folder / "orphan";
  write_script(orphan, "#!/no/such/shell\n", fs::perms::owner_all);
  CHECK(refusal_of(orphan).message == "cannot start " + orphan.string() + ": No such file or directory");
  CHECK(refusal_of(orphan).hint == "the file is there, but the interpreter that it names is not");

  const fs::path bare = folder / "bare";
  write_script(bare, "echo hello\n", fs::perms::owner_all);
  CHECK(refusal_of(bare).message == "cannot start " + bare.string() + ": Exec format error");

  ProcessOptions nowhere = shell(":");
  nowhere.working_directory = missing;
  CHECK(refusal(nowhere).message ==
        "cannot start /bin/sh: working directory " + missing + ": No such file or directory");

  ProcessOptions mute = shell(":");
  mute.output = folder / "missing/log.txt";
  CHECK(refusal(mute).message == missing + "/log.txt: cannot write: No such file or directory");

  ProcessOptions cut = shell(":");
  cut.argv.push_back(std::string("a\0b", 3));
  CHECK(refusal(cut).message == "cannot start /bin/sh: an argument holds a zero byte: a\\x00b");
}

TEST_CASE("a program is looked up in the PATH that it gets") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "a");
  fs::create_directory(folder / "b");
  // A file of that name that may not be executed is passed over, as execvp does.
  write_script(folder / "a/tool", "#!/bin/sh\n", fs::perms::owner_read);
  write_script(folder / "b/tool", "#!/bin/sh\necho \"$0\" >&3\n", fs::perms::owner_all);
  ProcessOptions options;
  options.argv = {"tool"};
  options.environment["PATH"] = (folder / "a").string() + ":" + (folder / "b").string();
  Process process(options);
  CHECK(one_line(process) == (folder / "b/tool").string());
  options.environment["PATH"] = (folder / "a").string();
  CHECK(refusal(options).message == "cannot start tool: Permission denied");
}

TEST_CASE("environment and working directory are those asked for") {
  ::setenv("REPRO_TEST_KEPT", "kept", 1);
  ::setenv("REPRO_TEST_REPLACED", "old", 1);
  ::setenv("REPRO_TEST_REMOVED", "old", 1);
  const TemporaryFolder folder;
  ProcessOptions options = shell(
      "echo \"$REPRO_TEST_KEPT,$REPRO_TEST_REPLACED,${REPRO_TEST_REMOVED-gone},$REPRO_TEST_ADDED\" "
      ">&3; env | grep -c REPRO_TEST_REPLACED= >&3; pwd -P >&3");
  options.environment = {{"REPRO_TEST_REPLACED", "new"}, {"REPRO_TEST_ADDED", "a=b c"}};
  options.unset = {"REPRO_TEST_REMOVED"};
  options.working_directory = folder / "";
  Process process(options);
  CHECK(all_lines(process) ==
        std::vector<std::string>{"kept,new,gone,a=b c", "1", fs::canonical(folder / "").string()});
}

TEST_CASE("a child inherits four descriptors, whatever is open here") {
  const int leaked = ::open("/dev/null", O_RDONLY);  // not closed on exec
  REQUIRE(leaked >= 0);
  REQUIRE(::dup2(leaked, 100) == 100);
  // Asked one by one: the shell opens descriptors of its own for a loop's output and to list a folder.
  CHECK(lines_of("n=0; while [ $n -lt 200 ]; do if [ -e /proc/$$/fd/$n ]; then echo $n >&3; fi; "
                 "n=$((n+1)); done") == std::vector<std::string>{"0", "1", "2", "3"});
  ::close(100);
  ::close(leaked);
}

TEST_CASE("a child starts with default signals, whatever is blocked or ignored here") {
  sigset_t blocked;
  sigset_t before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::sigaddset(&blocked, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto interrupt = std::signal(SIGINT, SIG_IGN);
  const auto pipe = std::signal(SIGPIPE, SIG_IGN);
  const auto lines = lines_of("grep -E 'Sig(Blk|Ign)' /proc/self/status >&3");
  std::signal(SIGINT, interrupt);
  std::signal(SIGPIPE, pipe);
  sigset_t after;
  ::pthread_sigmask(SIG_SETMASK, &before, &after);
  CHECK(lines == std::vector<std::string>{"SigBlk:\t0000000000000000", "SigIgn:\t0000000000000000"});
  CHECK(::sigismember(&after, SIGUSR1) == 1);  // and here nothing has changed
  CHECK(::sigismember(&after, SIGINT) == 0);
}

TEST_CASE("an ignored SIGCHLD does not lose the exit status") {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const ExitStatus status = Process(shell("exit 3")).wait();
  std::signal(SIGCHLD, before);
  CHECK(status.code == 3);
}
