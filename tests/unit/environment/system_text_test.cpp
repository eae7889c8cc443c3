#include "repro/environment/system_text.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "support/temporary_folder.h"

using namespace repro;

namespace {

// A folder in place of "/", with files for /proc and /sys.
class FakeRoot {
 public:
  const fs::path& path() const { return folder_.path(); }
  void add(const std::string& name, const std::string& text) const {
    fs::create_directories((path() / name).parent_path());
    std::ofstream(path() / name) << text;
  }

 private:
  TemporaryFolder folder_;
};

constexpr const char* amd =
    "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC 7763 64-Core Processor\n"
    "flags\t\t: fpu sse4_2 sse4_1 avx fma f16c avx2 avx512fake\n\nprocessor\t: 1\n"
    "model name\t: another\nflags\t\t: fpu avx512f\n";
constexpr const char* arm = "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd sve bf16\n";

}  // namespace

TEST_CASE("processor facts come from the first processor") {
  CHECK(cpu_model_in(amd) == "AMD EPYC 7763 64-Core Processor");
  CHECK(cpu_flags_in(amd) == std::vector<std::string>{"sse4_1", "sse4_2", "avx", "f16c", "fma", "avx2"});
  CHECK_FALSE(cpu_model_in(arm));
  CHECK(cpu_flags_in(arm) == std::vector<std::string>{"asimd", "sve", "bf16"});
  CHECK_FALSE(cpu_model_in(""));
  CHECK_FALSE(cpu_model_in("model name\t: \n"));
  CHECK(cpu_flags_in("").empty());
}

TEST_CASE("memory, cores and system are read, or absent") {
  CHECK(memory_bytes_in("MemTotal:       16384000 kB\nMemFree: 1 kB\n") == 16777216000U);
  CHECK_FALSE(memory_bytes_in("MemTotal: 16384000 MB\n"));
  CHECK_FALSE(memory_bytes_in("MemTotal: 18446744073709551615 kB\n"));
  CHECK_FALSE(memory_bytes_in("MemFree: 1 kB\n"));

  CHECK(core_count_in("0\n") == 1);
  CHECK(core_count_in("0-3,8,10-11\n") == 7);
  for (const char* wrong : {"", "\n", "3-1", "a", "0-", "-1", "0,,1", "0-1-2", "0-99999999999"}) {
    CHECK_FALSE(core_count_in(wrong));
  }

  CHECK(operating_system_in("NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian \\\"12\\\" = x\"\n") ==
        "Debian \"12\" = x");
  CHECK(operating_system_in("NAME=Arch\nID=arch\n") == "Arch");
  CHECK_FALSE(operating_system_in("ID=arch\n"));
  CHECK_FALSE(operating_system_in("PRETTY_NAME=\"\"\n"));
}

TEST_CASE("the driver's version is found in each of its forms") {
  CHECK(nvidia_driver_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 "
                         "01:15:15 UTC 2023\nGCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n") ==
        "535.104.05");
  CHECK(nvidia_driver_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release "
                         "Build  (dvs-builder@U22)  Sun Jul 27 07:16:21 UTC 2025\n") == "580.65.06");
  CHECK(nvidia_driver_in("580.65.06\n") == "580.65.06");
  CHECK_FALSE(nvidia_driver_in(""));
  CHECK_FALSE(nvidia_driver_in("NVRM version: something else 2025\nGCC version: gcc version 12.2.0\n"));
}

TEST_CASE("quotas are cores") {
  CHECK(quota_v2_in("200000 100000\n") == 2.0);
  CHECK(quota_v2_in("50000 100000\n") == 0.5);
  CHECK(quota_v2_in("150000\n") == 1.5);
  for (const char* none : {"max 100000\n", "max\n", "", "0 100000", "200000 0", "1 2 3", "x y"}) {
    CHECK_FALSE(quota_v2_in(none));
  }
  CHECK(quota_v1_in("250000\n", "100000\n") == 2.5);
  CHECK_FALSE(quota_v1_in("-1\n", "100000\n"));
  CHECK_FALSE(quota_v1_in("", ""));
}

