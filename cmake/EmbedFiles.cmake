# Writes OUTPUT: a C++ file that defines `const char* FUNCTION(const std::string& file)` of the
# namespace NAMESPACE, which HEADER declares. It returns the text of each of FILES by its name.
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  # Files are joined to one program. Compilers warn about "#pragma once" in a main file, and modules
  # of JavaScript need no import from files that stand before them.
  string(REPLACE "#pragma once\n" "\n" text "${text}")
  if(name MATCHES "\\.js$")
    string(REGEX REPLACE "(^|\n)import [^;]*;" "\\1" text "${text}")
    string(REPLACE "\nexport " "\n" text "${text}")
  endif()
  string(APPEND entries "    if (file == \"${name}\") return R\"embedded(${text})embedded\";\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n
namespace ${NAMESPACE} {\n
const char* ${FUNCTION}(const std::string& file) {
${entries}    return \"\";
}\n
}  // namespace ${NAMESPACE}\n")
