/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Job traces. A trace is a stream of jobs in order of submission, whatever file it comes from:
 *
 *     struct trace_names names = {queues, users, gpu_types, models, nodes};
 *     struct trace *trace;
 *     struct trace_job job;
 *     struct trace_options options = {.path = "jobs.csv.gz", .names = names};
 *     if (!trace_open(&trace, &options, &err)) ...
 *     while ((got = trace_next(trace, &job, &err)) > 0) ...
 *     trace_close(trace);
 *
 * Memory does not grow with the number of jobs read, except for 32 bytes per job that detect
 * repeated ids: an error that names both lines, unless the format has a row for each run of a job
 * (Slurm's). A file that is not sorted by submit time cannot be streamed: trace_next() fails with
 * TRACE_UNSORTED, and the caller opens it again with `.sort = true`, which loads and sorts it
 * stably (equal submit times keep the order of the file). Standard input cannot be opened again, so
 * sort it at once.
 *
 * Strings in a job belong to the trace and live until the next trace_next(). Unknown values are
 * those named in the comments. Nothing is guessed silently: notes count the rows that were
 * repaired, clamped or dropped.
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
    TRACE_DISTRIBUTED, /* needs the GPUs of more than one node */
    TRACE_INFERENCE,
    TRACE_BATCH,
    TRACE_CLASSES,
    TRACE_CLASS_UNSET = TRACE_CLASSES /* the simulator chooses by size */
};

enum trace_status { TRACE_COMPLETED, TRACE_FAILED, TRACE_CANCELLED, TRACE_STATUSES };

/* Why a job failed or was cancelled, if the log says so. */
enum trace_cause {
    TRACE_CAUSE_UNKNOWN,
    TRACE_TIMEOUT, /* reached its declared limit */
    TRACE_NODE_FAIL,
    TRACE_OUT_OF_MEMORY,
    TRACE_PREEMPTED,
    TRACE_CAUSES
};

/* The reaction of a job that loses tasks to a failure, but keeps its minimum. */
enum trace_on_failure {
    TRACE_ON_FAILURE_UNSET, /* as in the scenario */
    TRACE_RESTART,          /* the whole job, from its last checkpoint */
    TRACE_SHRINK,           /* the remaining tasks continue from the last checkpoint */
    TRACE_CONTINUE,         /* the remaining tasks continue where they are */
    TRACE_ON_FAILURES
};

extern const char *const trace_on_failure_names[TRACE_ON_FAILURES]; /* "" for unset */
extern const char *const trace_class_names[TRACE_CLASSES];
extern const char *const trace_status_names[TRACE_STATUSES];
extern const char *const trace_cause_names[TRACE_CAUSES]; /* "" for unknown */

#define TRACE_UNKNOWN (-1)

struct trace_job {
    uint64_t row;     /* 0-based data row in its file: breaks ties of submit times */
    const char *file; /* trace_options.path, not copied; NULL: no file */
    uint64_t line;    /* 1-based line in the file; survives sampling, merging and shifting, which
                       * renumber `row` */
    const char *id;
    uint32_t queue;       /* in names.queues ("default" if the file has none) */
    uint32_t user;        /* in names.users ("" if unknown) */
    uint32_t model;       /* in names.models, or SYMBOL_NONE */
    uint32_t recorded_on; /* node kind on which duration_ms was recorded, in names.nodes;
                           * SYMBOL_NONE: unknown */
    enum trace_class class;
    enum trace_status status;
    bool status_unknown; /* the file does not say how the job ended: `status` is assumed to be
                          * TRACE_COMPLETED */
    int32_t priority;    /* INT32_MIN: by class */
    int32_t preemptible; /* 0, 1, or TRACE_UNKNOWN: by priority */
    int64_t submit_ms;   /* on the trace's clock */
    int64_t eligible_ms; /* >= submit_ms; equal if unknown */
    int64_t duration_ms; /* productive run time on the recorded shape, >= 0 */
    int64_t limit_ms;    /* declared limit, or TRACE_UNKNOWN */
    int64_t estimate_ms; /* a predicted run time, or TRACE_UNKNOWN */
    int64_t deadline_ms; /* when it should end, on the trace's clock, or TRACE_UNKNOWN */
    int64_t start_ms;    /* recorded start (validation only), or TRACE_UNKNOWN */

