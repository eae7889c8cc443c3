# Version and source revision for the programs, as the generated header "repro_build_info.h" of target repro::build_info.
# Two clones of one commit give the same text; an archive made by `git archive` carries the revision in cmake/revision.txt.

function(repro_find_revision result)
  set(revision "unknown")
  if(EXISTS "${PROJECT_SOURCE_DIR}/.git")
    find_package(Git QUIET)
    if(Git_FOUND)
      execute_process(COMMAND "${GIT_EXECUTABLE}" rev-parse HEAD
        WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE
        ERROR_QUIET RESULT_VARIABLE failed)
      if(NOT failed)
        string(SUBSTRING "${output}" 0 12 revision)
      endif()
      # Configure again after a commit or a checkout.
      execute_process(COMMAND "${GIT_EXECUTABLE}" rev-parse --git-path logs/HEAD
        WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      get_filename_component(log "${log}" ABSOLUTE BASE_DIR "${PROJECT_SOURCE_DIR}")
      if(EXISTS "${log}")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${log}")
      endif()
    endif()
  else()
    file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/revision.txt" text LIMIT_COUNT 1)
    if(text MATCHES "^[0-9a-f]+$")
      string(SUBSTRING "${text}" 0 12 revision)
    endif()
  endif()
  set(${result} "${revision}" PARENT_SCOPE)
endfunction()

repro_find_revision(REPRO_REVISION)
configure_file("${PROJECT_SOURCE_DIR}/cmake/repro_build_info.h.in" "${PROJECT_BINARY_DIR}/generated/repro_build_info.h" @ONLY)

add_library(repro_build_info INTERFACE)
add_library(repro::build_info ALIAS repro_build_info)
target_include_directories(repro_build_info INTERFACE "${PROJECT_BINARY_DIR}/generated")
