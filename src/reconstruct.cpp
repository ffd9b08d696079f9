#include "plenosr/reconstruct.h"