    /* Either `gpus_total` (whole GPUs of the whole job, to be split over nodes), or tasks x the
     * request of each. */
    int64_t gpus_total;                  /* TRACE_UNKNOWN if tasks x gpus is given */
    int32_t tasks, min_tasks, max_tasks; /* >= 1; equal for rigid jobs */
    int32_t gpus;              /* per task: whole devices, or shared devices if gpu_milli > 0 */
    int32_t gpu_milli;         /* per task: share of each device, 1..999; 0 for whole devices */
    int64_t gpu_mem_mib;       /* per task, 0 none */
    int64_t gpu_mem_limit_mib; /* per task: limit to which its memory on each device may grow; 0:
                                * the request */
    const char *mig;           /* per task: profile such as "3g.40gb", or "" */
    int64_t cpu_milli;         /* per task, 0 none */
    int64_t mem_mib;           /* per task, 0 none */
    uint64_t gpu_types;        /* bit i: names.gpu_types' id i is allowed; 0 any */
    const char *gpu_spec;      /* the same as written in an openb list, or "" */

    int64_t checkpoint_ms, checkpoint_write_ms,
        restart_ms;      /* TRACE_UNKNOWN: the scenario's default */
    int32_t sm_util_ppm; /* mean utilization while active, or TRACE_UNKNOWN */
    int32_t active_ppm;  /* share of time active, or TRACE_UNKNOWN */
    const char *after;   /* ids of jobs that must end first, '|'-separated ("any:ID": however it
                            ends), or "" */
    int64_t think_ms;    /* delay after the last of them (closed runs: after its user's previous
                          * job), or TRACE_UNKNOWN */
    const char *array;   /* the array of similar jobs that it belongs to, or "" */
    int32_t array_limit; /* jobs of the array that may run at a time; 0: any number */
    const char *rungs;   /* run times at which its array stops losers (trace_rungs()), or "" */
    int64_t eta_milli;   /* one in eta_milli / 1000 continues beyond each rung, > 1000; or
                            TRACE_UNKNOWN */
    const char *topology_required, *topology_preferred; /* fabric level, or "" */
    const char *roles; /* of a job with different kinds of tasks (traces/pod_sets.h), instead of one
                        * task's request; "": none. tasks and min_tasks are their sums */
    int64_t roles_milli, roles_least_milli; /* sums over all their tasks, and over their minimums */
    enum trace_on_failure on_failure;
    int64_t end_ms;         /* recorded end (validation only), or TRACE_UNKNOWN */
    int32_t attempts;       /* how often it was started, retries included; TRACE_UNKNOWN */
    enum trace_cause cause; /* of its failure or cancellation */
};

/* The job's place, for messages: "jobs.csv:3: job 'a'", or "job 'a' (row 2 of its trace)" without a
 * file. */
#define TRACE_PLACE 512
const char *trace_job_place(const struct trace_job *, char text[TRACE_PLACE]);

/* The size of the whole job in milli-GPUs, e.g. for size classes; and of its minimum. */
int64_t trace_job_gpu_milli(const struct trace_job *);
int64_t trace_job_least_milli(const struct trace_job *);

/* Gives a job its roles ("": none); their sums replace its requests. False with err set (without
 * the place) if they are not valid. The text is not copied. */
bool trace_job_set_roles(struct trace_job *, const char *roles, struct symbols *gpu_types,
                         struct err *);

/*
 * Reads the rungs of an array that stops losers early (sim/rungs.h): productive run times at which
 * its jobs are compared, "600|1800|5400" in seconds with at most three decimals, positive and
 * rising. *count is their number, 0 for ""; false if the list is not valid.
 */
#define TRACE_RUNGS     16
#define TRACE_ETA_MILLI 3000 /* default, that of Hyperband (Li et al., JMLR 18, 2018) */
bool trace_rungs(const char *text, int64_t ms[TRACE_RUNGS], int *count);

