/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work, writes and restarts of a job, over any span of time at once; the model is in progress.h. */
#include "sim/work/progress.h"

#include "sim/base/err.h"
#include "sim/base/wide.h"

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Milliseconds that so many units take. */
static int64_t ms_for(int64_t units, int64_t rate)
{
    return units <= 0 ? 0 : rate == 1 ? units : (units - 1) / rate + 1;
}

static int64_t bounded(wide ms)
{
    return ms < WORK_LATEST ? (int64_t)ms : WORK_LATEST;
}

/* ---- launching ---- */

static const uint8_t launch_order[] = {PHASE_STARTUP, PHASE_LOAD, PHASE_ENGINE, PHASE_RESTART,
                                       PHASE_READ};
#define LAUNCH_PHASES (sizeof launch_order / sizeof *launch_order)

static int64_t length_of(const struct work_progress *p, uint8_t phase)
{
    switch (phase) {
    case PHASE_STARTUP:
        return p->startup_ms + p->launch_ms;
    case PHASE_LOAD:
        return p->load_ms;
    case PHASE_ENGINE:
        return p->engine_ms;
    case PHASE_RESTART:
        return (p->restarts ? p->restart_ms : 0) + (p->rate > 0 ? p->owed_ms : 0);
    case PHASE_READ:
        return p->restarts ? p->read_ms : 0;
    default:
        return 0;
    }
}

/* The place in the order that comes after a phase of it; 0 for any other phase. */
static size_t place_after(uint8_t phase)
{
    for (size_t i = 0; i < LAUNCH_PHASES; i++)
        if (launch_order[i] == phase)
            return i + 1;
    return 0;
}

/* On to the next phase, from that place in the order on, that takes any time. */
static void launch_on(struct work_progress *p, size_t place)
{
    while (place < LAUNCH_PHASES && length_of(p, launch_order[place]) == 0)
        place++;
    p->phase = place < LAUNCH_PHASES ? launch_order[place] : PHASE_WORK;
    p->left_ms = length_of(p, p->phase);
}

int64_t work_progress_launched(const struct work_progress *p)
{
    int64_t end = p->since_ms + p->left_ms;
    for (size_t i = place_after(p->phase); i > 0 && i < LAUNCH_PHASES; i++)
        end += length_of(p, launch_order[i]);
    return end;
}

void work_progress_start(struct work_progress *p, int64_t now, int64_t rate, bool restart)
{
    p->since_ms = now;
    p->rate = rate;
    p->restarts = restart;
    p->launches++;
    launch_on(p, rate > 0 ? 0 : place_after(PHASE_ENGINE));
}

/* ---- writes ---- */

static int64_t standstill(const struct work_progress *p)
{
    return p->async ? p->stall_ms : p->write_ms;
}

/* The write that was going on is through. */
static void save(struct work_progress *p, struct work_spent *spent)
{
    p->saved = p->begun;
    p->writing_ms = 0;
    spent->saved = true;
    spent->before = !spent->begun;
    spent->unsafe_ms = spent->fresh_ms;
}

/* Time of the write, as much as this one still takes. */
static void write_for(struct work_progress *p, int64_t ms, struct work_spent *spent)
{
    if (p->writing_ms == 0)
        return;
    p->writing_ms -= ms;
    if (p->writing_ms == 0)
        save(p, spent);
}

/*
 * From one beginning of a write to the next: the job works for `leg_ms` of it, which is `units`,
 * after it stood still. The interval has to be full, and the former write through.
 */
struct round {
    int64_t leg_ms, still_ms;
    wide units;
};

static struct round round_of(const struct work_progress *p)
{
    int64_t still = standstill(p), leg = ms_for(p->interval, p->rate);
    if (leg < p->write_ms - still)
        leg = p->write_ms - still;
    return (struct round){.leg_ms = leg, .still_ms = still, .units = (wide)leg * p->rate};
}

