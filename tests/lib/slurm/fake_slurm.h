/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A Slurm of eight nodes that is made up, and as nasty as a real one: orders get lost, starts take
 * their time or fail, nodes go down under jobs, jobs are cancelled and held by others, Slurm starts
 * some by itself. Jobs come by themselves, sixty in all, to two queues.
 *
 *     struct fake_bed *bed = fake_open("runai", journal, seed);
 *     while (!fake_all_over(bed->slurm)) {
 *         fake_step(bed->slurm);     half a second passes
 *         fake_look(bed);             the tracker looks and decides, and its orders are carried out
 *     }
 *     fake_close(bed);
 */
#ifndef TESTS_LIB_SLURM_FAKE_SLURM_H
#define TESTS_LIB_SLURM_FAKE_SLURM_H

#include "policies/adapters/slurm/life.h"

#define FAKE_NODES 8
#define FAKE_GPUS  8
#define FAKE_JOBS  60
#define FAKE_LIMIT 12 /* GPUs of the queue "build" */

struct fake_job {
    enum view_job_state state;
    bool held, build, stopping; /* stopping: an order to end it was given */
    uint32_t nodes;
    int32_t gpus;
    int64_t run_ms, since_ms, leaves_ms; /* leaves_ms: until then it is being cleaned up */
    enum view_job_state then;            /* what it is afterwards */
    uint32_t restarts, starts;
    char mark[64], id[16], per_node[32];
    uint32_t wanted[4], wanted_count; /* nodes that it was released to */
    struct view_place at[4];
    uint32_t at_count;
};

/* trouble: what can go wrong does. */
struct fake {
    struct fake_job jobs[FAKE_JOBS];
    uint32_t job_count;
    enum view_node_state nodes[FAKE_NODES];
    int64_t now;
    uint64_t random;
    uint32_t cancels;   /* jobs that the adapter has ended */
    uint32_t again;     /* orders to release a job that is released and has not started */
    bool trouble, wild; /* wild: Slurm starts jobs by itself, too */
    char said[512];     /* the last line about a fact that was refused */
};

struct fake_bed {
    struct fake *slurm;
    bool owns_slurm;
    struct config config;
    struct policy_config core;
    struct facts facts;
    struct tracker *tracker;
    struct life life;
    char *journal, *state; /* copies of the names, or NULL */
    char error[CONFIG_ERROR];
};

/* Files of the adapter, NULL: none. What it remembers over restarts is kept if there is a state. */
struct fake_files {
    const char *journal, *state;
    int64_t most_jump_ms; /* of the clock; 0: any */
    struct fake *slurm;   /* that outlives the adapter; NULL: one of its own */
    bool syncs;           /* to the disk */
};

/* Slurm itself, before its first moment. */
void fake_init(struct fake *, int seed);

/* Equal seeds give equal jobs and equal trouble. policy: "runai", or with an option "runai
 * backfill=true". */
struct fake_bed *fake_open(const char *policy, struct fake_files, int seed);
void fake_close(struct fake_bed *);

/* The same, where it may fail: false with bed->error set, as the adapter would end then. To be
 * closed in any case. */
bool fake_try_open(struct fake_bed **, const char *policy, struct fake_files, int seed);

void fake_step(struct fake *);
bool fake_one_in(struct fake *, uint32_t n); /* never without trouble */
bool fake_all_over(const struct fake *);

/* A new tracker, which has to find out everything anew, but for what the old one has saved. */
void fake_restart(struct fake_bed *);

/* The same where it may fail, as turning the page of a long section: then the old one goes on. */
bool fake_turn(struct fake_bed *);

/* Its life ends without a word, and the next one begins. What was told since the last decision is
 * lost. */
void fake_crash(struct fake_bed *);

/*
 * Fails the test when the core refuses a fact or is not sound afterwards. Nothing that was decided
 * is done when the journal could not be written: bed->facts.log.error.
 */
void fake_look(struct fake_bed *);

/* Half of that: the tracker looks, and a new one is told what was remembered. */
void fake_observe(struct fake_bed *);

/*
 * Fails the test when the queue "build" has more than FAKE_LIMIT GPUs. What is being stopped is not
 * counted, as in the core: it still has its GPUs, but they are not the queue's any more.
 */
void fake_check_limit(const struct fake *);

#endif
