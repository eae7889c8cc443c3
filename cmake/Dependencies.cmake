# The libraries that the core needs. An installed one is taken first; otherwise a pinned version is fetched and built.
# After this file these targets exist: CLI11::CLI11, nlohmann_json::nlohmann_json, spdlog::spdlog, pugixml::pugixml,
# OpenSSL::Crypto, ZLIB::ZLIB, Threads::Threads, hwy::hwy (SIMD dispatch), repro::deflate (libdeflate) and, with tests,
# Catch2::Catch2WithMain.

include(FetchContent)

# Too basic for fetching: every system has them as packages.
find_package(Threads REQUIRED)
find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)
find_package(ZLIB REQUIRED)

# repro_dependency(name minimum-version repository tag): find_package, else FetchContent with the tag.
function(repro_dependency name version repository tag)
  find_package(${name} ${version} QUIET)
  if(${name}_FOUND)
    message(STATUS "${name}: ${${name}_VERSION} in ${${name}_DIR}")
    return()
  endif()
  message(STATUS "${name}: not installed in version ${version} or newer; fetching ${tag}")
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON SYSTEM)
  FetchContent_MakeAvailable(${name})
endfunction()

set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)   # found inside a function, used everywhere
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)         # so that the next three reach the options of fetched projects
set(BUILD_SHARED_LIBS OFF)
set(JSON_Install OFF)
set(SPDLOG_INSTALL OFF)

repro_dependency(nlohmann_json 3.10 https://github.com/nlohmann/json.git v3.11.3)
repro_dependency(CLI11 2.1 https://github.com/CLIUtils/CLI11.git v2.4.2)
repro_dependency(spdlog 1.9 https://github.com/gabime/spdlog.git v1.14.1)
repro_dependency(pugixml 1.11 https://github.com/zeux/pugixml.git v1.14)
set(HWY_ENABLE_TESTS OFF)
set(HWY_ENABLE_EXAMPLES OFF)
set(HWY_ENABLE_CONTRIB OFF)
set(HWY_ENABLE_INSTALL OFF)
repro_dependency(hwy 1.0.3 https://github.com/google/highway.git 1.2.0)
if(NOT TARGET hwy::hwy)
  add_library(hwy::hwy ALIAS hwy)   # fetched: its target has no namespace
endif()
set(LIBDEFLATE_BUILD_SHARED_LIB OFF)
set(LIBDEFLATE_BUILD_GZIP OFF)
repro_dependency(Deflate 1.10 https://github.com/ebiggers/libdeflate.git v1.22)
if(NOT TARGET repro_deflate)
  add_library(repro_deflate INTERFACE)
  target_link_libraries(repro_deflate INTERFACE libdeflate_static)
endif()
add_library(repro::deflate ALIAS repro_deflate)
if(REPRO_BUILD_TESTS)
  repro_dependency(Catch2 3.1 https://github.com/catchorg/Catch2.git v3.7.1)
endif()
