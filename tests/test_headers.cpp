// Without a source no precompiled header is made; see tests/CMakeLists.txt.
