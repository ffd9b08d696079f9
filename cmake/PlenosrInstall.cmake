# What `cmake --install` puts where, and how find_package(plenosr) finds it again.
include(CMakePackageConfigHelpers)

set(plenosr_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/plenosr)

install(TARGETS plenosr RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS plenosr_core EXPORT plenosr ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
                                            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/plenosr ${PROJECT_BINARY_DIR}/include/plenosr
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT plenosr NAMESPACE plenosr:: FILE plenosrTargets.cmake
        DESTINATION ${plenosr_package_dir})
configure_package_config_file(cmake/plenosrConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/plenosrConfig.cmake
                              INSTALL_DESTINATION ${plenosr_package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/plenosrConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/plenosrConfig.cmake
              ${PROJECT_BINARY_DIR}/plenosrConfigVersion.cmake
        DESTINATION ${plenosr_package_dir})
