#pragma once

#include "repro/base/files.h"
#include "repro/engine/libtorch/device.h"
#include "repro/run/protocol.h"
#include "repro/train/loop.h"

namespace repro {

// Does what <directory>/request.json asks and leaves the files of a run there, environment.json also when
// training fails. Gives the event `finished`; throws what ends a run.
WorkerEvent train_one(const fs::path& directory, const ResolvedDevice& device, TrainingObserver& observer);

}  // namespace repro
