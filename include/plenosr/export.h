#pragma once

// The library is compiled with hidden visibility: a shared library exports what the public headers
// declare, since each opens its namespace with this attribute, and nothing else.
#if defined(__GNUC__)
#define PLENOSR_EXPORT __attribute__((visibility("default")))
#else
#define PLENOSR_EXPORT
#endif
