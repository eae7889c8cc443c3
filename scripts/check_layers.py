#!/usr/bin/env python3
"""Checks that the sources keep to the ladder of docs/architecture.md.

usage: check_layers.py [ROOT]        check a source tree (default: the one this script lies in)
       check_layers.py --self-test   plant every kind of violation and see that it is found

Found are: an include of a module that is not below, an external library outside the modules that may use it, a USES in a
module's CMakeLists.txt that leads upwards, an include that does not name its module, `using namespace` in a header, and
files of more than 400 lines. Exit code 1 if there is any.
"""

import re
import sys
import tempfile
from pathlib import Path

# module: (modules it may use directly, external libraries it may use). What those use in turn is allowed as well, except
# for external libraries, which are never inherited.
LADDER = {
    "base": ([], ["openssl", "zlib"]),
    "tensor": (["base"], []),
    "spec": (["base"], ["json"]),
    "environment": (["base"], ["json", "build_info", "cpuid"]),
    "process": (["base"], []),
    "pickle": (["base"], []),
    "snapshot": (["base", "tensor"], ["json", "simd", "zlib"]),
    "data": (["base", "tensor", "spec"], ["json"]),
    "model": (["base", "tensor", "spec"], ["json"]),
    "checkpoint": (["base", "tensor", "pickle", "snapshot"], ["json", "deflate"]),
    "compare": (["base", "tensor", "snapshot"], ["json", "simd"]),
    "run": (["base", "spec", "environment", "process", "snapshot"], ["json", "build_info"]),
    "advice": (["base", "tensor", "spec", "model"], []),
    "audit": (["run", "checkpoint", "compare", "data", "model"], ["json"]),
    "gate": (["audit"], ["json"]),
    "report": (["audit", "gate", "advice"], ["json", "pugixml", "zlib", "build_info"]),
    "train": (["data", "model", "snapshot", "run"], ["json"]),
    "cuda": (["base", "tensor"], ["cuda"]),
    "engine/libtorch": (["train", "cuda"], ["torch", "json", "simd", "build_info"]),
    "engine/portable": (["train"], ["simd", "json", "build_info"]),
}

# Headers of other modules, by the end of their names, that a module may include although they are not below it: arithmetic
# shared by the CPU and the GPU.
SHARED_HEADERS = {"cuda": ("_kernel.h", ["data", "snapshot", "compare", "engine/portable"])}

# program: (modules it may not use, external libraries)
APPS = {
    "repro-train": (
        ["train", "cuda", "engine/libtorch", "engine/portable"],
        ["json", "cli11", "spdlog", "build_info"],
    ),
    "repro-worker": ([], ["json", "cli11", "spdlog", "build_info", "torch"]),
    "repro-worker-portable": (["engine/libtorch"], ["json", "cli11", "spdlog", "build_info"]),
    "cuda-plugin": ([], ["torch", "cuda"]),
    "common": (  # shared by the programs
        ["train", "cuda", "engine/libtorch", "engine/portable"],
        ["json", "cli11", "spdlog", "build_info"],
    ),
}

# How an include betrays the library. Everything that is not matched here must be the C++ or C library or POSIX.
EXTERNAL = {
    "openssl": r"openssl/",
    "zlib": r"zlib\.h$",
    "deflate": r"libdeflate\.h$",
    "json": r"nlohmann/",
    "cli11": r"CLI/",
    "spdlog": r"(spdlog|fmt)/",
    "pugixml": r"pugi(xml|config)\.hpp$",
    "torch": r"(torch|ATen|c10|caffe2)/",
    "cuda": r"(cuda|cub|thrust|cooperative_groups|curand|cublas|cudnn|nvtx3|nvml)",
    "simd": r"(\w*intrin\.h$|arm_neon\.h$|arm_sve\.h$|hwy/)",
    "cpuid": r"cpuid\.h$",
    "build_info": r"repro_build_info\.h$",
    "catch2": r"catch2/",
}
SYSTEM = re.compile(
    r"([a-z_0-9]+$"  # C++ library
    r"|(sys|linux|netinet|arpa)/|asm/unistd\.h$|gnu/libc-version\.h$"
    r"|(cpio|dirent|dlfcn|elf|execinfo|fcntl|fenv|fnmatch|ftw|glob|grp|langinfo|limits|link|locale|malloc|poll|pthread|pty|pwd"
    r"|sched|signal|spawn|stdint|stdio|stdlib|string|syslog|termios|time|unistd|utime|wait)\.h$)"
)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
USES = re.compile(r"\bUSES\b([^)]*?)(?:\b(?:SOURCES|LIBRARIES)\b|\))", re.S)
MAX_LINES = 400


