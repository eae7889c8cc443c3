# Documentation, example configurations and the Python package, next to the programs. Files that are not there (yet) are left out.

set(doc_folder "${CMAKE_INSTALL_DATAROOTDIR}/doc/repro-train")
install(FILES README.md CHANGELOG.md DESTINATION "${doc_folder}" OPTIONAL)
install(DIRECTORY docs/ DESTINATION "${doc_folder}" OPTIONAL FILES_MATCHING PATTERN "*.md")
install(DIRECTORY configs DESTINATION "${doc_folder}" OPTIONAL)
install(DIRECTORY share/repro-train/python DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/repro-train"
  PATTERN "__pycache__" EXCLUDE)
