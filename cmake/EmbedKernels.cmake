# Writes OUTPUT: a C++ file with the text of each of FILES as a string, accessible by file name.
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  # The headers become part of the main file, where compilers warn about this line.
  string(REPLACE "#pragma once\n" "\n" text "${text}")
  string(APPEND entries "    if (file == \"${name}\") return R\"kernel(${text})kernel\";\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"backends/opencl/device.h\"\n
namespace plenosr::opencl {\n
const char* kernel_source(const std::string& file) {
${entries}    return \"\";
}\n
}  // namespace plenosr::opencl\n")