/* All whole rounds at once, from one beginning of a write to another; what is left of the time. */
static int64_t whole_rounds(struct work_progress *p, int64_t ms, struct work_spent *spent)
{
    struct round r = round_of(p);
    wide rounds = (wide)ms / ((wide)r.leg_ms + r.still_ms);
    wide before_the_last = ((wide)p->total - p->done - 1) / r.units;
    rounds = rounds < before_the_last ? rounds : before_the_last;
    if (rounds <= 0)
        return ms;
    p->done += (int64_t)(rounds * r.units);
    p->begun = p->done;
    p->saved = p->done - (int64_t)r.units;
    spent->work_ms += (int64_t)(rounds * r.leg_ms);
    spent->write_ms += (int64_t)(rounds * r.still_ms);
    spent->saved = true;
    spent->before = false;
    spent->unsafe_ms = r.leg_ms;
    return ms - (int64_t)(rounds * ((wide)r.leg_ms + r.still_ms));
}

/* A write begins, and maybe many more before the time is over; what is left of it. */
static int64_t begin_write(struct work_progress *p, int64_t ms, struct work_spent *spent)
{
    p->begun = p->done;
    spent->begun = true;
    spent->fresh_ms = 0;
    ms = whole_rounds(p, ms, spent);
    p->writing_ms = p->write_ms;
    if (p->writing_ms == 0)
        save(p, spent);
    p->left_ms = standstill(p);
    p->phase = p->left_ms > 0 ? PHASE_WRITE : PHASE_WORK;
    return ms;
}

/* ---- going on ---- */

static void work_for(struct work_progress *p, int64_t ms, struct work_spent *spent)
{
    wide done = (wide)p->rate * ms;
    p->done = done < p->total - p->done ? p->done + (int64_t)done : p->total;
    spent->work_ms += ms;
    spent->unsafe_ms += ms;
    spent->fresh_ms += ms;
}

static int64_t *spent_on(struct work_spent *spent, uint8_t phase)
{
    bool restarts = phase == PHASE_RESTART || phase == PHASE_READ;
    return phase == PHASE_WRITE ? &spent->write_ms
           : restarts           ? &spent->restart_ms
                                : &spent->startup_ms;
}

/* The launch comes last in the startup, and the overheads in the restart: of these what is left is
 * still owed. */
static void pay(struct work_progress *p)
{
    if (p->phase == PHASE_STARTUP)
        p->launch_ms = smaller(p->launch_ms, p->left_ms);
    if (p->phase == PHASE_RESTART)
        p->owed_ms = smaller(p->owed_ms, p->left_ms);
}

/* Goes on with a startup, a restart or a standstill; what is left of the time. */
static int64_t be_busy(struct work_progress *p, int64_t ms, struct work_spent *spent)
{
    int64_t taken = smaller(ms, p->left_ms);
    if (p->writing_ms > 0)
        taken = smaller(taken, p->writing_ms);
    *spent_on(spent, p->phase) += taken;
    p->left_ms -= taken;
    write_for(p, taken, spent);
    pay(p);
    if (p->left_ms > 0)
        return ms - taken;
    if (p->phase == PHASE_WRITE)
        p->phase = PHASE_WORK;
    else
        launch_on(p, place_after(p->phase));
    return ms - taken;
}

/* Does nothing, but a write goes on; what is left of the time. */
static int64_t stand_still(struct work_progress *p, int64_t ms, struct work_spent *spent)
{
    int64_t taken = p->writing_ms > 0 ? smaller(ms, p->writing_ms) : ms;
    spent->still_ms += taken;
    write_for(p, taken, spent);
    return ms - taken;
}

/* Until the interval is full; 0 when it is. */
static int64_t until_full(const struct work_progress *p)
{
    return ms_for(p->begun + p->interval - p->done, p->rate);
}

/* Works until the write that is going on is through or the next one begins, or as long as there is
 * time; what is left. */
