/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times and durations in the format of Kubernetes; see kube.h. */
#include "scenarios/import/kube.h"

#include "sim/base/text.h"
#include "traces/times.h"

#include <math.h>
#include <string.h>

#define MOST_MS 1e15

bool kube_moment(const char *text, int64_t *ms)
{
    return times_clock(text, strlen(text), &times_utc, ms);
}

bool kube_read_moment(struct import *import, const cJSON *object, const char *key, int64_t *ms,
                      struct err *err)
{
    const char *text = import_text(object, key);
    *ms = INT64_MIN;
    if (*text == '\0' || kube_moment(text, ms))
        return true;
    return import_fail(import, err, "%s: '%.40s', expected a time such as 2026-01-31T12:00:00Z",
                       key, text);
}

void kube_conditions_seen(struct import *import, const cJSON *conditions)
{
    static const char *const keys[] = {"lastHeartbeatTime", "lastTransitionTime"};
    const cJSON *condition;
    int64_t ms;
    cJSON_ArrayForEach(condition, conditions)
    {
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (kube_moment(import_text(condition, keys[i]), &ms))
                import_event(import, ms);
    }
}

/* "1h30m", "90s", "1.5h", "100ms", "0": consecutive numbers with units. */
bool kube_duration(const char *text, double *ms)
{
    static const struct {
        const char *unit;
        double ms;
    } units[] = {
        {"ns", 1e-6}, {"us", 1e-3}, {"\u00b5s", 1e-3}, {"\u03bcs", 1e-3},
        {"ms", 1},    {"s", 1e3},   {"m", 6e4},        {"h", 3.6e6},
    };
    bool negative = *text == '-';
    double sum = 0;
    text += *text == '-' || *text == '+';
    *ms = 0;
    if (strcmp(text, "0") == 0)
        return true;
    bool any = false;
    while (*text != '\0') {
        size_t n = strspn(text, "0123456789."), length = strcspn(text + n, "0123456789."), unit = 0;
        double value;
        while (unit < sizeof units / sizeof *units &&
               (strlen(units[unit].unit) != length ||
                strncmp(units[unit].unit, text + n, length) != 0))
            unit++;
        if (unit == sizeof units / sizeof *units || !text_f64(text, n, &value))
            return false;
        sum += value * units[unit].ms;
        text += n + length;
        any = true;
    }
    *ms = round(negative ? -sum : sum);
    return any && sum <= MOST_MS;
}