def closure(module):
    """All modules that a module may use, itself included."""
    found, todo = set(), [module]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo.extend(LADDER[name][0])
    return found


def module_of(path):
    """The module of a path below src/repro or of an include, longest name first; None if there is none."""
    for name in sorted(LADDER, key=len, reverse=True):
        if path.startswith(name + "/"):
            return name
    return None


def library_of(include):
    for library, pattern in EXTERNAL.items():
        if re.match(pattern, include):
            return library
    return None


class Checker:
    def __init__(self, root):
        self.root = root
        self.problems = []

    def problem(self, path, line, text):
        self.problems.append(f"{path.relative_to(self.root)}:{line}: {text}")

    def check_tree(self):
        source = self.root / "src" / "repro"
        for path in self.files(source, ".h", ".cpp", ".cu", ".cuh"):
            module = module_of(path.relative_to(source).as_posix())
            if module is None:
                self.problem(path, 1, "belongs to no module of the ladder (scripts/check_layers.py)")
                continue
            self.check_file(path, module, closure(module), LADDER[module][1], own_headers=False)
        for path in self.files(source, "CMakeLists.txt"):
            self.check_uses(path, module_of(path.relative_to(source).as_posix()))
        for folder in sorted(p for p in (self.root / "apps").glob("*") if p.is_dir()):
            if folder.name not in APPS:
                self.problem(folder, 1, "is no program of the ladder (scripts/check_layers.py)")
                continue
            forbidden, external = APPS[folder.name]
            allowed = set(LADDER) - set(forbidden)
            for path in self.files(folder, ".h", ".cpp", ".cu"):
                self.check_file(path, f"apps/{folder.name}", allowed, external, own_headers=True)
        for folder in ("src", "apps", "tests", "scripts", "cmake"):
            for path in self.files(self.root / folder, ".h", ".cpp", ".cu", ".cuh", ".py", ".cmake", ".txt"):
                self.check_size(path)

    @staticmethod
    def files(folder, *endings):
        return sorted(p for p in folder.rglob("*") if p.is_file() and p.name.endswith(endings))

    def check_file(self, path, user, allowed, external, own_headers):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            if path.suffix in (".h", ".cuh") and re.match(r"\s*using\s+namespace\b", line):
                self.problem(path, number, "`using namespace` in a header")
            match = INCLUDE.match(line)
            if match:
                self.check_include(path, number, user, match[1], match[2], allowed, external, own_headers)

    def check_include(self, path, line, user, bracket, include, allowed, external, own_headers):
        if include.startswith("repro/"):
            target = module_of(include.removeprefix("repro/"))
            if target is None:
                self.problem(path, line, f"<{include}> is in no module of the ladder")
            elif target not in allowed and not self.is_shared(user, target, include):
                self.problem(path, line, f"{user} must not include {target}: {include}")
            return
        library = library_of(include)
        if library is not None:
            if library not in external:
                self.problem(path, line, f"{user} must not use {library}: {include}")
        elif bracket == '"':
            if not own_headers:
                self.problem(path, line, f'write "repro/<module>/<file>.h" instead of "{include}"')
        elif not SYSTEM.match(include):
            self.problem(path, line, f"<{include}> is a library unknown to scripts/check_layers.py")

    @staticmethod
    def is_shared(user, target, include):
        ending, modules = SHARED_HEADERS.get(user, ("", []))
        return target in modules and include.endswith(ending)

    def check_uses(self, path, module):
        if module is None:
            return
        text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
        for match in USES.finditer(text):
            for name in match[1].split():
                used = next((m for m in LADDER if m.replace("/", "_") == name.replace("/", "_")), None)
                if used not in closure(module):
                    line = text[: match.start()].count("\n") + 1
                    self.problem(path, line, f"{module} must not link {name}")

    def check_size(self, path):
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > MAX_LINES:
            self.problem(path, lines, f"{lines} lines; more than {MAX_LINES} are too many for one file")