static int64_t work_on(struct work_progress *p, int64_t ms, struct work_spent *spent)
{
    int64_t leg = p->writing_ms > 0 ? p->writing_ms : until_full(p);
    int64_t taken = smaller(ms, leg);
    work_for(p, taken, spent);
    write_for(p, taken, spent);
    if (p->writing_ms > 0 || p->done == p->total || p->done - p->begun < p->interval)
        return ms - taken;
    return begin_write(p, ms - taken, spent);
}

void work_progress_to(struct work_progress *p, int64_t to, struct work_spent *spent)
{
    *spent = (struct work_spent){.begun = p->begins};
    int64_t ms = to - p->since_ms;
    BUG_ON(ms < 0);
    p->since_ms = to;
    p->begins = false;
    if (p->phase == PHASE_WORK && p->interval == 0 && p->rate > 0) { /* as most jobs */
        work_for(p, ms, spent);
        return;
    }
    while (ms > 0) {
        if (p->phase != PHASE_WORK) {
            ms = be_busy(p, ms, spent);
        } else if (p->rate == 0) {
            ms = stand_still(p, ms, spent);
        } else if (p->interval == 0) {
            work_for(p, ms, spent);
            ms = 0;
        } else {
            ms = work_on(p, ms, spent);
        }
    }
}

/* ---- looking ahead ---- */

int64_t work_progress_end(const struct work_progress *p)
{
    int64_t left = p->total - p->done;
    if (p->rate == 0)
        return WORK_NO_END;
    int64_t alone = ms_for(left, p->rate);
    wide end = work_progress_launched(p);
    if (p->interval == 0)
        return bounded(end + alone);
    int64_t first = until_full(p);
    if (first < p->writing_ms - p->left_ms)
        first = p->writing_ms - p->left_ms;
    if (alone <= first)
        return bounded(end + alone);
    struct round r = round_of(p);
    wide rest = (wide)left - (wide)first * p->rate;
    wide rounds = (rest - 1) / r.units;
    int64_t last = (int64_t)(rest - rounds * r.units);
    return bounded(end + first + r.still_ms + rounds * ((wide)r.leg_ms + r.still_ms) +
                   ms_for(last, p->rate));
}

int64_t work_progress_next(const struct work_progress *p)
{
    int64_t next = p->phase != PHASE_WORK ? p->left_ms : INT64_MAX;
    if (p->writing_ms > 0)
        next = smaller(next, p->writing_ms);
    else if (p->phase == PHASE_WORK && p->rate > 0 && p->interval > 0)
        next = until_full(p);
    return next < WORK_LATEST - p->since_ms ? p->since_ms + next : WORK_NO_END;
}

void work_progress_write(struct work_progress *p)
{
    if (p->phase != PHASE_WORK)
        return;
    p->phase = p->write_ms > 0 ? PHASE_WRITE : PHASE_WORK;
    p->left_ms = p->writing_ms = p->write_ms;
    p->begun = p->done;
    p->begins = true;
    if (p->write_ms == 0)
        p->saved = p->done;
}

int64_t work_progress_stop(struct work_progress *p, bool keep)
{
    int64_t lost = keep ? 0 : p->done - p->saved;
    p->done -= lost;
    p->saved = p->begun = p->done;
    p->rate = 0;
    p->left_ms = p->writing_ms = 0;
    p->phase = PHASE_WORK;
    p->restarts = p->begins = false;
    return lost;
}

void work_progress_extend(struct work_progress *p, int64_t units)
{
    BUG_ON(units <= 0 || units > p->rest);
    p->total += units;
    p->rest -= units;
}

int64_t work_progress_left(const struct work_progress *p, int64_t rate, bool restart)
{
    int64_t first = p->startup_ms + p->launch_ms + p->load_ms + p->engine_ms + p->owed_ms +
                    (restart ? p->restart_ms + p->read_ms : 0);
    int64_t alone = ms_for(p->total + p->rest - p->done, rate);
    return alone < WORK_LATEST - first ? alone + first : WORK_LATEST;
}
