# Reads build/setup.env, which scripts/setup writes: NAME=value lines. A value given with -D or in the environment wins.
# The results are normal variables, so that a later scripts/setup can change them; the file is watched for that.

set(repro_setup_file "${PROJECT_SOURCE_DIR}/build/setup.env")

macro(repro_read_setup name)
  if(NOT DEFINED CACHE{${name}})
    if(DEFINED ENV{${name}})
      set(${name} "$ENV{${name}}")
    elseif(EXISTS "${repro_setup_file}")
      file(STRINGS "${repro_setup_file}" line REGEX "^${name}=")
      string(REGEX REPLACE "^${name}=" "" ${name} "${line}")
    endif()
  endif()
endmacro()

repro_read_setup(TORCH_ROOT)
repro_read_setup(CATCH2_ROOT)

if(EXISTS "${repro_setup_file}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${repro_setup_file}")
endif()
if(CATCH2_ROOT)
  list(PREPEND CMAKE_PREFIX_PATH "${CATCH2_ROOT}")
endif()
