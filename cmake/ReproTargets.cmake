# The kinds of target in this repository. Each call names what it uses, so that the link graph is the ladder.

set(REPRO_INCLUDE_ROOT "${PROJECT_SOURCE_DIR}/src")

# repro::a for a list of module names; "engine/libtorch" and "engine_libtorch" mean the same module.
function(repro_module_targets result)
  set(targets "")
  foreach(name IN LISTS ARGN)
    string(REPLACE "/" "_" name "${name}")
    list(APPEND targets repro::${name})
  endforeach()
  set(${result} "${targets}" PARENT_SCOPE)
endfunction()

# repro_add_module(<name> SOURCES a.cpp... [USES module...] [LIBRARIES target...])
# A static library repro_<name> with the alias repro::<name>. Without sources it is header-only.
function(repro_add_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES;LIBRARIES")
  repro_module_targets(used ${arg_USES})
  if(arg_SOURCES)
    add_library(repro_${name} STATIC ${arg_SOURCES})
    repro_compile_options(repro_${name})
    set(scope PUBLIC)
  else()
    add_library(repro_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(repro::${name} ALIAS repro_${name})
  target_include_directories(repro_${name} ${scope} "${REPRO_INCLUDE_ROOT}")
  target_link_libraries(repro_${name} ${scope} ${used} ${arg_LIBRARIES})
endfunction()

# repro_add_program(<name> SOURCES main.cpp... [USES module...] [LIBRARIES target...] [INSTALL_TO folder])
# An executable in <build>/bin, installed to the folder (default: bin).
function(repro_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "INSTALL_TO" "SOURCES;USES;LIBRARIES")
  repro_module_targets(used ${arg_USES})
  add_executable(${name} ${arg_SOURCES})
  repro_compile_options(${name})
  target_include_directories(${name} PRIVATE "${REPRO_INCLUDE_ROOT}")
  target_link_libraries(${name} PRIVATE ${used} ${arg_LIBRARIES} repro::build_info)
  if(NOT arg_INSTALL_TO)
    set(arg_INSTALL_TO bin)
  endif()
  install(TARGETS ${name} RUNTIME DESTINATION "${arg_INSTALL_TO}")
endfunction()

# Settings that all tests share. Exit codes: 4 is Catch2's "everything was skipped"; scripts use 77 through
# repro_add_script_test. ASan's own exit code is 1, our code for "different", so it gets another one.
function(repro_test_properties name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT;LOCK;SKIP_CODE" "LABELS;ENVIRONMENT")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES
    LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE ${arg_SKIP_CODE}
    ENVIRONMENT "ASAN_OPTIONS=exitcode=99;UBSAN_OPTIONS=print_stacktrace=1;${arg_ENVIRONMENT}")
  if(arg_LOCK)
    set_tests_properties(${name} PROPERTIES RESOURCE_LOCK "${arg_LOCK}")
  endif()
endfunction()

# repro_add_test(<name> SOURCES x_test.cpp... [USES module...] [LIBRARIES target...] [LABELS label...]
#                [LOCK resource] [TIMEOUT seconds] [ENVIRONMENT NAME=value...])
# A Catch2 program test_<name>, run as one CTest test. Tests that train take LOCK training: they use all cores.
function(repro_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LOCK;TIMEOUT" "SOURCES;USES;LIBRARIES;LABELS;ENVIRONMENT")
  repro_module_targets(used ${arg_USES})
  add_executable(test_${name} ${arg_SOURCES})
  repro_compile_options(test_${name})
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
  target_include_directories(test_${name} PRIVATE "${REPRO_INCLUDE_ROOT}" "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(test_${name} PRIVATE
    REPRO_SOURCE_DIR="${PROJECT_SOURCE_DIR}" REPRO_BIN_DIR="${PROJECT_BINARY_DIR}/bin")
  target_link_libraries(test_${name} PRIVATE ${used} ${arg_LIBRARIES} Catch2::Catch2WithMain)
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  add_test(NAME ${name} COMMAND test_${name})
  repro_test_properties(${name} SKIP_CODE 4 TIMEOUT "${arg_TIMEOUT}" LOCK "${arg_LOCK}"
    LABELS ${arg_LABELS} ENVIRONMENT ${arg_ENVIRONMENT})
endfunction()

# repro_add_script_test(<name> COMMAND program args... [LABELS label...] [LOCK resource] [TIMEOUT seconds]
#                       [ENVIRONMENT NAME=value...])
# A test that is a command; exit code 77 means skipped. It sees REPRO_SOURCE_DIR, REPRO_BINARY_DIR and REPRO_BIN_DIR.
function(repro_add_script_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LOCK;TIMEOUT" "COMMAND;LABELS;ENVIRONMENT")
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  repro_test_properties(${name} SKIP_CODE 77 TIMEOUT "${arg_TIMEOUT}" LOCK "${arg_LOCK}" LABELS ${arg_LABELS}
    ENVIRONMENT "REPRO_SOURCE_DIR=${PROJECT_SOURCE_DIR}" "REPRO_BINARY_DIR=${PROJECT_BINARY_DIR}"
                "REPRO_BIN_DIR=${PROJECT_BINARY_DIR}/bin" ${arg_ENVIRONMENT})
endfunction()
