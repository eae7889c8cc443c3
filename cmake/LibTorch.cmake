# The targets repro::libtorch (CPU) and, if its library is there, repro::libtorch_cuda, for a LibTorch in TORCH_ROOT.
# Made by hand, because find_package(Torch) with the CUDA wheel demands a CUDA toolkit and links everything against libtorch_cuda.

set(REPRO_LIBTORCH_SERIES "2.11")

set(repro_torch_hint
  "Run scripts/setup, or give -DTORCH_ROOT=<folder with include/ and lib/>, or build without it: -DREPRO_WITH_LIBTORCH=OFF.")
if(NOT TORCH_ROOT)
  message(FATAL_ERROR "LibTorch ${REPRO_LIBTORCH_SERIES} is needed and TORCH_ROOT is not set. ${repro_torch_hint}")
endif()

# The version of the headers, which is what we compile against.
set(repro_torch_header "${TORCH_ROOT}/include/torch/headeronly/version.h")
if(NOT EXISTS "${repro_torch_header}")
  message(FATAL_ERROR "TORCH_ROOT is '${TORCH_ROOT}', but there is no LibTorch ${REPRO_LIBTORCH_SERIES} in it "
    "(no ${repro_torch_header}). ${repro_torch_hint}")
endif()
file(STRINGS "${repro_torch_header}" lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX REPLACE "[^;]*TORCH_VERSION_[A-Z]+ +([0-9]+)" "\\1" lines "${lines}")
list(JOIN lines "." REPRO_LIBTORCH_VERSION)
if(NOT REPRO_LIBTORCH_VERSION MATCHES "^2\\.11\\.")
  message(FATAL_ERROR "TORCH_ROOT is '${TORCH_ROOT}' with LibTorch '${REPRO_LIBTORCH_VERSION}', but ${REPRO_LIBTORCH_SERIES} "
    "is needed. ${repro_torch_hint}")
endif()

foreach(library IN ITEMS torch_cpu c10)
  if(NOT EXISTS "${TORCH_ROOT}/lib/lib${library}.so")
    message(FATAL_ERROR "TORCH_ROOT is '${TORCH_ROOT}', but lib/lib${library}.so is missing there. ${repro_torch_hint}")
  endif()
endforeach()

# Operators and kernels register themselves when their library is loaded, so the linker must keep a library of which no
# symbol is used. Each group is one argument, because CMake may reorder or merge several.
add_library(repro_libtorch INTERFACE)
add_library(repro::libtorch ALIAS repro_libtorch)
target_include_directories(repro_libtorch SYSTEM INTERFACE
  "${TORCH_ROOT}/include" "${TORCH_ROOT}/include/torch/csrc/api/include")
target_compile_definitions(repro_libtorch INTERFACE NDEBUG)   # at::RecordFunction has another layout without it
target_link_libraries(repro_libtorch INTERFACE
  "-Wl,--push-state,--no-as-needed,${TORCH_ROOT}/lib/libtorch_cpu.so,${TORCH_ROOT}/lib/libc10.so,--pop-state")
target_link_options(repro_libtorch INTERFACE "-Wl,-rpath,${TORCH_ROOT}/lib")

set(repro_torch_parts "CPU")
if(EXISTS "${TORCH_ROOT}/lib/libtorch_cuda.so")
  set(repro_torch_parts "CPU and CUDA")
  add_library(repro_libtorch_cuda INTERFACE)
  add_library(repro::libtorch_cuda ALIAS repro_libtorch_cuda)
  # In a lean installation libtorch_cuda's own libraries are absent: a plugin links, but cannot be loaded.
  target_link_libraries(repro_libtorch_cuda INTERFACE repro_libtorch
    "-Wl,--push-state,--no-as-needed,${TORCH_ROOT}/lib/libtorch_cuda.so,${TORCH_ROOT}/lib/libc10_cuda.so,--pop-state")
  target_link_options(repro_libtorch_cuda INTERFACE -Wl,--allow-shlib-undefined)
endif()
message(STATUS "LibTorch: ${REPRO_LIBTORCH_VERSION} (${repro_torch_parts}) in ${TORCH_ROOT}")
