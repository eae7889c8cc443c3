#include <CLI/CLI.hpp>
#include <csignal>
#include <string>

#include "session.h"

// Exit status: 0 after end of input, 2 for a wrong command line. Trouble with a run is an event, not a
// status: the next run may still be well.
int main(int argc, char** argv) {
  CLI::App app("Trains with LibTorch for repro-train, which starts it; not meant to be run by hand.");
  repro::SessionOptions options;
  app.add_option("--protocol", options.protocol, "Version of the protocol that the caller speaks")
      ->required();
  app.add_option("--device", options.device, "auto, cpu, cuda or cuda:K")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  std::signal(SIGPIPE, SIG_IGN);  // a caller that died is noticed by the failing write
  return repro::serve(options);
}
