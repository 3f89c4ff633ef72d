/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: SWF logs, also with their dependencies. */
#include "tests/fuzz/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct trace_setting honour = {"dependencies", "honour"};
    fuzz_read_once("swf", &honour, false, data, size);
    return fuzz_read("swf", data, size);
}
