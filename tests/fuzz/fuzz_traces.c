/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target: traces of any format, so that detection is tested, too. The seeds have at least one
 * file of every format.
 */
#include "tests/fuzz/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_read("auto", data, size);
}
