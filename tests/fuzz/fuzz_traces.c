/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target: traces of whatever format their content says, so that finding the format is tried
 * too. The seeds have at least one file of every format.
 */
#include "tests/fuzz/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_read("auto", data, size);
}
