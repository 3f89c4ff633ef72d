/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Busy GPUs by the hour; see hours.h. */
#include "sim/calibrate/hours.h"

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* `which`: 0 recorded, 1 simulated. */
static void add(struct calibrate_hours *h, int which, int64_t milli, int64_t from, int64_t to)
{
    int64_t end = h->from_ms + (int64_t)h->count * CALIBRATE_HOUR;
    from = later(from, h->from_ms);
    to = earlier(to, end);
    while (milli > 0 && from < to) {
        size_t i = (size_t)((from - h->from_ms) / CALIBRATE_HOUR);
        int64_t next = earlier(h->from_ms + ((int64_t)i + 1) * CALIBRATE_HOUR, to);
        double gpus = (double)milli / 1000 * (double)(next - from) / (double)CALIBRATE_HOUR;
        *(which == 0 ? &h->hours[i].recorded : &h->hours[i].simulated) += gpus;
        from = next;
    }
}

void calibrate_hours_recorded(struct calibrate_hours *h, int64_t milli, int64_t from, int64_t to)
{
    add(h, 0, milli, from, to);
}

void calibrate_hours_simulated(struct calibrate_hours *h, int64_t milli, int64_t from, int64_t to)
{
    add(h, 1, milli, from, to);
}
