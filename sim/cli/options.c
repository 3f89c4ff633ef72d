/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of options, and the lists of those that many commands share. */
#include "sim/cli/command.h"

// clang-format off
const struct option_row option_rows[OPT_COUNT] = {
    [OPT_HELP]      = {OPT_HELP,      "help",      'h', OPTION_FLAG,   .help = "show this help and exit"},
    [OPT_VERSION]   = {OPT_VERSION,   "version",   'V', OPTION_FLAG,   .help = "show the versions of the program and of its libraries and exit"},
    [OPT_MAN]       = {OPT_MAN,       "man",       0,   OPTION_FLAG,   .help = "print the manual page (roff) and exit"},
    [OPT_POLICY]    = {OPT_POLICY,    "policy",    0,   OPTION_TEXT,   .argument = "POLICY",
                       .help = "use this policy instead of the scenario's: a name (see 'list policies') or a shared library (./mine.so), with the options that the scenario's \"policies\" has for it, else with its defaults; or a file such as {\"name\": \"easy\", \"options\": {\"placement\": \"spread\"}} (mine.json)"},
    [OPT_TRACE]     = {OPT_TRACE,     "trace",     0,   OPTION_TEXT,   .argument = "FILE",
                       .help = "read the jobs from this trace instead of the scenario's workload"},
    [OPT_SET]       = {OPT_SET,       "set",       0,   OPTION_TEXT,   .repeatable = true, .argument = "KEY=VALUE",
                       .help = "change one key of the scenario: a dotted path such as policy.cycle_s; the value is JSON if it parses as JSON, else a text; a list is replaced whole"},
    [OPT_SEED]      = {OPT_SEED,      "seed",      0,   OPTION_NUMBER, .argument = "N", .high = UINT64_MAX,
                       .help = "seed of all random numbers"},
    [OPT_REPLICAS]  = {OPT_REPLICAS,  "replicas",  0,   OPTION_NUMBER, .argument = "N", .low = 1, .high = 100000,
                       .help = "simulate so many times, each with random numbers of its own"},
    [OPT_JOBS]      = {OPT_JOBS,      "jobs",      'j', OPTION_NUMBER, .argument = "N", .low = 1, .high = 1024,
                       .help = "simulate up to N replicas at the same time; results do not depend on it"},
    [OPT_AUDIT]     = {OPT_AUDIT,     "audit",     0,   OPTION_FLAG,
                       .help = "check all invariants of the simulation after every event (slow); one that does not hold ends the run with exit code 4"},
    [OPT_QUIET]     = {OPT_QUIET,     "quiet",     'q', OPTION_FLAG,   .help = "no progress bar and no notes on standard error"},
    [OPT_JSON]      = {OPT_JSON,      "json",      0,   OPTION_FLAG,   .help = "print JSON instead of a table"},
    [OPT_OUTPUT]    = {OPT_OUTPUT,    "output",    'o', OPTION_TEXT,   .argument = "FILE",
                       .help = "write to FILE; standard output, '-', unless given"},
    [OPT_CHECK]     = {OPT_CHECK,     "check",     0,   OPTION_FLAG,
                       .help = "only check the scenario and print it as resolved, with all defaults"},
    [OPT_NO_REPORT] = {OPT_NO_REPORT, "no-report", 0,   OPTION_FLAG,   .help = "do not write report.html and the figures"},
    [OPT_AT]        = {OPT_AT,        "at",        0,   OPTION_TEXT,   .argument = "TIME",
                       .help = "at this time, in seconds on the trace's clock, or so long after the first submission, such as 2h"},
    [OPT_FORMAT]    = {OPT_FORMAT,    "format",    'f', OPTION_TEXT,   .argument = "FORMAT",
                       .help = "format of the trace (see 'list formats'); found from its content unless given"},
    [OPT_TO]        = {OPT_TO,        "to",        0,   OPTION_TEXT,   .argument = "FORMAT", .help = "format to write: native or swf"},
    [OPT_ACTIONS]   = {OPT_ACTIONS,   "actions",   0,   OPTION_TEXT,   .argument = "ACTION,...",
                       .help = "take these actions only, of allocate, consolidate, reclaim, preempt, stale and limits"},
    [OPT_CYCLES]    = {OPT_CYCLES,    "cycles",    0,   OPTION_NUMBER, .argument = "N", .low = 1, .high = 1000000,
                       .help = "decide so many times: between cycles what was started runs, what was evicted or was being released is pending again (but whom a limit ended is gone), and nominations are forgotten"},
    [OPT_SNAPSHOT_AT] = {OPT_SNAPSHOT_AT, "snapshot-at", 0, OPTION_TEXT, .argument = "TIME",
                       .help = "also write snapshot.json, the cluster at this time, in seconds on the trace's clock, or so long after the first submission, such as 2h"},
    [OPT_SHARD]     = {OPT_SHARD,     "shard",     0,   OPTION_TEXT,   .argument = "I/N",
                       .help = "only the I-th of N parts of the points; 'auto': as the environment of Slurm (array, srun), Open MPI, PMI or an indexed job of Kubernetes says; 'auto/N': the same of N, as for GNU parallel"},
    [OPT_EMIT]      = {OPT_EMIT,      "emit",      0,   OPTION_TEXT,   .argument = "ENGINE",
                       .help = "simulate nothing, but print a script for slurm or parallel, or a manifest for k8s, that does; --shard auto/N: in N parts"},
    [OPT_OPTION]    = {OPT_OPTION,    "option",    0,   OPTION_TEXT,   .repeatable = true, .argument = "KEY=VALUE",
                       .help = "what the format of the trace leaves open (see 'list trace-options')"},
    [OPT_LIKE]      = {OPT_LIKE,      "like",      0,   OPTION_TEXT,   .argument = "TRACE",
                       .help = "instead of a profile: what is fitted to this trace; prints how like it the made one is"},
    [OPT_ALPHA]     = {OPT_ALPHA,     "alpha",     0,   OPTION_TEXT,   .argument = "P",
                       .help = "accept this probability of a difference that is none; intervals cover with 1 - P; 0.05 unless given"},
    [OPT_METRIC]    = {OPT_METRIC,    "metric",    0,   OPTION_TEXT,   .repeatable = true, .argument = "NAME",
                       .help = "judge this metric (see 'list metrics') and no others: a path such as wait_s.p95, or the beginning of paths; * stands for any part"},
    [OPT_FAIL_ON_DIFF] = {OPT_FAIL_ON_DIFF, "fail-on-diff", 0, OPTION_FLAG,
                       .help = "exit with 1 when any decision or metric differs, however little"},
    [OPT_CHARTS]    = {OPT_CHARTS,    "charts",    0,   OPTION_TEXT,   .argument = "WHEN",
                       .help = "draw charts below the tables: 'auto', which is on a terminal, with Unicode where its locale has UTF-8 (and NO_UNICODE is not set), else with ASCII; 'never'; or 'ascii' and 'unicode', wherever the output goes"},
    [OPT_TARGET]    = {OPT_TARGET,    "target",    0,   OPTION_TEXT,   .repeatable = true, .argument = "EXPR",
                       .help = "what has to hold, such as 'p95(wait){class=distributed} <= 2h'; several: all of them"},
    [OPT_METHOD]    = {OPT_METHOD,    "method",    0,   OPTION_TEXT,   .argument = "METHOD",
                       .help = "slo: the fewest nodes whose replays meet the targets, unless given; compaction: the fewest nodes that the jobs of one moment can be packed on"},
    [OPT_POOL]      = {OPT_POOL,      "pool",      0,   OPTION_TEXT,   .argument = "NAME",
                       .help = "vary the nodes of this pool; the one with the most GPUs unless given"},
    [OPT_RANGE]     = {OPT_RANGE,     "range",     0,   OPTION_TEXT,   .argument = "LO..HI",
                       .help = "look at these numbers of nodes; 1 to eight times as many as given, or as a perfect system needs"},
    [OPT_CONFIDENCE] = {OPT_CONFIDENCE, "confidence", 0, OPTION_TEXT,  .argument = "P",
                       .help = "with which a number of nodes has to meet each target; 0.9 unless given"},
    [OPT_BOTH]      = {OPT_BOTH,      "both",      0,   OPTION_TEXT,   .repeatable = true, .argument = "KEY=VALUE",
                       .help = "change one key of the world before and after, as --set does of the one with the changes: start.remaining=exponential:4h, window.horizon=2d"},
    [OPT_ADD_NODES] = {OPT_ADD_NODES, "add-nodes", 0,   OPTION_TEXT,   .repeatable = true, .argument = "POOL:N",
                       .help = "so many nodes more in a pool; of a snapshot like the last one of the pool, in domains of the fabric of their own"},
    [OPT_DRAIN]     = {OPT_DRAIN,     "drain",     0,   OPTION_TEXT,   .repeatable = true, .argument = "NODE,...",
                       .help = "these nodes take nothing new: names with * ? [3-4], or LEVEL=DOMAIN, LABEL=VALUE, pool=NAME"},
    [OPT_LOSE]      = {OPT_LOSE,      "lose",      0,   OPTION_TEXT,   .repeatable = true, .argument = "NODE,...",
                       .help = "these nodes are not there, named as for --drain (rack=r1); what a snapshot shows on them waits again"},
};
// clang-format on

const struct option_use option_uses_program[] = {
    {.id = OPT_HELP}, {.id = OPT_VERSION}, {.id = OPT_MAN}, {.id = OPT_COUNT}};

const struct option_use option_uses_general[] = {{.id = OPT_HELP}, {.id = OPT_COUNT}};

const struct option_use option_uses_simulate[] = {
    {.id = OPT_POLICY}, {.id = OPT_TRACE}, {.id = OPT_SET},   {.id = OPT_SEED}, {.id = OPT_REPLICAS},
    {.id = OPT_JOBS},   {.id = OPT_AUDIT}, {.id = OPT_QUIET}, {.id = OPT_JSON}, {.id = OPT_COUNT}};

const struct option_use option_uses_table[] = {{.id = OPT_JSON}, {.id = OPT_COUNT}};
