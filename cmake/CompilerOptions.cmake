# How everything of ours is compiled. Bits matter here: no fused multiply-adds, no fast-math, and the same bytes from any folder.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Assertions stay on in every configuration. Only users of LibTorch define NDEBUG, in every configuration, because its
# headers have another layout without it (see LibTorch.cmake).
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g")

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# Programs hold no run path except for LibTorch (LibTorch.cmake): a path of this machine would make two builds differ.
set(CMAKE_SKIP_BUILD_RPATH ON)

find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

set(repro_flags
  -ffp-contract=off
  "-ffile-prefix-map=${PROJECT_BINARY_DIR}=build"
  "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=."
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 warns wrongly inside std::string concatenation (its bug 105651).
  list(APPEND repro_flags $<$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>:-Wno-restrict>)
endif()

# Applies the options above to one of our targets; imported and fetched libraries are left alone.
function(repro_compile_options target)
  target_compile_options(${target} PRIVATE ${repro_flags})
  set_target_properties(${target} PROPERTIES COMPILE_WARNING_AS_ERROR ON)
  if(REPRO_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${REPRO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${REPRO_SANITIZE})
  endif()
endfunction()
