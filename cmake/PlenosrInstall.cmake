# What `cmake --install` puts where, and how find_package(plenosr) and pkg-config find it again.
include(CMakePackageConfigHelpers)

set(plenosr_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/plenosr)

install(TARGETS plenosr RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT program
        PATTERN made EXCLUDE)
install(TARGETS plenosr_core EXPORT plenosr
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
if(PLENOSR_SHARED)
  install(TARGETS plenosr_shared EXPORT plenosr
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
                  NAMELINK_COMPONENT development)
endif()
install(DIRECTORY include/plenosr ${PROJECT_BINARY_DIR}/include/plenosr
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

install(EXPORT plenosr NAMESPACE plenosr:: FILE plenosrTargets.cmake
        DESTINATION ${plenosr_package_dir} COMPONENT development)
configure_package_config_file(cmake/plenosrConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/plenosrConfig.cmake
                              INSTALL_DESTINATION ${plenosr_package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/plenosrConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/plenosrConfig.cmake
              ${PROJECT_BINARY_DIR}/plenosrConfigVersion.cmake
        DESTINATION ${plenosr_package_dir} COMPONENT development)
file(RELATIVE_PATH plenosr_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/plenosr.pc.in ${PROJECT_BINARY_DIR}/plenosr.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/plenosr.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)

# Removes the files that the last `cmake --install` of this folder wrote.
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
                                    -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake)

# ---- packages for Debian: `cpack -G DEB` in the build folder -------------------------------------
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME plenosr)
set(CPACK_PACKAGE_CONTACT "The PlenoSR developers <noreply@plenosr.invalid>")
set(CPACK_PACKAGE_VENDOR "PlenoSR")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME plenosr)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "super-resolution of light fields and of bursts of frames\n The program plenosr, its manual pages and completion.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "ocl-icd-libopencl1")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libplenosr-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "super-resolution library, development files\n Headers, the static library, and files for CMake and pkg-config.")
# What who links the static library needs: cmake/plenosrConfig.cmake.in.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "pkg-config, libopenimageio-dev, libhdf5-dev, libmatio-dev, libzip-dev, libhwy-dev, libtbb-dev, libfmt-dev")
if(PLENOSR_SHARED)
  list(APPEND CPACK_COMPONENTS_ALL library)
  set(plenosr_library_package libplenosr${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${plenosr_library_package})
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
  set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
      "super-resolution library\n The shared library, which exports the interface of the public headers.")
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
         ", ${plenosr_library_package} (= ${PROJECT_VERSION})")
endif()
if(PLENOSR_BUILD_PYTHON)
  # For Debian's own Python, with which this folder was configured.
  list(APPEND CPACK_COMPONENTS_ALL debian_python)
  set(CPACK_DEBIAN_DEBIAN_PYTHON_PACKAGE_NAME python3-plenosr)
  set(CPACK_DEBIAN_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3-numpy, ${plenosr_python_versions}")
  set(CPACK_COMPONENT_DEBIAN_PYTHON_DESCRIPTION
      "super-resolution from Python\n The module plenosr for Debian's Python.")
endif()
include(CPack)
