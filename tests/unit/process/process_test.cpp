#include "repro/process/process.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "shell.h"

using namespace repro;

TEST_CASE("the end of a child is told exactly") {
  for (const int code : {0, 1, 3, 126, 255}) {
    const ExitStatus status = Process(shell("exit " + std::to_string(code))).wait();
    CHECK_FALSE(status.signalled);
    CHECK(status.code == code);
    CHECK(status.success() == (code == 0));
  }
  const ExitStatus killed = Process(shell("kill -KILL $$")).wait();
  CHECK(killed.signalled);
  CHECK(killed.signal == SIGKILL);
  CHECK_FALSE(killed.success());
}

TEST_CASE("an end is described for people") {
  CHECK(describe({}) == "exited with status 0");
  CHECK(describe({.code = 3}) == "exited with status 3");
  CHECK(describe({.signalled = true, .signal = SIGKILL}) == "was killed by signal 9 (SIGKILL)");
  CHECK(describe({.signalled = true, .signal = SIGSEGV}) == "was killed by signal 11 (SIGSEGV)");
  CHECK(describe({.signalled = true, .signal = SIGRTMIN + 5}) ==
        "was killed by signal " + std::to_string(SIGRTMIN + 5));
}

TEST_CASE("waiting is idempotent and can give up") {
  Process process(shell("read line; exit 7"));
  CHECK_FALSE(process.wait_for(0));
  CHECK_FALSE(process.wait_for(1));
  process.close_input();
  const auto status = process.wait_for(guard_ms);
  REQUIRE(status);
  CHECK(status->code == 7);
  CHECK(process.wait_for(0)->code == 7);
  CHECK(process.wait().code == 7);
  process.signal_group(SIGKILL);  // nobody is there any more
}

TEST_CASE("wait closes the input that a child reads to its end") {
  Process process(shell("cat > /dev/null; exit 5"));
  REQUIRE(process.send_line("text"));
  CHECK(process.wait().code == 5);
}

TEST_CASE("lines go both ways") {
  Process process(shell("while read -r line; do echo \"<$line>\" >&3; done; printf end >&3"));
  REQUIRE(process.send_line("one"));
  CHECK(one_line(process) == "<one>");
  REQUIRE(process.send_line("two words"));
  CHECK(one_line(process) == "<two words>");
  process.close_input();
  CHECK_FALSE(process.send_line("too late"));
  CHECK(all_lines(process) == std::vector<std::string>{"end"});
  std::string line;
  CHECK(process.next_line(line, guard_ms, -1) == Process::Wait::ended);  // and so it stays
  CHECK(process.wait().success());
}

TEST_CASE("a line may arrive in pieces") {
  Process process(shell("printf ab >&3; read x; printf 'c\\nd' >&3"));
  std::string line;
  CHECK(process.next_line(line, 0, -1) == Process::Wait::timeout);
  CHECK(process.next_line(line, 1, -1) == Process::Wait::timeout);
  REQUIRE(process.send_line("go on"));
  CHECK(all_lines(process) == std::vector<std::string>{"abc", "d"});
}

TEST_CASE("ten megabytes of lines arrive whole, and do not block the end when nobody reads them") {
  const std::string script = "yes 123456789 | head -n 1000000 >&3";
  const auto lines = lines_of(script);
  CHECK(lines.size() == 1'000'000);
  CHECK(std::all_of(lines.begin(), lines.end(), [](auto& line) { return line == "123456789"; }));
  CHECK(Process(shell(script + "; exit 4")).wait().code == 4);
}

TEST_CASE("a line of 1 MiB is read, a longer one is an error") {
  const std::string start = "head -c 1048576 /dev/zero | tr '\\0' x >&3; ";
  CHECK(lines_of(start + "echo >&3") == std::vector<std::string>{std::string(1 << 20, 'x')});
  // The rest comes with its line break (in one write, so in one read), or without one and without an end.
  for (const char* rest : {"echo y >&3", "echo yyyyyyyyyy >&3", "printf y >&3; read x"}) {
    Process process(shell(start + rest));
    std::string line;
    try {
      process.next_line(line, guard_ms, -1);
      FAIL("the line was read");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unavailable);
      CHECK(error.message() == "/bin/sh: a line on the events pipe is longer than 1 MiB");
    }
  }
}