def find_problems(root):
    checker = Checker(root)
    checker.check_tree()
    return checker.problems


def self_test():
    clean = {
        "src/repro/base/error.h": "#pragma once\n#include <string>\n#include <sys/wait.h>\n",
        "src/repro/tensor/dtype.cpp": '#include "repro/base/error.h"\n',
        "src/repro/gate/gate.cpp": '#include "repro/base/error.h"\n#include <nlohmann/json.hpp>\n',
        "src/repro/cuda/noise.cu": '#include "repro/data/noise_kernel.h"\n#include <cuda_runtime.h>\n',
        "src/repro/engine/libtorch/engine.cpp": '#include "repro/train/loop.h"\n#include <ATen/core/Tensor.h>\n',
        "src/repro/tensor/CMakeLists.txt": "repro_add_module(tensor\n  SOURCES dtype.cpp\n  USES base)\n",
        "apps/repro-train/main.cpp": '#include "commands.h"\n#include <CLI/CLI.hpp>\n',
    }
    violations = {
        "upward include": ("src/repro/base/bad.cpp", '#include "repro/tensor/dtype.h"\n'),
        "sideways include": ("src/repro/spec/bad.cpp", '#include "repro/process/process.h"\n'),
        "include not listed": ("src/repro/data/bad.cpp", '#include "repro/snapshot/trace.h"\n'),
        "engine from below": ("src/repro/train/bad.cpp", '#include "repro/engine/libtorch/engine.h"\n'),
        "no kernel header": ("src/repro/cuda/bad.cu", '#include "repro/data/batch.h"\n'),
        "unknown module": ("src/repro/base/bad.cpp", '#include "repro/nowhere/x.h"\n'),
        "module without a row": ("src/repro/nowhere/x.h", "#pragma once\n"),
        "LibTorch outside its engine": ("src/repro/train/bad.h", "#  include <ATen/ATen.h>\n"),
        "logging in a library": ("src/repro/report/bad.cpp", "#include <spdlog/spdlog.h>\n"),
        "JSON below spec": ("src/repro/tensor/bad.cpp", "#include <nlohmann/json.hpp>\n"),
        "unknown library": ("src/repro/base/bad.cpp", "#include <boost/any.hpp>\n"),
        "include without module": ("src/repro/base/bad.cpp", '#include "error.h"\n'),
        "using namespace": ("src/repro/base/bad.h", "  using namespace std;\n"),
        "long file": ("tests/unit/base/long_test.cpp", "\n" * (MAX_LINES + 1)),
        "upward link": ("src/repro/base/CMakeLists.txt", "repro_add_module(base SOURCES a.cpp USES tensor)\n"),
        "trainer in the auditor": ("apps/repro-train/bad.cpp", '#include "repro/train/loop.h"\n'),
        "unknown program": ("apps/other/main.cpp", "int main() {}\n"),
    }

    def problems_of(files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return find_problems(Path(folder))

    wrong = [f"clean tree: {problem}" for problem in problems_of(clean)]
    for name, (path, text) in violations.items():
        found = problems_of({**clean, path: text})
        if len(found) != 1:
            wrong.append(f"{name}: found {found or 'nothing'} instead of one problem")
    return wrong


def main(arguments):
    if arguments == ["--self-test"]:
        problems = self_test()
    elif len(arguments) <= 1 and not any(a.startswith("-") for a in arguments):
        problems = find_problems(Path(arguments[0] if arguments else Path(__file__).parent.parent).resolve())
    else:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
