/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work, writes and restarts of a job, over any span of time at once; the model is in progress.h. */
#include "sim/work/progress.h"

#include "sim/base/err.h"

__extension__ typedef __int128 wide;

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

/* What comes after the startup, or the restart. */
static void launch_on(struct work_progress *p)
{
    p->phase = p->restarts ? PHASE_RESTART : PHASE_WORK;
    p->left_ms = p->restarts ? p->restart_ms : 0;
    p->restarts = false;
}

void work_progress_start(struct work_progress *p, int64_t now, int64_t rate, bool restart)
{
    p->since_ms = now;
    p->rate = rate;
    p->restarts = restart && p->restart_ms > 0;
    p->phase = PHASE_STARTUP;
    p->left_ms = rate > 0 ? p->startup_ms : 0;
    if (p->left_ms == 0)
        launch_on(p);
}

/* ---- going on ---- */

static void work_for(struct work_progress *p, int64_t ms, struct work_spent *spent)
{
    wide done = (wide)p->rate * ms;
    p->done = done < p->total - p->done ? p->done + (int64_t)done : p->total;
    spent->work_ms += ms;
    spent->unsafe_ms += ms;
}

static void save(struct work_progress *p, struct work_spent *spent)
{
    p->saved = p->done;
    p->phase = PHASE_WORK;
    spent->saved = true;
    spent->unsafe_ms = 0;
}

/* Goes on with a startup, a restart or a write; what is left of the time. */
static int64_t be_busy(struct work_progress *p, int64_t ms, struct work_spent *spent)
{
    int64_t taken = smaller(ms, p->left_ms);
    *(p->phase == PHASE_WRITE     ? &spent->write_ms
      : p->phase == PHASE_STARTUP ? &spent->startup_ms
                                  : &spent->restart_ms) += taken;
    p->left_ms -= taken;
    if (p->left_ms > 0)
        return 0;
    if (p->phase == PHASE_WRITE)
        save(p, spent);
    else
        launch_on(p);
    return ms - taken;
}

/* All whole rounds of work and write at once, from a checkpoint on. */
static int64_t whole_rounds(struct work_progress *p, int64_t ms, struct work_spent *spent)
{
    int64_t leg = ms_for(p->interval, p->rate);
    wide units = (wide)leg * p->rate;
    wide rounds = (wide)ms / ((wide)leg + p->write_ms);
    wide before_the_last = ((wide)p->total - p->done - 1) / units;
    rounds = rounds < before_the_last ? rounds : before_the_last;
    if (rounds <= 0)
        return ms;
    p->done += (int64_t)(rounds * units);
    spent->work_ms += (int64_t)(rounds * leg);
    spent->write_ms += (int64_t)(rounds * p->write_ms);
    save(p, spent);
    return ms - (int64_t)(rounds * ((wide)leg + p->write_ms));
}

/* Works until the next write begins, or as long as there is time; what is left of it. */
static int64_t work_on(struct work_progress *p, int64_t ms, struct work_spent *spent)
{
    int64_t leg = ms_for(p->saved + p->interval - p->done, p->rate);
    if (ms_for(p->total - p->done, p->rate) <= leg || ms < leg) {
        work_for(p, ms, spent);
        return 0;
    }
    work_for(p, leg, spent);
    p->phase = PHASE_WRITE;
    p->left_ms = p->write_ms;
    if (p->write_ms == 0)
        save(p, spent);
    return ms - leg;
}

void work_progress_to(struct work_progress *p, int64_t to, struct work_spent *spent)
{
    *spent = (struct work_spent){0};
    int64_t ms = to - p->since_ms;
    BUG_ON(ms < 0);
    p->since_ms = to;
    if (p->phase == PHASE_WORK && p->interval == 0 && p->rate > 0) { /* as most jobs */
        work_for(p, ms, spent);
        return;
    }
    while (ms > 0) {
        if (p->phase != PHASE_WORK) {
            ms = be_busy(p, ms, spent);
        } else if (p->rate == 0) {
            spent->still_ms = ms;
            ms = 0;
        } else if (p->interval == 0) {
            work_for(p, ms, spent);
            ms = 0;
        } else {
            ms = p->done == p->saved ? whole_rounds(p, ms, spent) : ms;
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
    wide end = (wide)p->since_ms + p->left_ms + (p->restarts ? p->restart_ms : 0);
    if (p->interval == 0)
        return bounded(end + alone);
    int64_t unsafe = p->phase == PHASE_WRITE ? 0 : p->done - p->saved;
    int64_t first = ms_for(p->interval - unsafe, p->rate);
    if (alone <= first)
        return bounded(end + alone);
    left -= first * p->rate;
    int64_t leg = ms_for(p->interval, p->rate);
    wide units = (wide)leg * p->rate;
    wide rounds = ((wide)left - 1) / units;
    int64_t rest = (int64_t)((wide)left - rounds * units);
    return bounded(end + first + p->write_ms + rounds * ((wide)leg + p->write_ms) + ms_for(rest, p->rate));
}

void work_progress_write(struct work_progress *p)
{
    if (p->phase != PHASE_WORK)
        return;
    p->phase = p->write_ms > 0 ? PHASE_WRITE : PHASE_WORK;
    p->left_ms = p->write_ms;
    if (p->write_ms == 0)
        p->saved = p->done;
}

int64_t work_progress_stop(struct work_progress *p, bool keep)
{
    int64_t lost = keep ? 0 : p->done - p->saved;
    p->done -= lost;
    p->saved = p->done;
    p->rate = 0;
    p->left_ms = 0;
    p->phase = PHASE_WORK;
    p->restarts = false;
    return lost;
}
