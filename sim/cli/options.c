/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of options, and the lists shared by many commands. */
#include "sim/program/command.h"

const struct option_row option_rows[OPT_COUNT] = {
    [OPT_HELP] = {OPT_HELP, "help", 'h', OPTION_FLAG, .help = "show this help and exit"},
    [OPT_VERSION] =
        {OPT_VERSION, "version", 'V', OPTION_FLAG,
         .help =
             "show the versions of the program and of its libraries, what was built in, and exit"},
    [OPT_MAN] = {OPT_MAN, "man", 0, OPTION_FLAG, .help = "print the manual page (roff) and exit"},
    [OPT_COMPLETION] = {OPT_COMPLETION, "completion", 0, OPTION_TEXT, .argument = "SHELL",
                        .values = "bash zsh fish",
                        .help = "print a completion script for bash, zsh or fish and exit"},
    [OPT_POLICY] =
        {OPT_POLICY, "policy", 0, OPTION_TEXT, .argument = "POLICY", .values = "@policies",
         .help = "use this policy instead of the scenario's: a name (see 'list policies') or a "
                 "shared library (./mine.so), with the options that \"policies\" of the scenario "
                 "has for it, else with its defaults; or a file such as {\"name\": \"easy\", "
                 "\"options\": {\"placement\": \"spread\"}} (mine.json)"},
    [OPT_TRACE] = {OPT_TRACE, "trace", 0, OPTION_TEXT, .argument = "FILE",
                   .help = "read the jobs from this trace instead of the scenario's workload"},
    [OPT_SET] = {OPT_SET, "set", 0, OPTION_TEXT, .repeatable = true, .argument = "KEY=VALUE",
                 .help =
                     "change one key of the scenario: a dotted path such as policy.cycle_s; the "
                     "value is JSON if it parses as JSON, else a text; a list is replaced whole"},
    [OPT_SEED] = {OPT_SEED, "seed", 0, OPTION_NUMBER, .argument = "N", .high = UINT64_MAX,
                  .help = "seed of all random numbers"},
    [OPT_REPLICAS] = {OPT_REPLICAS, "replicas", 0, OPTION_NUMBER, .argument = "N", .low = 1,
                      .high = 100000,
                      .help =
                          "number of replicas: simulations that differ in their random numbers"},
    [OPT_JOBS] = {OPT_JOBS, "jobs", 'j', OPTION_NUMBER, .argument = "N", .low = 1, .high = 1024,
                  .help = "simulate up to N replicas in parallel; results do not depend on it"},
    [OPT_AUDIT] = {OPT_AUDIT, "audit", 0, OPTION_FLAG,
                   .help = "check all invariants of the simulation after every event (slow); a "
                           "violation ends the run with exit code 4"},
    [OPT_DECISION_LIMIT] =
        {OPT_DECISION_LIMIT, "decision-limit", 0, OPTION_TEXT, .argument = "TIME",
         .help = "CPU time that a policy in a shared library may use for one decision, such as "
                 "10s; 0: unlimited [60s]; more ends the program with exit code 4"},
    [OPT_QUIET] = {OPT_QUIET, "quiet", 'q', OPTION_FLAG,
                   .help = "no progress bar and no notes on standard error"},
    [OPT_JSON] = {OPT_JSON, "json", 0, OPTION_FLAG, .help = "print JSON instead of a table"},
    [OPT_OUTPUT] = {OPT_OUTPUT, "output", 'o', OPTION_TEXT, .argument = "FILE",
                    .help = "write to FILE [-, standard output]"},
    [OPT_CHECK] = {OPT_CHECK, "check", 0, OPTION_FLAG,
                   .help = "only check the scenario and print it resolved, with all defaults"},
    [OPT_NO_REPORT] = {OPT_NO_REPORT, "no-report", 0, OPTION_FLAG,
                       .help = "do not write report.html and the figures"},
    [OPT_AT] = {OPT_AT, "at", 0, OPTION_TEXT, .argument = "TIME",
                .help = "at this time: seconds on the trace's clock, or a time after the first "
                        "submission, such as 2h"},
    [OPT_FORMAT] = {OPT_FORMAT, "format", 'f', OPTION_TEXT, .argument = "FORMAT",
                    .values = "@formats",
                    .help = "format of the trace (see 'list formats') [detected from its content]"},
    [OPT_TO] = {OPT_TO, "to", 0, OPTION_TEXT, .argument = "FORMAT", .values = "native swf",
                .help = "format to write: native or swf"},
    [OPT_ACTIONS] =
        {OPT_ACTIONS, "actions", 0, OPTION_TEXT, .argument = "ACTION,...",
         .values = "allocate consolidate reclaim preempt stale limits",
         .help = "only these actions: limits, allocate, consolidate, reclaim, preempt, stale"},
    [OPT_CYCLES] = {OPT_CYCLES, "cycles", 0, OPTION_NUMBER, .argument = "N", .low = 1,
                    .high = 1000000,
                    .help = "number of scheduling cycles: between two, started jobs run, evicted "
                            "jobs and those being released are pending again (jobs that a limit "
                            "ended are gone), and nominations are dropped"},
    [OPT_SNAPSHOT_AT] = {OPT_SNAPSHOT_AT, "snapshot-at", 0, OPTION_TEXT, .argument = "TIME",
                         .help =
                             "also write snapshot.json, the cluster at this time: seconds on the "
                             "trace's clock, or a time after the first submission, such as 2h"},
    [OPT_TRACE_EVENTS] = {OPT_TRACE_EVENTS, "trace-events", 0, OPTION_TEXT, .argument = "FILE",
                          .help = "also write the run in the Trace Event format, for Perfetto "
                                  "(ui.perfetto.dev): nodes as processes, devices as threads"},
    [OPT_EXPLORE] = {OPT_EXPLORE, "explore", 0, OPTION_FLAG,
                     .help = "write the explorer instead: a page on which to look at every device "
                             "over time, at single jobs and why they were pending, and at the GPU "
                             "time and the waits of any span"},
    [OPT_RHO] = {OPT_RHO, "rho", 0, OPTION_FLAG,
                 .help = "also measure finish-time fairness (fairness.rho): simulate each queue "
                         "once more, alone on its slice of the fleet, with the same seeds; same as "
                         "--set metrics.rho=true"},
    [OPT_SHARD] = {OPT_SHARD, "shard", 0, OPTION_TEXT, .argument = "I/N", .values = "auto",
                   .help = "only the I-th of N parts of the points; 'auto': from the environment "
                           "of Slurm (array, srun), Open MPI, PMI or an indexed job of Kubernetes; "
                           "'auto/N': the same with N given, as for GNU parallel"},
    [OPT_EMIT] = {OPT_EMIT, "emit", 0, OPTION_TEXT, .argument = "ENGINE",
                  .values = "slurm parallel k8s",
                  .help = "do not simulate: print a script for slurm or parallel, or a manifest "
                          "for k8s, that runs the sweep; --shard auto/N: in N parts"},
    [OPT_BASE] = {OPT_BASE, "base", 0, OPTION_TEXT, .argument = "POLICY", .values = "@policies",
                  .help =
                      "the policy in use: a name (see 'list policies'), a shared library "
                      "(./mine.so), or a file with name and options (mine.json), as for --policy"},
    [OPT_CANDIDATE] = {OPT_CANDIDATE, "candidate", 0, OPTION_TEXT, .argument = "POLICY",
                       .values = "@policies", .help = "the policy that would replace it"},
    [OPT_REPORT] = {OPT_REPORT, "report", 0, OPTION_TEXT, .repeatable = true,
                    .argument = "KIND=FILE", .values = "@reports",
                    .help =
                        "also write a report: json, html, md, junit, github, sarif, tap, csv or "
                        "timing (see 'list reports'); FILE '-' prints it instead of the table"},
    [OPT_REQUIRE_IDENTICAL] = {OPT_REQUIRE_IDENTICAL, "require-identical", 0, OPTION_FLAG,
                               .help = "fail when any decision differs, and judge nothing else"},
    [OPT_INCONCLUSIVE] = {OPT_INCONCLUSIVE, "inconclusive", 0, OPTION_TEXT, .argument = "pass|fail",
                          .values = "pass fail",
                          .help =
                              "exit as pass or fail, instead of 3, when the gate is inconclusive"},
    [OPT_BASELINE] =
        {OPT_BASELINE, "baseline", 0, OPTION_TEXT, .argument = "FILE",
         .help = "recorded results of the base (from --save-baseline), instead of simulating it: "
                 "its decisions for the first difference and all metrics for the losers"},
    [OPT_SAVE_BASELINE] =
        {OPT_SAVE_BASELINE, "save-baseline", 0, OPTION_TEXT, .argument = "FILE",
         .help = "simulate the base alone, up to the last look, and save its results"},
    [OPT_AA] = {OPT_AA, "aa", 0, OPTION_FLAG,
                .help = "give the candidate's arrivals another jitter than the base's: with the "
                        "same policy on both sides this shows how often the gate is wrong"},
    [OPT_SIDE_TIME] = {OPT_SIDE_TIME, "side-time", 0, OPTION_TEXT, .argument = "TIME",
                       .help =
                           "CPU time limit of one replica of one side, such as 30s; a replica that "
                           "uses none for as long (at most a minute) is killed, too [10m]"},
    [OPT_SIDE_MEMORY] = {OPT_SIDE_MEMORY, "side-memory", 0, OPTION_NUMBER, .argument = "MIB",
                         .low = 16, .high = 1 << 24,
                         .help = "memory limit of one replica of one side, in MiB [8192]"},
    [OPT_OPTION] = {OPT_OPTION, "option", 0, OPTION_TEXT, .repeatable = true,
                    .argument = "KEY=VALUE", .values = "@trace-options",
                    .help = "an option of the trace format (see 'list trace-options')"},
    [OPT_MAP] = {OPT_MAP, "map", 0, OPTION_TEXT, .repeatable = true, .argument = "ROLE=COLUMN,...",
                 .help = "read the trace as a table with these columns, such as "
                         "submit=SubmitTime,gpus=ReqGPUS; roles are job_id, submit, start, end, "
                         "duration, gpus, queue, user, status, limit, eligible, nodes, cpus, "
                         "gpu_type [guessed]"},
    [OPT_LIKE] = {OPT_LIKE, "like", 0, OPTION_TEXT, .argument = "TRACE",
                  .help = "instead of a profile: fit one to this trace, and print how similar the "
                          "generated trace is"},
    [OPT_REJECTED] = {OPT_REJECTED, "rejected", 0, OPTION_TEXT, .argument = "FILE",
                      .help =
                          "leave out rows with errors and list them in FILE (CSV: line, column, "
                          "reason) instead of failing at the first one"},
    [OPT_ALPHA] = {OPT_ALPHA, "alpha", 0, OPTION_TEXT, .argument = "P",
                   .help = "probability of reporting a difference that is none; intervals cover "
                           "with 1 - P [0.05]"},
    [OPT_METRIC] =
        {OPT_METRIC, "metric", 0, OPTION_TEXT, .repeatable = true, .argument = "NAME",
         .values = "@metrics",
         .help = "judge only this metric (see 'list metrics'): a path such as wait_s.p95 or "
                 "p95(wait){queue=vision}, or the beginning of paths; * stands for any part"},
    [OPT_FAIL_ON_DIFF] = {OPT_FAIL_ON_DIFF, "fail-on-diff", 0, OPTION_FLAG,
                          .help =
                              "exit with 1 when any decision or metric differs, however little"},
    [OPT_CHARTS] = {OPT_CHARTS, "charts", 0, OPTION_TEXT, .argument = "WHEN",
                    .values = "auto never ascii unicode",
                    .help = "draw charts below the tables: 'auto': on a terminal, in Unicode if "
                            "its locale has UTF-8 (and NO_UNICODE is not set), else in ASCII; "
                            "'never'; 'ascii' and 'unicode': whatever the output is"},
    [OPT_TARGET] = {OPT_TARGET, "target", 0, OPTION_TEXT, .repeatable = true, .argument = "EXPR",
                    .help = "a condition to meet, such as 'p95(wait){class=distributed} <= 2h'; "
                            "several: all of them"},
    [OPT_METHOD] = {OPT_METHOD, "method", 0, OPTION_TEXT, .argument = "METHOD",
                    .values = "slo compaction",
                    .help = "slo: the fewest nodes whose replays meet the targets; compaction: the "
                            "fewest nodes that the jobs of one moment can be packed on [slo]"},
    [OPT_POOL] = {OPT_POOL, "pool", 0, OPTION_TEXT, .argument = "NAME",
                  .help = "vary the nodes of this pool [the one with the most GPUs]"},
    [OPT_RANGE] = {OPT_RANGE, "range", 0, OPTION_TEXT, .argument = "LO..HI",
                   .help = "try these numbers of nodes [from the work that must be served to eight "
                           "times the most of that, of the nodes that the scenario has, and of the "
                           "lower bound, as far as the fabric carries them]"},
    [OPT_CONFIDENCE] = {OPT_CONFIDENCE, "confidence", 0, OPTION_TEXT, .argument = "P",
                        .help =
                            "probability that a fresh draw of the demand meets the targets [0.9]"},
    [OPT_GROWTH] =
        {OPT_GROWTH, "growth", 0, OPTION_TEXT, .argument = "P%",
         .help = "yearly growth of the demand, compound: the answer is for the end of --horizon"},
    [OPT_HORIZON] = {OPT_HORIZON, "horizon", 0, OPTION_TEXT, .argument = "SPAN",
                     .help = "with --growth: a span in y, mo, w or d, such as 18mo [12mo]"},
    [OPT_FLEET] =
        {OPT_FLEET, "fleet", 0, OPTION_TEXT, .repeatable = true, .argument = "POOL[=NODE][:N],...",
         .help = "an alternative fleet; several are shown side by side. Pools without N are sized: "
                 "main=dgx-b200 replaces the nodes of main, new=dgx-b200 adds a pool, "
                 "main:16,new=dgx-b200 keeps 16 nodes of main, and * is all pools in proportion"},
    [OPT_BOTH] = {OPT_BOTH, "both", 0, OPTION_TEXT, .repeatable = true, .argument = "KEY=VALUE",
                  .help = "change one key in both worlds, where --set changes only the one with "
                          "the changes: start.remaining=exponential:4h, window.horizon=2d"},
    [OPT_ADD_NODES] = {OPT_ADD_NODES, "add-nodes", 0, OPTION_TEXT, .repeatable = true,
                       .argument = "POOL:N",
                       .help = "add N nodes to a pool; to a snapshot: copies of the last node of "
                               "the pool, in fabric domains of their own"},
    [OPT_DRAIN] = {OPT_DRAIN, "drain", 0, OPTION_TEXT, .repeatable = true, .argument = "NODE,...",
                   .help = "these nodes take no new tasks: names with * ? [3-4], or LEVEL=DOMAIN, "
                           "LABEL=VALUE, pool=NAME"},
    [OPT_LOSE] = {OPT_LOSE, "lose", 0, OPTION_TEXT, .repeatable = true, .argument = "NODE,...",
                  .help = "these nodes are missing, named as for --drain (rack=r1); jobs that a "
                          "snapshot shows on them are pending again"},
    [OPT_SOCKET] =
        {OPT_SOCKET, "socket", 0, OPTION_TEXT, .argument = "PATH",
         .help =
             "listen on this Unix socket, which only its owner may use, instead of standard input"},
    [OPT_JOURNAL] = {OPT_JOURNAL, "journal", 0, OPTION_TEXT, .argument = "FILE",
                     .help = "append all facts and decisions to this journal, for replay"},
    [OPT_STATE] = {OPT_STATE, "state", 0, OPTION_TEXT, .argument = "FILE",
                   .help = "resume from this file if it exists, and save nodes, queues, jobs and "
                           "the memory of the policy to it at the end; without --journal the "
                           "records in between are kept in FILE.log"},
    [OPT_SHADOW] = {OPT_SHADOW, "shadow", 0, OPTION_FLAG,
                    .help = "only watch: decisions are answered, logged and taken back; facts say "
                            "what really happens"},
    [OPT_SYNC] = {OPT_SYNC, "sync", 0, OPTION_TEXT, .argument = "TIME|never",
                  .values = "0 1s never",
                  .help = "sync the journal to disk before each answer [0], at most this often, "
                          "such as 1s, or never: when the system sees fit"},
    [OPT_NEW_JOURNAL] =
        {OPT_NEW_JOURNAL, "new-journal", 0, OPTION_FLAG,
         .help = "begin a new journal from the saved state, without the previous journal"},
    [OPT_TAKE_OVER] = {OPT_TAKE_OVER, "take-over", 0, OPTION_FLAG,
                       .help = "where the policy decides otherwise than the journal (a newer "
                               "version may), continue from the recorded decisions"},
    [OPT_MAX_JUMP] = {OPT_MAX_JUMP, "max-jump", 0, OPTION_TEXT, .argument = "TIME",
                      .help =
                          "refuse a time that is more than this later than the last one [366d]"},
    [OPT_SIMULATE] =
        {OPT_SIMULATE, "simulate", 0, OPTION_FLAG,
         .help =
             "simulate the jobs of the journal, and compare their starts with the recorded ones"},
    [OPT_EVICTED] =
        {OPT_EVICTED, "evicted", 0, OPTION_TEXT, .argument = "anew|go-on", .values = "anew go-on",
         .help = "how evicted jobs continued: from the beginning, or from where they were [anew]"},
    [OPT_ANONYMISE] = {OPT_ANONYMISE, "anonymise", 0, OPTION_TEXT, .argument = "KEY.json",
                       .help = "replace names of nodes, queues, jobs, users and label values by "
                               "pseudonyms, and write the mapping to this file: keep it"},
    [OPT_SAVE_CASE] = {OPT_SAVE_CASE, "save-case", 0, OPTION_TEXT, .argument = "FILE",
                       .help =
                           "also write the snapshot and the decisions to a case for --check-case"},
    [OPT_FROM] = {OPT_FROM, "from", 0, OPTION_TEXT, .argument = "LOG",
                  .help = "the log: any trace that 'trace stats' reads"},
    [OPT_CLUSTER] = {OPT_CLUSTER, "cluster", 0, OPTION_TEXT, .repeatable = true, .argument = "FILE",
                     .help = "what 'scontrol show nodes', 'sinfo -N -o \"%N %G\"' or 'kubectl get "
                             "nodes -o json' prints: the fleet; and 'scontrol show config': the "
                             "weights of priorities; and 'sacctmgr show assoc -P': shares and "
                             "limits of accounts"},
    [OPT_FIT] = {OPT_FIT, "fit", 0, OPTION_TEXT, .repeatable = true, .argument = "KEY[=LOW..HIGH]",
                 .help = "find the value of this key of the scenario that brings simulated waits "
                         "nearest to recorded ones; a range is known for policy.cycle_s, launch "
                         "times and the weights of the policy slurm"},
    [OPT_HOW] = {OPT_HOW, "how", 0, OPTION_FLAG,
                 .help = "print the commands that get a log, nodes and weights of Slurm, or the "
                         "state of Kubernetes"},
    [OPT_NODE] =
        {OPT_NODE, "node", 0, OPTION_TEXT, .argument = "NODE", .values = "@nodes",
         .help = "kind of node (see 'list nodes'), for a log that names no GPU types, or none"},
    [OPT_NODES] = {OPT_NODES, "nodes", 0, OPTION_NUMBER, .argument = "N", .low = 1, .high = 4194304,
                   .help = "number of nodes, for a log with one pool "
                           "[as many as its jobs need]"},
    [OPT_CHECK_CASE] = {OPT_CHECK_CASE, "check-case", 0, OPTION_FLAG,
                        .help = "the operand is a case: decide on its snapshot and exit with 1 if "
                                "the decisions differ"},
};

const struct option_use option_uses_program[] = {{.id = OPT_HELP},
                                                 {.id = OPT_VERSION},
                                                 {.id = OPT_MAN},
                                                 {.id = OPT_COMPLETION},
                                                 {.id = OPT_COUNT}};

const struct option_use option_uses_general[] = {
    {.id = OPT_HELP}, {.id = OPT_MAN}, {.id = OPT_COUNT}};

const struct option_use option_uses_simulate[] = {
    {.id = OPT_POLICY},   {.id = OPT_TRACE}, {.id = OPT_SET},   {.id = OPT_SEED},
    {.id = OPT_REPLICAS}, {.id = OPT_JOBS},  {.id = OPT_AUDIT}, {.id = OPT_DECISION_LIMIT},
    {.id = OPT_QUIET},    {.id = OPT_JSON},  {.id = OPT_COUNT}};

const struct option_use option_uses_table[] = {{.id = OPT_JSON}, {.id = OPT_COUNT}};