/* Name tables, owned by the caller, shared by all traces of a run. `gpu_types` may hold at most 64
 * names. */
struct trace_names {
    struct symbols *queues, *users, *gpu_types, *models, *nodes;
};

/*
 * What some formats leave open, such as how many processors make a GPU: keys and values as text. A
 * key that the file's format does not have is an error.
 */
struct trace_setting {
    const char *key, *value;
};
struct trace_setting_row {
    const char *key;
    const char *formats; /* formats that have it: "swf", or "pollux|ones" */
    const char *summary;
    bool path; /* the value is the name of a file */
};
const struct trace_setting_row *trace_settings(size_t *count);
bool trace_setting_check(const struct trace_setting *, struct err *); /* for any format */

/* Joins several maps of columns (the setting `map`); the caller frees the result. */
char *trace_map_join(const char *const *maps, size_t count);

struct trace_options {
    const char *path;   /* "-" is stdin; must outlive the jobs */
    const char *format; /* NULL or "auto": by content; else a name in trace_formats() */
    struct trace_names names;
    bool sort;     /* load and sort instead of streaming */
    bool nonempty; /* a trace without jobs is an error */
    const struct trace_setting *settings;
    size_t setting_count;

    /*
     * Receives the error of a row, with its place; the row is left out and reading continues. NULL:
     * the first error ends it. Errors of the whole file (header, quoting, compression) always do.
     */
    void (*reject)(void *to, const struct err *err);
    void *reject_to;