TEST_CASE("the smallest quota of a group and those above it counts") {
  SECTION("nothing is known") { CHECK_FALSE(cores_quota(FakeRoot().path())); }
  SECTION("version 2") {
    const FakeRoot root;
    root.add("proc/self/cgroup", "0::/user/job\n");
    root.add("sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
    CHECK_FALSE(cores_quota(root.path()));
    root.add("sys/fs/cgroup/user/job/cpu.max", "400000 100000\n");
    CHECK(cores_quota(root.path()) == 4.0);
    root.add("sys/fs/cgroup/user/cpu.max", "300000 100000\n");
    CHECK(cores_quota(root.path()) == 3.0);
    root.add("sys/fs/cgroup/other/cpu.max", "100000 100000\n");  // not above us
    CHECK(cores_quota(root.path()) == 3.0);
  }
  SECTION("version 1, alone or with another controller, beside version 2") {
    const FakeRoot root;
    root.add("proc/self/cgroup", "5:cpuset:/job\n4:cpu,cpuacct:/job\n1:name=systemd:/\n0::/\n");
    root.add("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "150000\n");
    root.add("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    CHECK(cores_quota(root.path()) == 1.5);
    root.add("sys/fs/cgroup/unified/cpu.max", "50000 100000\n");
    CHECK(cores_quota(root.path()) == 0.5);
  }
  SECTION("a container sees its own group as the root, under a path that it cannot see") {
    for (const char* path : {"/docker/0123", "/../../elsewhere"}) {
      const FakeRoot root;
      root.add("proc/self/cgroup", "0::" + std::string(path) + "\n");
      root.add("sys/fs/cgroup/cpu.max", "200000 100000\n");
      root.add("sys/elsewhere/cpu.max", "100000 100000\n");  // where the second path must not lead
      CHECK(cores_quota(root.path()) == 2.0);
    }
  }
}

TEST_CASE("variables that change bits are reported, secrets and others are not") {
  for (const char* name :
       {"OMP_NUM_THREADS", "KMP_AFFINITY", "MKL_CBWR", "MKL_NUM_THREADS", "DNNL_MAX_CPU_ISA",
        "ONEDNN_VERBOSE", "ATEN_CPU_CAPABILITY", "CUBLAS_WORKSPACE_CONFIG", "CUDA_VISIBLE_DEVICES",
        "CUDNN_LOGLEVEL_DBG", "NCCL_ALGO", "NVIDIA_TF32_OVERRIDE", "PYTORCH_CUDA_ALLOC_CONF",
        "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "GLIBC_TUNABLES", "MALLOC_ARENA_MAX", "LD_PRELOAD",
        "LD_LIBRARY_PATH"}) {
    CHECK(is_reported_variable(name));
  }
  for (const char* name : {"HOME", "PATH", "NVIDIA_API_KEY", "TORCH_HUB_TOKEN", "CUDA_SECRET", "",
                           "omp_num_threads", "MY_OMP_NUM_THREADS", "LD_PRELOAD_2"}) {
    CHECK_FALSE(is_reported_variable(name));
  }
  const char* const entries[] = {"OMP_NUM_THREADS=2", "HOME=/root", "MKL_CBWR=", "LD_PRELOAD=a=b",
                                 "OMP_NUM_THREADS=9", "CUDA_X",     nullptr};
  CHECK(reported_variables(entries) == std::map<std::string, std::string>{{"LD_PRELOAD", "a=b"},
                                                                          {"MKL_CBWR", ""},
                                                                          {"OMP_NUM_THREADS", "2"}});
  CHECK(reported_variables(nullptr).empty());
}

TEST_CASE("files that say they have no size are read whole") {
  REQUIRE(system_text("/proc/self/stat"));
  CHECK_FALSE(system_text("/proc/self/stat")->empty());
  CHECK_FALSE(system_text("/proc/no-such-file"));
  CHECK_FALSE(system_text("/proc"));
}
