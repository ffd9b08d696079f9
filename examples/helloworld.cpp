#include <iostream>

#include "plenosr/reconstruct.h"
#include "plenosr/version.h"

int main() {
    std::cout << "PlenoSR " << PLENOSR_VERSION << '\n';
}
