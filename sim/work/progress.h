/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a job is. Its work is a whole number of units, and a running job does `rate` units a
 * millisecond: a job of fixed size one, an elastic one as many as tasks of it run, or what its
 * model makes of so many (sim/speed.h). So a job that wants 8 tasks for an hour has 8 x 3,600,000
 * units of work, and with 4 tasks it takes two hours where nothing is said of its speed: all in
 * integers, with nothing to be rounded but the last moment.
 *
 *     start  startup restart    work     write      work       write  work  end
 *       |=======|=======|-----------|=====|---------------|=====|------|
 *                                    `interval` units between two writes
 *
 * Each run begins with a startup (its image is pulled, its model loaded, its engine brought up);
 * where the job ran before, a restart follows. Each time it has done `interval` units since its
 * last checkpoint, all of it stands still and writes one for `write_ms`; what was done is safe when
 * the write is through. What is not safe is lost when the job is stopped without time to write.
 * Nothing ticks: any span of time is worked out at once.
 *
 * An asynchronous write stops the job for `stall_ms` only; it works on while the write goes on.
 * What was done when the write began is safe when it is through, and the next one begins no earlier
 * than that:
 *
 *         work   stall   work     stall  work
 *     ----------|=====|----------|=====|---------
 *               |<---- write ---->|<---- write ---->|
 *
 * A launch (once, behind the startup) and overheads (behind the restart) are owed as work is: a job
 * that is stopped meanwhile has to do the rest of them when it comes back, where startup and
 * restart begin anew.
 *
 * A write begins at the first whole millisecond at which the interval is full, so up to rate - 1
 * units more than it may be done by then.
 */
#ifndef SIM_WORK_PROGRESS_H
#define SIM_WORK_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#define WORK_NO_END INT64_MAX
#define WORK_LATEST (INT64_MAX / 2) /* times beyond this count as this */

/*
 * A run launches: startup, load and engine make up what is spent on its startup, restart and read
 * on its restart. Load and read are there where somebody else (sim/storage.h) says how long they
 * take.
 */
enum work_phase {
    PHASE_WORK = 0,
    PHASE_RESTART,
    PHASE_WRITE,
    PHASE_STARTUP,
    PHASE_LOAD,
    PHASE_ENGINE,
    PHASE_READ,
    WORK_PHASES
};
/* as snapshots name them */
#define WORK_PHASE_NAMES "work|restart|write|startup|load|engine|read"

struct work_progress {
    int64_t total, done, saved; /* units; saved <= begun <= done <= total */
    int64_t rest;               /* beyond total, of a job that is judged at total (sim/rungs.h) */
    int64_t begun;              /* what was done when the last write began */
    int64_t interval;           /* units; 0: no checkpoints */
    int64_t write_ms, restart_ms, startup_ms; /* how long they take */
    int64_t launch_ms, owed_ms;               /* left of the launch and of overheads (overhead.h) */
    int64_t load_ms, engine_ms,
        read_ms;        /* the same; of a load and a read until the storage says more */
    int64_t rate;       /* units a millisecond; 0: stands still */
    int64_t since_ms;   /* all before is in `done` */
    int64_t left_ms;    /* of the startup, restart or standstill that is going on */
    int64_t writing_ms; /* left of the write that is going on; 0: none is */
    int64_t stall_ms;   /* asynchronous: how long the job stands still for a write */
    uint8_t phase;
    bool begins;       /* a write begins between two spans of time */
    bool async;        /* else it stands still for all of write_ms */
    bool restarts;     /* when its startup is over */
    uint32_t launches; /* so far */
};

/* What a span of time was spent on. */
struct work_spent {
    int64_t work_ms, startup_ms, restart_ms, write_ms;
    int64_t still_ms;  /* it held devices, and did nothing with them */
    bool saved;        /* a checkpoint was completed: */
    bool before;       /* its write began before this span, else in it */
    int64_t unsafe_ms; /* of work_ms: not covered by the last checkpoint that was completed in it */
    bool begun;        /* a write began */
    int64_t fresh_ms;  /* of work_ms: done since the last one began, or since the span did */
};

/*
 * From nothing to running. `restart`: it ran before, and takes restart_ms to get going after its
 * startup. At rate 0 it waits for the rest of its gang, and nothing starts up.
 */
void work_progress_start(struct work_progress *, int64_t now, int64_t rate, bool restart);

/* Not at work yet. */
static inline bool work_progress_launches(const struct work_progress *p)
{
    return p->phase != PHASE_WORK && p->phase != PHASE_WRITE;
}

/* When it will be at work, of one that launches. */
int64_t work_progress_launched(const struct work_progress *);

/* Time goes on to `to`, at most work_progress_end(); says what it was spent on. */
void work_progress_to(struct work_progress *, int64_t to, struct work_spent *);

/* When all is done if nothing changes; WORK_NO_END at rate 0. */
int64_t work_progress_end(const struct work_progress *);

/*
 * When something begins or is over that goes on beside the job, or in which it stands still: all
 * phases, and writes. WORK_NO_END: nothing before its end, if no rate changes.
 */
int64_t work_progress_next(const struct work_progress *);

/*
 * Stands still and writes a checkpoint from now on, with work_progress_to() called before, in place
 * of one that is written while it works; not when it stands still for one, or launches.
 */
void work_progress_write(struct work_progress *);

/*
 * Stops it, with work_progress_to() called before; units that are lost. `keep`: all that was done
 * is safe. A restart or write that was going on is no more; the write was for nothing.
 */
int64_t work_progress_stop(struct work_progress *, bool keep);

/*
 * So many units of `rest` are done before the next end, instead of an end now: before
 * work_progress_to() is called for the time of that end, so that a checkpoint that is due then is
 * written.
 */
void work_progress_extend(struct work_progress *, int64_t units);

/* What it has to do yet when it starts again at this rate, without writes. */
int64_t work_progress_left(const struct work_progress *, int64_t rate, bool restart);

#endif