    /*
     * Rows with errors are left out even without reject(), but it is an error at the end of the
     * trace if their share of all rows exceeds the setting `rejected`.
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
 * SHA-256 of the file's bytes after decompression; complete once trace_next() has returned
 * TRACE_END. Before that, it covers the chunks read so far.
 */
void trace_digest(const struct trace *, char hex[DIGEST_HEX]);

/* Returns true if its jobs may have deadlines. */
bool trace_dated(const struct trace *);

/* Columns written only for traces that have them: dependencies between jobs, deadlines, and roles
 * with the reaction to failures. */
enum trace_extra { TRACE_LINKS = 1, TRACE_DEADLINES = 2, TRACE_PARTS = 4 };
unsigned trace_extras(const struct trace *); /* bits of enum trace_extra */

/* Submits the job later: its eligible time and deadline move along; its recorded start and end
 * become unknown. */
void trace_job_shift(struct trace_job *, int64_t ms);

/* Returns true if its jobs may depend on each other through `after` or `array`. */
bool trace_linked(const struct trace *);

/*
 * For callers that keep jobs: copies all strings of the job into one growing buffer and points the
 * job at them. The caller owns the buffer and may reuse it for another job.
 */
void trace_job_keep(struct trace_job *, char **text, size_t *capacity);

/* The name of the format in use, valid after trace_open(). */
const char *trace_format_name(const struct trace *);

/* Rows repaired, clamped, dropped or ignored, e.g. {"end before start, row dropped", 3, 118}. */
struct trace_note {
    const char *what;
    uint64_t rows;
    uint64_t first_line; /* 0: about the whole trace */
};
const struct trace_note *trace_notes(const struct trace *, size_t *count);

/* Rows of `list formats`. */
struct trace_format_row {
    const char *name, *summary;
};
const struct trace_format_row *trace_formats(size_t *count);

/*
 * A generated trace: a profile of traces/generate/profiles.c with its parameters, used through the
 * same interface. Equal parameters and seed give equal jobs.
 */
struct trace_parameter {
    const char *name;
    double value;
};
struct trace_team {
    const char *queue; /* the jobs' queue */
    double weight;     /* relative share of the load */
    int users;         /* at least 1 */
};
struct trace_generate_options {
    const char *profile;
    const struct trace_parameter
        *parameters; /* override the profile's defaults; unknown names are errors */
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

/* Merges traces by submit time (ties: order of the array, then row). Takes ownership of the traces.
 */
struct trace *trace_merge(struct trace **traces, size_t count);

/*
 * Changes to a trace, applied in the order of the fields. Digest, notes, format name and errors
 * stay those of the original trace. A trace cut short by `jobs` is still read to the end before
 * TRACE_END, so that its digest is complete and unsorted files are detected. Rows keep their
 * numbers. Recorded start and end become unknown if times are scaled or jittered, since they mean
 * nothing beside another arrival.
 *
 * A scaled submit or eligible time beyond 1e12 s is an error. Times are rounded to whole
 * milliseconds, half away from zero. Jitter keeps the jobs within 2 x jitter_ms in memory. It
 * depends on (seed, row) alone: merge first and add jitter then, or give each trace its own seed.
 */
struct trace_adjustment {
    int64_t jobs;         /* at most this many, the first ones; -1: all */
    double time_scale;    /* > 0: factor of submit and eligible times, counted from the first submit
                           * time; 1.0: none */
    double load_scale;    /* > 0: factor of the arrival rate: divides the same times; 1.0: none */
    uint32_t queue;       /* queue of all jobs, in names.queues; SYMBOL_NONE: their own */
    uint32_t recorded_on; /* in names.nodes, for jobs without their own; or SYMBOL_NONE */
    int class;            /* class of all jobs, enum trace_class; -1: their own */
    uint32_t part; /* "PART." is prefixed to ids, arrays and entries of `after`; 0: nothing is */
    int64_t jitter_ms; /* maximum jitter added to or subtracted from arrivals, but none moves before
                        * the first submit time; 0: none */
    uint64_t seed;     /* of the jitter */
};

/* Takes ownership of the trace; returns it unchanged if there is nothing to change. */
struct trace *trace_adjust(struct trace *, const struct trace_adjustment *);

/* Keeps the jobs of one queue whose minimum is at most most_milli thousandths of GPUs. Takes
 * ownership of the trace. */
struct trace *trace_of_queue(struct trace *, uint32_t queue, int64_t most_milli);

/*
 * A writer of native CSV: a header row, then one row per job. Writes all columns, even those with
 * defaults only, except those of enum trace_extra that are not in `extras`.
 */
void trace_write_header(struct out *, unsigned extras);
void trace_write_job(struct out *, const struct trace_job *, const struct trace_names *,
                     unsigned extras);

/*
 * A writer of the Standard Workload Format. A GPU is a processor. Jobs are numbered from 1 in the
 * order written; users, queues and models by first appearance. If submit times are seconds since
 * 1970, the log begins at 0 and UnixStartTime gives its beginning; else times stay. Fields 17 and
 * 18 are the single job that a job depends on, and the think time after it. Whatever the format
 * cannot express is counted. The ids of all jobs written to a linked trace are kept from
 * trace_swf_header() to trace_swf_fini().
 */
struct trace_swf {
    uint64_t jobs;    /* written */
    uint64_t without; /* jobs without GPUs, not written */
    uint64_t shares;  /* jobs with shares of GPUs, rounded up to whole ones */
    uint64_t several; /* dependencies on more than one job, not written */
    uint64_t missing; /* dependencies on a job not written before, not written either */
    uint64_t well;    /* dependencies on completion, written as on any end */
    uint64_t arrays;  /* jobs of arrays, written as single jobs */
    int64_t origin_ms;
    struct symbols *ids; /* of the jobs written; NULL: not linked */
    uint64_t *number_of; /* job numbers by id */
    size_t number_capacity;
};
void trace_swf_header(struct trace_swf *, struct out *, const struct trace_job *first,
                      bool linked); /* first: NULL without jobs */
void trace_swf_job(struct trace_swf *, struct out *, const struct trace_job *,
                   const struct trace_names *);
void trace_swf_fini(struct trace_swf *); /* also for a zeroed struct */

/* The statistics of `trace stats`. */
struct trace_stats;
struct trace_stats *trace_stats_create(const struct trace_names *);
void trace_stats_add(struct trace_stats *, const struct trace_job *);
void trace_stats_print(const struct trace_stats *, struct out *); /* tables for people */
void trace_stats_json(const struct trace_stats *, struct out *);
void trace_stats_destroy(struct trace_stats *);

#endif
