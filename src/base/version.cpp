#include "plenosr/version.h"

namespace plenosr {

const char* version() {
    return PLENOSR_VERSION;
}

}  // namespace plenosr