TEST_CASE("a child may close its events pipe and go on") {
  Process process(shell("exec 3>&-; read x; exit 6"));
  CHECK(all_lines(process).empty());
  CHECK_FALSE(process.wait_for(0));
  REQUIRE(process.send_line("end"));
  CHECK(process.wait().code == 6);
}

TEST_CASE("events end with the child even if a grandchild holds the pipe") {
  Process process(shell("tail -f /dev/null & echo last >&3; exit 2"));
  CHECK(all_lines(process) == std::vector<std::string>{"last"});
  CHECK(process.wait().code == 2);
}

TEST_CASE("an interruption comes before waiting lines and loses none") {
  Pipe alarm = make_pipe();
  Process process(shell("echo line >&3; read x"));
  std::string line;
  REQUIRE(::write(alarm.write.get(), "!", 1) == 1);
  CHECK(process.next_line(line, -1, alarm.read.get()) == Process::Wait::interrupted);
  CHECK(process.next_line(line, 0, alarm.read.get()) == Process::Wait::interrupted);
  char byte = 0;
  REQUIRE(::read(alarm.read.get(), &byte, 1) == 1);
  CHECK(process.next_line(line, guard_ms, alarm.read.get()) == Process::Wait::line);
  CHECK(line == "line");
  CHECK(process.next_line(line, 0, alarm.read.get()) == Process::Wait::timeout);
}

TEST_CASE("SIGTERM ends a child unless it ignores it") {
  const std::string body = "echo ready >&3; read x; echo \"$x\" >&3; read y";
  Process obedient(shell(body));
  REQUIRE(one_line(obedient) == "ready");
  obedient.signal_group(SIGTERM);
  CHECK(describe(obedient.wait()) == "was killed by signal 15 (SIGTERM)");

  Process stubborn(shell("trap '' TERM; " + body));
  REQUIRE(one_line(stubborn) == "ready");
  stubborn.signal_group(SIGTERM);
  REQUIRE(stubborn.send_line("still here"));  // answered after the signal was delivered
  CHECK(one_line(stubborn) == "still here");
  stubborn.signal_group(SIGKILL);
  CHECK(describe(stubborn.wait()) == "was killed by signal 9 (SIGKILL)");
}

TEST_CASE("writing to a child that does not read is no signal") {
  Process deaf(shell("exec 0<&-; echo closed >&3; tail -f /dev/null"));
  REQUIRE(one_line(deaf) == "closed");
  CHECK_FALSE(deaf.send_line("anybody?"));

  Process gone(shell("exit 0"));
  REQUIRE(gone.wait_for(guard_ms));
  CHECK_FALSE(gone.send_line("anybody?"));

  // More than the pipe holds, while the child ends without reading it.
  Process leaving(shell("exit 0"));
  CHECK_FALSE(leaving.send_line(std::string(1 << 20, 'x')));
}

TEST_CASE("a line larger than the pipe reaches a child that reads") {
  const TemporaryFolder folder;
  ProcessOptions options = shell("cat");
  options.output = folder / "copy.txt";
  Process process(options);
  const std::string line(1 << 20, 'x');
  REQUIRE(process.send_line(line));
  CHECK(process.wait().success());
  CHECK(read_text_file(folder / "copy.txt") == line + "\n");
}

TEST_CASE("output and errors go to one file, at its end") {
  const TemporaryFolder folder;
  ProcessOptions options = shell("echo out; echo err >&2; head -c 10000000 /dev/zero");
  options.output = folder / "log.txt";
  write_file(folder / "log.txt", std::string_view("before\n"));
  CHECK(Process(options).wait().success());
  const std::string log = read_text_file(folder / "log.txt");
  CHECK(log.size() == 7 + 8 + 10'000'000);
  CHECK(log.starts_with("before\nout\nerr\n"));
}

TEST_CASE("peak memory is that of the child and what it waited for") {
  // dash keeps the text of 64,000,000 bytes in memory, in a subshell.
  const auto status = Process(shell("(x=$(head -c 64000000 /dev/zero | tr '\\0' x); :); :")).wait();
  CHECK(status.success());
  CHECK(status.peak_memory_bytes >= 64'000'000);
}
