/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Job traces in. A trace is a stream of jobs in order of submission, whatever file it comes from:
 *
 *     struct trace_names names = {queues, users, gpu_types, models, nodes};
 *     struct trace *trace;
 *     struct trace_job job;
 *     if (!trace_open(&trace, &(struct trace_options){.path = "jobs.csv.gz", .names = names},
 *     &err)) ...
 *     while ((got = trace_next(trace, &job, &err)) > 0) ...
 *     trace_close(trace);
 *
 * Memory does not grow with the number of jobs read, but for 32 bytes each by which an id that
 * comes twice is found: an error that names both lines, unless the format has several runs of a job
 * in rows of their own (Slurm's). A file that is not sorted by submit time cannot be streamed:
 * trace_next() then fails with TRACE_UNSORTED, and the caller opens it again with `.sort = true`,
 * which loads it and sorts it stably (equal submit times keep the order of the file). Standard
 * input cannot be opened again: ask for sorting at once.
 *
 * Strings in a job belong to the trace and live until the next trace_next(). Everything unknown has
 * the value named in the comment; nothing is guessed silently: rows that were repaired, clamped or
 * dropped are counted as notes.
 *
 * To add a format: one file in traces/formats/ and one row in traces/formats.c.
 */
#ifndef TRACES_TRACE_H
#define TRACES_TRACE_H

#include "sim/base/digest.h"
#include "sim/base/err.h"
#include "sim/base/out.h"
#include "sim/base/symbols.h"

#include <stdbool.h>
#include <stdint.h>

enum trace_class {
    TRACE_BUILD, /* interactive */
    TRACE_TRAIN,
    TRACE_DISTRIBUTED, /* needs more than one node's GPUs */
    TRACE_INFERENCE,
    TRACE_BATCH,
    TRACE_CLASSES,
    TRACE_CLASS_UNSET = TRACE_CLASSES /* the simulator decides by size */
};

enum trace_status { TRACE_COMPLETED, TRACE_FAILED, TRACE_CANCELLED, TRACE_STATUSES };

/* Why a job failed or was cancelled, where a log says so. */
enum trace_cause {
    TRACE_CAUSE_UNKNOWN,
    TRACE_TIMEOUT, /* reached its declared limit */
    TRACE_NODE_FAIL,
    TRACE_OUT_OF_MEMORY,
    TRACE_PREEMPTED,
    TRACE_CAUSES
};

/* What a job does that loses tasks to a failure, but has its minimum left. */
enum trace_on_failure {
    TRACE_ON_FAILURE_UNSET, /* as the scenario says */
    TRACE_RESTART,          /* all of it, from its last checkpoint */
    TRACE_SHRINK,           /* those left go on from its last checkpoint */
    TRACE_CONTINUE,         /* those left go on where they are */
    TRACE_ON_FAILURES
};

extern const char *const trace_on_failure_names[TRACE_ON_FAILURES]; /* "" for unset */
extern const char *const trace_class_names[TRACE_CLASSES];
extern const char *const trace_status_names[TRACE_STATUSES];
extern const char *const trace_cause_names[TRACE_CAUSES]; /* "" for unknown */

#define TRACE_UNKNOWN (-1)

struct trace_job {
    uint64_t row;     /* 0-based data row in its file: breaks ties of submit time */
    const char *file; /* trace_options.path, not copied; NULL: of no file */
    uint64_t line; /* in it, from 1; kept by whatever draws, moves or merges jobs, where `row` is a
                      new one */
    const char *id;
    uint32_t queue;       /* in names.queues ("default" when the file has none) */
    uint32_t user;        /* in names.users ("" when unknown) */
    uint32_t model;       /* in names.models, or SYMBOL_NONE */
    uint32_t recorded_on; /* kind of node on which duration_ms was recorded, in names.nodes;
                             SYMBOL_NONE: not said */
    enum trace_class class;
    enum trace_status status;
    bool status_unknown; /* the file does not say how it ended: `status` is assumed, TRACE_COMPLETED
                          */
    int32_t priority;    /* INT32_MIN: by class */
    int32_t preemptible; /* 0, 1, or TRACE_UNKNOWN: by priority */
    int64_t submit_ms;   /* on the trace's clock */
    int64_t eligible_ms; /* >= submit_ms; equal when unknown */
    int64_t duration_ms; /* productive run time on the recorded shape, >= 0 */
    int64_t limit_ms;    /* declared limit, or TRACE_UNKNOWN */
    int64_t estimate_ms; /* a predictor's word, or TRACE_UNKNOWN */
    int64_t deadline_ms; /* on the trace's clock, by which it should end, or TRACE_UNKNOWN */
    int64_t start_ms;    /* recorded start (validation only), or TRACE_UNKNOWN */

    /* Either `gpus_total` (whole GPUs of the whole job, to be split over nodes), or tasks x the
     * request of one. */
    int64_t gpus_total;                  /* TRACE_UNKNOWN when tasks x gpus is given */
    int32_t tasks, min_tasks, max_tasks; /* >= 1; equal for rigid jobs */
    int32_t gpus; /* per task: whole devices, or the number of devices shared when gpu_milli > 0 */
    int32_t gpu_milli;         /* per task: share of each device, 1..999; 0 for whole devices */
    int64_t gpu_mem_mib;       /* per task, 0 none */
    int64_t gpu_mem_limit_mib; /* per task, how far its memory on each device may grow; 0: not
                                  beyond the request */
    const char *mig;           /* per task: profile such as "3g.40gb", or "" */
    int64_t cpu_milli;         /* per task, 0 none */
    int64_t mem_mib;           /* per task, 0 none */
    uint64_t gpu_types;        /* bit i: names.gpu_types' id i is allowed; 0 any */
    const char *gpu_spec;      /* the same in the words of an openb list, or "" */

    int64_t checkpoint_ms, checkpoint_write_ms, restart_ms; /* TRACE_UNKNOWN: scenario's default */
    int32_t sm_util_ppm; /* mean utilization while active, or TRACE_UNKNOWN */
    int32_t active_ppm;  /* share of time active, or TRACE_UNKNOWN */
    const char
        *after; /* ids of jobs that must end first, '|'-separated ("any:ID": well or not), or "" */
    int64_t think_ms;    /* after the last of them (closed runs: of its user's former job), or
                            TRACE_UNKNOWN */
    const char *array;   /* of which it is one of many like jobs, or "" */
    int32_t array_limit; /* at most so many jobs of it at a time, 0 any number */
    const char *rungs;   /* of its array, at which losers stop (trace_rungs()), or "" */
    int64_t eta_milli; /* one in so many thousandths goes on from each, > 1000; or TRACE_UNKNOWN */
    const char *topology_required, *topology_preferred; /* fabric level or "" */
    const char *roles; /* of a job whose tasks are not all alike (traces/pod_sets.h), instead of the
                          requests of one task; "": none. tasks and min_tasks are their sums */
    int64_t roles_milli, roles_least_milli; /* of all their tasks, and of their minimums */
    enum trace_on_failure on_failure;
    int64_t end_ms;         /* recorded end (validation only), or TRACE_UNKNOWN */
    int32_t attempts;       /* times it was started, retries included; TRACE_UNKNOWN */
    enum trace_cause cause; /* of its failure */
};

/* Where it stands, for messages: "jobs.csv:3: job 'a'", or of no file "job 'a' (row 2 of its
 * trace)". */
#define TRACE_PLACE 512
const char *trace_job_place(const struct trace_job *, char text[TRACE_PLACE]);

/* Total size in milli-GPUs, e.g. for size classes; and of its minimum. */
int64_t trace_job_gpu_milli(const struct trace_job *);
int64_t trace_job_least_milli(const struct trace_job *);

/* Gives a job its roles, "" none, whose sums replace its requests. False with an error without its
 * place. The text is not copied. */
bool trace_job_set_roles(struct trace_job *, const char *roles, struct symbols *gpu_types,
                         struct err *);

/*
 * Rungs of an array of jobs that stops losers early (sim/rungs.h): productive run times at which
 * each of its jobs is judged, "600|1800|5400" in seconds with at most three decimals, above 0 and
 * rising. *count of them in `ms`, none of ""; false: it is no such list.
 */
#define TRACE_RUNGS     16
#define TRACE_ETA_MILLI 3000 /* unless said: what Hyperband takes (Li et al., JMLR 18, 2018) */
bool trace_rungs(const char *text, int64_t ms[TRACE_RUNGS], int *count);

/* Name tables, owned by the caller, shared by all traces of a run. `gpu_types` may hold at most 64
 * names. */
struct trace_names {
    struct symbols *queues, *users, *gpu_types, *models, *nodes;
};

/*
 * What some formats leave to the reader, such as how many processors make a GPU: keys and values as
 * text. A key that the file's format does not have is an error.
 */
struct trace_setting {
    const char *key, *value;
};
struct trace_setting_row {
    const char *key;
    const char *formats; /* that have it: "swf", or "pollux|ones" */
    const char *summary;
    bool path; /* its value names a file */
};
const struct trace_setting_row *trace_settings(size_t *count);
bool trace_setting_check(const struct trace_setting *, struct err *); /* of whatever format */

/* Several maps of columns (the setting `map`) as one, owned by the caller. */
char *trace_map_join(const char *const *maps, size_t count);

struct trace_options {
    const char *path;   /* "-" is stdin; has to outlive the jobs */
    const char *format; /* NULL or "auto": by content; else a name in trace_formats() */
    struct trace_names names;
    bool sort;     /* load and sort instead of streaming */
    bool nonempty; /* a trace without a single job is an error */
    const struct trace_setting *settings;
    size_t setting_count;

    /*
     * Takes the error of a row, with its place; the row is left out and reading goes on. NULL: the
     * first error ends it. What concerns the whole file (header, quoting, compression) always does.
     */
    void (*reject)(void *to, const struct err *err);
    void *reject_to;

    /*
     * Rows with errors are left out as well without reject(), but too many of them are an error
     * when the trace ends: more than the share of all rows that the setting `rejected` says.
     */
    bool tolerant;
};

struct trace;

enum trace_result { TRACE_UNSORTED = -2, TRACE_ERROR = -1, TRACE_END = 0, TRACE_JOB = 1 };

bool trace_open(struct trace **, const struct trace_options *, struct err *);
enum trace_result trace_next(struct trace *, struct trace_job *,
                             struct err *); /* err set when negative */
void trace_close(struct trace *);

/*
 * SHA-256 of the file's bytes after decompression; complete once trace_next() returned TRACE_END.
 * Of a trace that was not read to its end it covers what was read so far, in whole chunks.
 */
void trace_digest(const struct trace *, char hex[DIGEST_HEX]);

/* True when its jobs may have deadlines. */
bool trace_dated(const struct trace *);

/* Columns that are written only of a trace that has them: by which jobs wait for others, deadlines,
 * and roles with what jobs do on failures. */
enum trace_extra { TRACE_LINKS = 1, TRACE_DEADLINES = 2, TRACE_PARTS = 4 };
unsigned trace_extras(const struct trace *); /* a set of them */

/* The job is submitted so much later: when it is eligible and its deadline move along, what was
 * recorded is not known. */
void trace_job_shift(struct trace_job *, int64_t ms);

/* True if its jobs may depend on each other: `after` or `array` may be given. */
bool trace_linked(const struct trace *);

/*
 * For callers that keep jobs: copies all strings of the job into one growing buffer, and points the
 * job at them. The caller owns the buffer and may use it again for another job.
 */
void trace_job_keep(struct trace_job *, char **text, size_t *capacity);

/* Name of the format in use, after trace_open(). */
const char *trace_format_name(const struct trace *);

/* What was repaired, clamped, dropped or ignored, e.g. {"end before start, row dropped", 3, 118}.
 */
struct trace_note {
    const char *what;
    uint64_t rows;
    uint64_t first_line; /* 0: it is about the whole trace */
};
const struct trace_note *trace_notes(const struct trace *, size_t *count);

/* Rows of `list formats`. */
struct trace_format_row {
    const char *name, *summary;
};
const struct trace_format_row *trace_formats(size_t *count);

/*
 * A trace that is made, not read: a profile of traces/generate/profiles.c with its parameters. Same
 * interface, so that trace_next() and trace_close() work on it. Equal parameters and seed give
 * equal jobs.
 */
struct trace_parameter {
    const char *name;
    double value;
};
struct trace_team {
    const char *queue; /* the jobs' queue */
    double weight;     /* share of the load, relative */
    int users;         /* at least 1 */
};
struct trace_generate_options {
    const char *profile;
    const struct trace_parameter
        *parameters; /* overrides of the profile's defaults; unknown names are errors */
    size_t parameter_count;
    const struct trace_team *teams; /* none: one queue "default" with 10 users */
    size_t team_count;
    uint64_t seed;
    struct trace_names names;
};
bool trace_generate(struct trace **, const struct trace_generate_options *, struct err *);

struct trace_profile_row {
    const char *name, *summary;
    const char *const *parameter_names; /* NULL-terminated */
    const double *parameter_defaults;
    const char *const *parameter_summaries; /* one line each */
};
const struct trace_profile_row *trace_profiles(size_t *count);

/* Several traces as one, merged by submit time (ties: order of the array, then row). Takes the
 * traces over. */
struct trace *trace_merge(struct trace **traces, size_t count);

/*
 * Changes to a trace on its way in, applied in the order of the fields. Digest, notes, format name
 * and errors stay those of the trace that comes in; the rest of a trace cut short by `jobs` is
 * still read before TRACE_END, so that its digest is complete and a file that is not sorted is
 * found out. Rows keep their numbers. Recorded start and end mean nothing beside another arrival:
 * they become unknown when times are scaled or have jitter.
 *
 * A submit or eligible time that a scale moves beyond 1e12 s is an error, rounding is to whole
 * milliseconds, half away from zero. Shaking keeps the jobs within 2 x jitter_ms in memory. Jitter
 * depends on (seed, row) alone: merge first and shake then, or give each trace a seed of its own.
 */
struct trace_adjustment {
    int64_t jobs;      /* at most so many, the first ones; -1 all */
    double time_scale; /* > 0: submit and eligible times, from the first submit on, times this; 1.0
                          none */
    double load_scale; /* > 0: arrivals so many times as densely, the same times divided by
                          this; 1.0 none */
    uint32_t queue;    /* all jobs go to this queue of names.queues, or SYMBOL_NONE */
    uint32_t recorded_on; /* in names.nodes, of jobs that do not say themselves; or SYMBOL_NONE */
    int class;            /* all jobs get this enum trace_class, or -1 */
    uint32_t part;     /* "PART." goes before ids, arrays and entries of `after`; 0: nothing does */
    int64_t jitter_ms; /* arrivals move by up to this either way, not before the first submit time;
                          0 none */
    uint64_t seed;     /* of the shaking */
};

/* Takes the trace over; returns it unchanged when nothing is asked for. */
struct trace *trace_adjust(struct trace *, const struct trace_adjustment *);

/* The jobs of one queue that start with at most so many thousandths of GPUs. Takes the trace over.
 */
struct trace *trace_of_queue(struct trace *, uint32_t queue, int64_t most_milli);

/*
 * A native CSV writer: header row, then one row a job; columns that never differ from their default
 * are kept too, but for those of enum trace_extra that are not in `extras`.
 */
void trace_write_header(struct out *, unsigned extras);
void trace_write_job(struct out *, const struct trace_job *, const struct trace_names *,
                     unsigned extras);

/*
 * A writer of the Standard Workload Format. A GPU is a processor; jobs are numbered from 1 in the
 * order written, users, queues and models by the order of their first appearance. Where submit
 * times are seconds since 1970 the log begins at 0 and says so in UnixStartTime; else they keep
 * their clock. Fields 17 and 18 have the one job that a job waits for, and think time after it.
 * What the format cannot say is counted. Of a trace that is linked the names of all jobs written
 * are kept, from trace_swf_header() to trace_swf_fini().
 */
struct trace_swf {
    uint64_t jobs;    /* written */
    uint64_t without; /* jobs without GPUs, left out */
    uint64_t shares;  /* shares of GPUs, rounded up to whole ones */
    uint64_t several; /* jobs that wait for more than one other, which is not written */
    uint64_t missing; /* for one that is not written before them, which is not written either */
    uint64_t well;    /* only if it completes, written as if any end did */
    uint64_t arrays;  /* jobs of arrays, written without */
    int64_t origin_ms;
    struct symbols *ids; /* of jobs written; NULL: not linked */
    uint64_t *number_of; /* by ids */
    size_t number_capacity;
};
void trace_swf_header(struct trace_swf *, struct out *, const struct trace_job *first,
                      bool linked); /* first NULL: no jobs */
void trace_swf_job(struct trace_swf *, struct out *, const struct trace_job *,
                   const struct trace_names *);
void trace_swf_fini(struct trace_swf *); /* also when all bytes are 0 */

/* What `trace stats` shows. */
struct trace_stats;
struct trace_stats *trace_stats_create(const struct trace_names *);
void trace_stats_add(struct trace_stats *, const struct trace_job *);
void trace_stats_print(const struct trace_stats *, struct out *); /* tables for people */
void trace_stats_json(const struct trace_stats *, struct out *);
void trace_stats_destroy(struct trace_stats *);

#endif
