/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: native CSV traces. */
#include "tests/fuzz/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_read("native", data, size);
}
