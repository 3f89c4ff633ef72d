/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time and memory that a run took; see timing.h. */
#include "sim/study/timing.h"

#include "sim/base/json.h"
#include "sim/program/overrides.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

double timing_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double timing_peak_rss_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

bool timing_write(const char *dir, const struct cli *cli, const char *path,
                  const struct scenario *scenario, double wall_s, struct err *err)
{
    struct out *out = out_open_in(dir, "timing.json", err);
    if (out == NULL)
        return false;
    char *base = overrides_base(path);
    char *trace = overrides_trace(cli);
    char *library = overrides_library(scenario);
    struct json j;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_f64(&j, "wall_s", wall_s, 3);
    json_f64(&j, "peak_rss_mib", timing_peak_rss_mib(), 1);
    json_text(&j, "base_dir", base);
    json_text(&j, "trace", trace);
    if (library != NULL)
        json_text(&j, "policy", library);
    json_end_object(&j);
    out_char(out, '\n');
    free(base);
    free(trace);
    free(library);
    return out_close(out, err);
}
