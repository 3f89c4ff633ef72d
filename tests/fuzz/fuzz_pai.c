/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: PAI's table of tasks, and after a zero byte its table of jobs, which is a separate
 * file. */
#include "tests/fuzz/folder.h"
#include "tests/fuzz/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char jobs[FUZZ_PATH];
    const uint8_t *end = size > 0 ? memchr(data, 0, size) : NULL;
    size_t tasks = end != NULL ? (size_t)(end - data) : size;
    struct trace_setting setting = {.key = "jobs", .value = fuzz_path(jobs, "jobs.csv")};
    fuzz_put("jobs.csv", end != NULL ? end + 1 : data, end != NULL ? size - tasks - 1 : 0);
    fuzz_read_once("pai", end != NULL ? &setting : NULL, true, data, tasks);
    return 0;
}
