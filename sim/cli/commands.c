/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands. Subcommands have their tables in list.c and trace.c. */
#include "sim/program/command.h"

static const struct option_use run_options[] = {
    {.id = OPT_OUTPUT, .argument = "DIR", .help = "the run directory; created if needed"},
    {.id = OPT_CHECK},
    {.id = OPT_NO_REPORT},
    {.id = OPT_SNAPSHOT_AT},
    {.id = OPT_TRACE_EVENTS},
    {.id = OPT_RHO},
    {.id = OPT_MAP},
    {.id = OPT_JSON, .help = "print summary.json instead of the summary table"},
    {.id = OPT_CHARTS},
    {.id = OPT_COUNT},
};

static const struct option_use sweep_options[] = {
    {.id = OPT_OUTPUT,
     .argument = "DIR",
     .help = "the directory of the results; created if needed"},
    {.id = OPT_JOBS, .help = "simulate up to N points in parallel; results do not depend on it"},
    {.id = OPT_SHARD},
    {.id = OPT_EMIT},
    {.id = OPT_POLICY},
    {.id = OPT_TRACE},
    {.id = OPT_SET},
    {.id = OPT_SEED},
    {.id = OPT_REPLICAS},
    {.id = OPT_AUDIT},
    {.id = OPT_DECISION_LIMIT},
    {.id = OPT_NO_REPORT},
    {.id = OPT_CHARTS},
    {.id = OPT_QUIET},
    {.id = OPT_COUNT},
};

static const struct option_use schema_options[] = {{.id = OPT_COUNT}};

static const struct option_use check_options[] = {
    {.id = OPT_FORMAT, .help = "format of the traces [detected from their content]"},
    {.id = OPT_OPTION},
    {.id = OPT_MAP},
    {.id = OPT_COUNT},
};

static const struct option_use merge_options[] = {
    {.id = OPT_OUTPUT,
     .help = "write to FILE: an SQLite database if its name ends in .db, .sqlite or .sqlite3, else "
             "CSV; standard output unless given"},
    {.id = OPT_COUNT},
};

static const struct option_use decide_options[] = {
    {.id = OPT_POLICY,
     .help =
         "use this policy with its defaults instead of the snapshot's: a name (see 'list "
         "policies'), a shared library (./mine.so), or a file with name and options (mine.json)"},
    {.id = OPT_ACTIONS},
    {.id = OPT_CYCLES},
    {.id = OPT_DECISION_LIMIT},
    {.id = OPT_EMIT,
     .argument = "FORM",
     .help = "of a Kubernetes snapshot: print, instead of the decisions, the objects that carry "
             "them out: kubectl (a List of Bindings and Evictions) or kubectl-sh (a script that "
             "posts them if the cluster has not changed)"},
    {.id = OPT_SAVE_CASE},
    {.id = OPT_CHECK_CASE},
    {.id = OPT_COUNT},
};

static const struct option_use explain_options[] = {
    {.id = OPT_POLICY,
     .help = "for a snapshot: use this policy instead (a name, a shared library, or a file with "
             "name and options)"},
    {.id = OPT_AT},
    {.id = OPT_TRACE,
     .help = "for a run: its trace, if it has moved; for a snapshot with --replicas: jobs that "
             "arrive later"},
    {.id = OPT_REPLICAS,
     .help = "predict when the job will start: simulate the future N times until it does"},
    {.id = OPT_SET,
     .help = "with --replicas: change one key of the simulation, such as "
             "start.remaining=exponential:2h (how long jobs take) or start.remaining=limits"},
    {.id = OPT_SEED, .help = "with --replicas: seed of all random numbers"},
    {.id = OPT_JOBS},
    {.id = OPT_DECISION_LIMIT},
    {.id = OPT_CHARTS},
    {.id = OPT_JSON},
    {.id = OPT_COUNT},
};

static const struct option_use calibrate_options[] = {
    {.id = OPT_OUTPUT,
     .argument = "FILE.html",
     .help = "also write a page, with a figure of busy GPUs over time in a folder beside it"},
    {.id = OPT_FIT},
    {.id = OPT_MAP},
    {.id = OPT_POLICY},
    {.id = OPT_SET},
    {.id = OPT_SEED},
    {.id = OPT_DECISION_LIMIT},
    {.id = OPT_QUIET},
    {.id = OPT_JSON},
    {.id = OPT_COUNT}};

static const struct option_use replay_options[] = {
    {.id = OPT_POLICY,
     .help = "let this policy decide instead, as a counterfactual: a name, a shared library, or a "
             "file with name and options"},
    {.id = OPT_SIMULATE},
    {.id = OPT_OUTPUT, .argument = "DIR", .help = "with --simulate: the run directory"},
    {.id = OPT_EVICTED,
     .help = "with --simulate: evicted jobs started from the beginning, or from where they were "
             "[anew]"},
    {.id = OPT_SET, .help = "with --simulate: change the scenario made of the journal"},
    {.id = OPT_SEED, .help = "with --simulate: seed of all random numbers"},
    {.id = OPT_AUDIT, .help = "with --simulate: check all invariants after every event"},
    {.id = OPT_DECISION_LIMIT},
    {.id = OPT_QUIET},
    {.id = OPT_JSON},
    {.id = OPT_COUNT},
};

static const struct option_use serve_options[] = {
    {.id = OPT_POLICY,
     .help = "the policy: a name (see 'list policies'), a shared library, or a file with name and "
             "options"},
    {.id = OPT_SOCKET},
    {.id = OPT_JOURNAL},
    {.id = OPT_SYNC},
    {.id = OPT_STATE},
    {.id = OPT_NEW_JOURNAL},
    {.id = OPT_TAKE_OVER},
    {.id = OPT_MAX_JUMP},
    {.id = OPT_SHADOW},
    {.id = OPT_SEED},
    {.id = OPT_DECISION_LIMIT},
    {.id = OPT_COUNT},
};

static const struct option_use report_options[] = {
    {.id = OPT_OUTPUT,
     .argument = "FILE.html",
     .help = "the page to write [DIR/report.html; of the explorer DIR/explorer.html]"},
    {.id = OPT_EXPLORE},
    {.id = OPT_TRACE, .help = "with --explore: the trace of the runs, if it has moved"},
    {.id = OPT_COUNT},
};

#define OPTION_RISK                                                                                \
    "also say how many replicas miss this condition on each side, such as 'p95(wait) <= 2h', and " \
    "the risk with its 95% interval"

static const struct option_use compare_options[] = {
    {.id = OPT_ALPHA},
    {.id = OPT_METRIC},
    {.id = OPT_FAIL_ON_DIFF},
    {.id = OPT_JSON},
    {.id = OPT_CHARTS},
    {.id = OPT_TARGET, .help = OPTION_RISK},
    {.id = OPT_OUTPUT,
     .argument = "DIR|FILE",
     .help = "also write a page (FILE.html), Markdown (FILE.md), or compare.html with its figures "
             "and compare.json to DIR"},
    {.id = OPT_COUNT},
};

static const struct option_use plan_options[] = {
    {.id = OPT_TARGET},
    {.id = OPT_METHOD},
    {.id = OPT_POOL},
    {.id = OPT_RANGE},
    {.id = OPT_CONFIDENCE},
    {.id = OPT_GROWTH},
    {.id = OPT_HORIZON},
    {.id = OPT_FLEET},
    {.id = OPT_AT,
     .help = "compact a scenario at this time of its run: seconds on the trace's clock, or a time "
             "after the first submission, such as 2h [peak GPU demand]"},
    {.id = OPT_OUTPUT,
     .argument = "DIR|FILE",
     .help = "also write a page (FILE.html), Markdown (FILE.md), or plan.html with its figures, "
             "plan.json and points.csv to DIR, and keep "
             "each finished replica there (DIR/replicas): the same command resumes an interrupted "
             "search; created if needed"},
    {.id = OPT_COUNT},
};

static const struct option_use whatif_options[] = {
    {.id = OPT_SET,
     .help = "change one key of the scenario, or of the snapshot read as a scenario: a dotted path "
             "such as queues.research.gpu.quota (lists by name or number); KEY+=N and KEY-=N are "
             "relative to the current value"},
    {.id = OPT_POLICY},
    {.id = OPT_ADD_NODES},
    {.id = OPT_DRAIN},
    {.id = OPT_LOSE},
    {.id = OPT_BOTH},
    {.id = OPT_TRACE,
     .help = "jobs that arrive, in both worlds; with a snapshot those of the trace after its time"},
    {.id = OPT_SEED},
    {.id = OPT_REPLICAS,
     .help = "number of replicas of both worlds, each with its own random numbers and arrivals "
             "moved by a jitter of up to 30 s [20; 1 without randomness]"},
    {.id = OPT_JOBS},
    {.id = OPT_AUDIT},
    {.id = OPT_DECISION_LIMIT},
    {.id = OPT_JSON},
    {.id = OPT_TARGET, .help = OPTION_RISK},
    {.id = OPT_OUTPUT,
     .argument = "DIR|FILE",
     .help = "also write a page (FILE.html), Markdown (FILE.md), or whatif.html with its figures "
             "and whatif.json to DIR"},
    {.id = OPT_QUIET},
    {.id = OPT_COUNT},
};

static const struct option_use gate_options[] = {
    {.id = OPT_BASE},
    {.id = OPT_CANDIDATE},
    {.id = OPT_BASELINE},
    {.id = OPT_SAVE_BASELINE},
    {.id = OPT_REQUIRE_IDENTICAL},
    {.id = OPT_INCONCLUSIVE},
    {.id = OPT_OUTPUT,
     .argument = "DIR",
     .help = "also write gate.html and gate.json to DIR, and keep each finished replica there "
             "(DIR/replicas): "
             "the same command resumes an interrupted gate; created if needed"},
    {.id = OPT_REPORT},
    {.id = OPT_AA},
    {.id = OPT_SIDE_TIME},
    {.id = OPT_SIDE_MEMORY},
    {.id = OPT_TRACE},
    {.id = OPT_SET,
     .help = "change one key of every scenario of the suite: a dotted path such as policy.cycle_s"},
    {.id = OPT_SEED},
    {.id = OPT_REPLICAS, .help = "look once, at N replicas, instead of at the looks of the suite"},
    {.id = OPT_JOBS},
    {.id = OPT_AUDIT,
     .help = "check all invariants after every event in all replicas, not only in those that the "
             "suite names"},
    {.id = OPT_DECISION_LIMIT},
    {.id = OPT_QUIET},
    {.id = OPT_JSON, .help = "print the report json instead of the table"},
    {.id = OPT_COUNT},
};

static const struct option_use snapshot_options[] = {
    {.id = OPT_OUTPUT}, {.id = OPT_ANONYMISE}, {.id = OPT_COUNT}};

static const struct option_use init_options[] = {
    {.id = OPT_FROM},
    {.id = OPT_CLUSTER},
    {.id = OPT_HOW},
    {.id = OPT_NODE},
    {.id = OPT_NODES},
    {.id = OPT_OUTPUT,
     .help = "the scenario to write, - for standard output [scenario.json]; an existing file is "
             "not replaced"},
    {.id = OPT_FORMAT},
    {.id = OPT_OPTION},
    {.id = OPT_MAP},
    {.id = OPT_COUNT},
};

const struct command commands[] = {
    {
        .name = "run",
        .operands = "SCENARIO.json -o DIR",
        .operands_min = 1,
        .operands_max = 1,
        .summary = "simulate one scenario and write a run directory",
        .description =
            "Simulates the scenario with all its replicas, writes the run directory and prints the "
            "summary table. The directory holds summary.json, jobs.csv, timeline.csv, queues.csv, "
            "users.csv, reasons.csv, journal.jsonl, scenario.json and report.html with its "
            "figures; with "
            "several replicas the files of replica K are in rep-K. Quotas by pool add "
            "queue_pools.csv. With --snapshot-at the state of "
            "the cluster at that time is in snapshot.json, for decide and explain. Such files of a "
            "previous run are replaced "
            "or removed.\n"
            "\n"
            "Paths in a scenario are relative to its file, paths on the command line to the "
            "working directory. Equal inputs give equal bytes. Ctrl-C ends the simulation after "
            "writing what is complete; a second one ends it at once.",
        .examples = "fauxfleet run scenarios/examples/demo.json -o out\n"
                    "fauxfleet run --policy sjf --set policy.cycle_s=30 scenario.json -o out-sjf\n"
                    "fauxfleet run --check scenario.json\n",
        .options = run_options,
        .simulates = true,
        .run = cmd_run,
    },
    {
        .name = "sweep",
        .operands = "PLAN.json -o DIR",
        .operands_min = 1,
        .operands_max = 1,
        .summary = "simulate a scenario at many points, here or as one of several shards",
        .description =
            "The plan names a scenario and what varies in it: \"grid\" has lists of values by key "
            "(as --set takes them, \"policy\" and \"trace\"), every combination of which is a "
            "point; \"points\" has values that belong together; \"seeds\" and \"replicas\" repeat "
            "each. Names of files are relative to the plan's folder.\n"
            "\n"
            "DIR/points has the changes and the summary of each point, in a file named by a digest "
            "of all its inputs; DIR/results.csv has a row for each point, with its changes and the "
            "\"metrics\" of the plan. DIR/report.html shows each metric over what varies: a line "
            "with 95% intervals, a heat map over two keys, small ones over more. Points that have "
            "a result are not simulated again, so the "
            "same command resumes an interrupted sweep. Results do not depend on -j or on shards. "
            "Shards may share DIR; merge combines their results.",
        .examples =
            "fauxfleet sweep plan.json -o out -j 8\n"
            "fauxfleet sweep plan.json -o out --shard 2/5\n"
            "fauxfleet sweep plan.json -o out -j 8 --shard auto/20 --emit slurm >sweep.sh\n",
        .options = sweep_options,
        .run = cmd_sweep,
    },
    {
        .name = "merge",
        .operands = "DIR... [-o FILE]",
        .operands_min = 1,
        .operands_max = 100000,
        .summary = "combine the results of a sweep's shards",
        .description =
            "Writes the table of the whole sweep, with the same bytes for any number of shards and "
            "any order of their directories. If points are missing they are listed and nothing is "
            "written (exit code 3). Differing results of one point, or directories of different "
            "sweeps, are an error.\n"
            "\n"
            "A database has the table \"results\", a row for each point, and \"metrics\", a row "
            "for each number of each summary, where the program was built with SQLite.",
        .examples = "fauxfleet merge out -o results.csv\n"
                    "fauxfleet merge shard-1 shard-2 -o results.db\n",
        .options = merge_options,
        .run = cmd_merge,
    },
    {
        .name = "decide",
        .operands = "SNAPSHOT.json",
        .operands_min = 1,
        .operands_max = 1,
        .summary = "print a policy's decisions for a cluster snapshot",
        .description =
            "Passes the snapshot (nodes, queues, jobs and their tasks) to the policy and prints "
            "one JSON object per cycle: the decisions (start, nominate, evict), why the remaining "
            "jobs are pending, the fair share of every queue, and the devices that are idle "
            "afterwards. Nothing is carried out.\n"
            "\n"
            "The snapshot may name its policy and options [runai with its defaults]. Queues "
            "without their parent are dropped, and jobs without a leaf queue are not tried; notes "
            "say so.\n"
            "\n"
            "--emit kubectl prints a List of Binding and Eviction objects in the order of the "
            "decisions, with the names, namespaces and uids of the import. 'kubectl create -f' "
            "makes the Bindings; it cannot create Evictions, which are subresources of their pods, "
            "and it checks nothing but uids. --emit kubectl-sh prints a script that posts both "
            "with 'kubectl create --raw'. First it compares the cluster with the snapshot: pods on "
            "nodes, the pods and nodes of the plan, generations of queues and pod groups. If "
            "anything that the plan depends on has changed it says so, does nothing and exits with "
            "1. It stops at the first refused request, and checks again at the end for pods that "
            "others started meanwhile. KUBECTL is the command with its options. "
            "Nominations are not printed: decide again when the evicted pods have ended.\n"
            "\n"
            "A snapshot of a problem becomes a test: --save-case writes it with its policy and "
            "decisions, --check-case decides again and shows the first difference.",
        .examples = "fauxfleet decide cluster.json\n"
                    "fauxfleet decide cluster.json --actions allocate,reclaim --cycles 3\n"
                    "fauxfleet decide now.json --emit kubectl-sh >plan.sh && sh plan.sh\n"
                    "fauxfleet decide cluster.json --save-case cases/starved.json\n"
                    "fauxfleet decide --check-case cases/starved.json\n",
        .options = decide_options,
        .run = cmd_decide,
    },
    {
        .name = "shares",
        .operands = "QUEUES.json",
        .operands_min = 1,
        .operands_max = 1,
        .summary = "divide a capacity among queues: the fair-share division alone",
        .description = "Reads a capacity and queues with quotas, limits, weights, priorities, past "
                       "use and what they request, and prints every queue's fair share and what "
                       "remains, as JSON: thousandths of GPUs and cores, and MiB.",
        .examples = "fauxfleet shares queues.json\n",
        .run = cmd_shares,
    },
    {
        .name = "snapshot",
        .operands = "FILE.json... [-o OUT.json]",
        .operands_min = 1,
        .operands_max = 64,
        .summary = "make a snapshot of a cluster from the output of kubectl or Slurm",
        .description =
            "Reads the output of 'kubectl get nodes,pods,podgroups,queues -A -o json', 'squeue "
            "--json' and 'scontrol show nodes --json', from one file or from several together, and "
            "writes one snapshot for decide and explain. The first file may be a snapshot that the "
            "others add to. Anything that a snapshot cannot express is skipped and noted on "
            "standard error, for Kubernetes by object and field, unknown fields included.\n\nOf "
            "Kubernetes: nodes (taints, cordons, MIG instances), pods, pod groups of coscheduling, "
            "Volcano and KAI, gangs that Kueue admits, queues of KAI and Volcano, ClusterQueues "
            "with their cohorts and LocalQueues of Kueue, topologies and priority classes. "
            "Tolerations and node affinity of every form are kept: anything beyond a list of "
            "values becomes a label of the matching nodes. A pod that is two minutes overdue for "
            "deletion keeps its devices and is no victim.",
        .examples = "kubectl get nodes,pods -A -o json >cluster.json && fauxfleet snapshot "
                    "cluster.json -o now.json\n"
                    "fauxfleet snapshot squeue.json nodes.json -o now.json\n"
                    "fauxfleet snapshot now.json --anonymise key.json -o shared.json\n",
        .options = snapshot_options,
        .run = cmd_snapshot,
    },
    {
        .name = "explain",
        .operands = "(SNAPSHOT.json|DIR) JOB",
        .operands_min = 2,
        .operands_max = 2,
        .summary = "say why a job is or was pending",
        .description =
            "Prints the dominant reason for which the job is pending ('list reasons' has them "
            "all), the evidence (which queue, limit, share or level, how many devices where), and "
            "what "
            "would start it. Small changes to the job (fewer tasks or GPUs, smaller pieces, less "
            "CPU and memory, another type of GPU, no conditions on nodes, a higher level of the "
            "topology, another queue, a higher priority, preemptible, a shorter time limit) are "
            "tried on the policy itself, one decision each, and those with which it starts are "
            "printed, the nearest first, with the nodes and the jobs that the policy would evict "
            "for it. A snapshot does not say whether the user may use another queue.\n"
            "\n"
            "Of a snapshot the policy decides once, and then says why it left the job pending. Of "
            "a run directory the scenario is simulated again up to the time --at. By default this "
            "is the middle of the longest phase of the reason that held the job longest in total, "
            "which is printed with its share of all waiting; for a job that never started it is "
            "the end. The job's life follows: its events, the jobs it was evicted for, the jobs "
            "evicted for it, and how long it waited for which reason. A reason counts from the "
            "scheduling cycle in which the policy gave it.\n"
            "\n"
            "--replicas: when it will start. The run that begins with the snapshot, or with the "
            "state of the run at that time, is simulated until the job starts, with other draws "
            "each time (how long jobs take, unless that is known: start.remaining; the jitter of "
            "arrivals; failures), and the median and the interval from the 10th to the 90th "
            "percentile of the times are printed; replicas in which it never starts count as the "
            "latest. The same is printed for the nearest change that does not start it at once, or "
            "for half its size. In a run directory durations are those of the trace, which were "
            "unknown at that time; with start.remaining they are drawn.\n"
            "\n"
            "--json: \"reason\", \"reason_s\" and \"reason_share\" (without --at), \"detail\", "
            "\"evidence\", \"alternatives\" (of each \"change\", \"detail\", \"starts\" now, "
            "after_release or after_evictions, \"tasks\", \"gpus\", \"nodes\", \"evicts\"), "
            "\"alternative_cycles\" (decisions needed), \"decisions\" of a snapshot, with "
            "--replicas \"eta\" "
            "(\"replicas\", \"started\", \"median_s\", \"low_s\", \"high_s\", \"probability\", "
            "\"not_within_s\"), \"eta_alternative\", \"eta_alternative_detail\", \"remaining\", "
            "\"later_jobs\" and \"not_carried_over\", and \"life\" of a run: \"events\", \"spans\" "
            "(\"from_s\", \"to_s\", \"state\", \"reason\"), \"waited_s\", \"waited_by_reason\".",
        .examples = "fauxfleet explain cluster.json job-17\n"
                    "fauxfleet explain out job-17\n"
                    "fauxfleet explain out job-17 --at 2h --json\n",
        .options = explain_options,
        .run = cmd_explain,
    },
    {
        .name = "report",
        .operands = "DIR [DIR_B] [-o FILE.html]",
        .operands_min = 1,
        .operands_max = 2,
        .summary = "write the HTML report of a run or sweep",
        .description =
            "Writes one self-contained HTML page with the figures of the run or sweep, and the "
            "figures' data and gnuplot scripts to DIR/figures. 'run' and 'sweep' do the "
            "same unless --no-report is given. Without gnuplot the page says so in place of "
            "its pictures. A failing gnuplot is an error, and so is a file of the run "
            "that cannot be read; then no page is written.\n"
            "\n"
            "--explore writes the explorer: devices over time with jobs as bars above the queue, "
            "to zoom, search and select in; two runs share one time axis. A run directory does "
            "not say when which device was held, so the run is simulated again; of several "
            "replicas this is the first. A run with very many bars or jobs is drawn as a grid of "
            "cells.",
        .examples = "fauxfleet report out -o venus.html\n"
                    "fauxfleet report out --explore\n"
                    "fauxfleet report out-fifo out-runai --explore -o both.html\n",
        .options = report_options,
        .run = cmd_report,
    },
    {
        .name = "compare",
        .operands = "DIR_A DIR_B",
        .operands_min = 2,
        .operands_max = 2,
        .summary = "compare two runs of the same jobs, metric by metric, with confidence intervals",
        .description =
            "Takes two run directories with the same seeds and the same jobs, and says for each "
            "metric how B differs from A: the means, the change with its interval, and whether B "
            "is better, worse, or no difference is seen. Replicas are compared pair by pair: both "
            "saw the same arrivals, durations and failures.\n"
            "\n"
            "The change is between the two means next to it. Its interval is that of the logarithm "
            "of their ratio by the jackknife: Student's, with Johnson's correction for skewness on "
            "the side of the tail, as waits need it. It needs at least 5 pairs. 'make "
            "coverage-study' measures how often such intervals hold the truth.\n"
            "\n"
            "The verdicts of the primary metrics are taken from the same intervals with Holm's "
            "correction, so are those of each other section: the interval of a metric that is "
            "called better excludes 0; one whose interval excludes 0 may still be called no "
            "difference seen. One "
            "replica on each side is one sample: then there are differences and no verdicts. When "
            "all decisions are the same it says so.\n"
            "\n"
            "First it says who loses: queues, classes and sizes of jobs that are worse in any "
            "metric by a verdict that Wilcoxon's signed-rank test confirms, over all groups and "
            "metrics together: comparing two draws of the same run names anybody in at most 5% of "
            "cases. That takes about 12 pairs or more; with "
            "fewer the largest observed harms are listed instead.\n"
            "\n"
            "Runs with different seeds, numbers of replicas, traces, workloads or windows are "
            "refused with exit code 5.",
        .examples =
            "fauxfleet run scenarios/examples/demo.json --replicas 20 -o base\n"
            "fauxfleet run scenarios/examples/demo.json --replicas 20 --policy sjf -o sjf\n"
            "fauxfleet compare base sjf -o sjf.html\n"
            "fauxfleet compare base sjf --metric wait_s.p95 --metric 'by_class.*.wait_s.p95'\n",
        .options = compare_options,
        .run = cmd_compare,
    },
    {
        .name = "plan",
        .operands = "(SCENARIO.json --target EXPR|SNAPSHOT.json --method compaction)",
        .operands_min = 1,
        .operands_max = 1,
        .summary = "find the smallest fleet that meets targets",
        .description =
            "Varies the number of nodes of one pool, or of each --fleet, with the replicas of the "
            "scenario (20 unless it has several), and finds the smallest that meets the targets. "
            "All numbers see the same arrivals, durations and failures; a generated load stays "
            "that of the fleet as given.\n"
            "\n"
            "A target compares a metric with a number: p95(wait){class=distributed} <= 2h, "
            "mean(jct){queue=research} <= 1d, p95(wait){size=64-511} < 30m, utilization.allocation "
            ">= 70%, gpu_hours.lost.preemption{queue=research} <= 100, or any path of "
            "summary.json, such as by_class.build.wait_s.p95 <= 60. A number of nodes is enough "
            "when so few replicas miss a target that a fresh draw of the demand meets all of them "
            "with probability --confidence: of 20 replicas 1 may miss at 0.9. A number is given up "
            "as soon as more have missed. With too few replicas to count (below 9 at 0.9) "
            "Student's prediction bound decides.\n"
            "\n"
            "The search starts at the work that must be served: the GPU-hours offered in the "
            "window, over its length, on the pools that may run them. With fewer nodes the backlog "
            "grows, whatever share of the jobs a percentile ignores. From there it goes up, "
            "bisects, and tries the numbers around the answer, since more nodes are not always "
            "better. The risk is the share of replicas that miss, with its exact 95% interval; the "
            "cost is that of the fleet in the window, for a year. Today's fleet is shown beside "
            "the answers, with the same demand. \"Not excluded\" are numbers below the answer that "
            "were tried, or lie between tried ones, with too few misses to rule them out. If no "
            "number in the range is enough the exit code is 3.\n"
            "\n"
            "A node list (fleet.nodes_file) is one pool, 'all'; other numbers of nodes keep its "
            "mixture.\n"
            "\n"
            "With --method compaction the work of one moment (a snapshot, or a run of the "
            "scenario) is packed again from scratch by the policy, on a cell from which nodes are "
            "removed at random until it no longer fits: 11 orders of removal, of which the 90th "
            "percentile counts. One task in 500 may stay pending, for jobs larger than half the "
            "cell requirements become preferences, and a cell that is too small for its work is "
            "copied first.",
        .examples = "fauxfleet plan scenario.json --target 'p95(wait) <= 2h' -j 8\n"
                    "fauxfleet plan scenario.json --target 'p95(wait){class=build} <= 1m' --target "
                    "'utilization.allocation >= 60%' --range 8..64 -o out\n"
                    "fauxfleet plan scenario.json --target 'p95(wait) <= 2h' --growth 30% "
                    "--horizon 18mo --fleet main --fleet new=dgx-b200\n"
                    "fauxfleet plan cluster.json --method compaction\n",
        .options = plan_options,
        .simulates = true,
        .run = cmd_plan,
    },
    {
        .name = "whatif",
        .operands = "SNAPSHOT.json|SCENARIO.json --set KEY=VALUE...",
        .operands_min = 1,
        .operands_max = 1,
        .summary = "compare the same world with and without changes",
        .description =
            "Simulates the world as it is (A) and with the changes (B), on the same random numbers "
            "replica by replica, and prints what changed in the resolved scenario, who loses "
            "(queues, classes and sizes that are certainly worse in any metric), the verdict, what "
            "differs in each metric with its confidence interval, "
            "and which jobs are evicted, lose their nodes or never fit in B and not in A.\n"
            "\n"
            "A snapshot (of run --snapshot-at, or made by snapshot from the output of kubectl or "
            "Slurm) is the start of both worlds: running jobs continue on their nodes. How long "
            "jobs take is known, declared (their limits), or drawn: --both "
            "start.remaining=exponential:4h, lognormal:2h:1.5, trace:old.csv. Later jobs are those "
            "of --trace or --both workload...; without them the existing jobs run to their end.\n"
            "\n"
            "The exit code does not say which world is better: it is 0, or 2 for bad input.",
        .examples = "fauxfleet whatif scenarios/examples/demo.json --add-nodes main:8 -j 2\n"
                    "fauxfleet whatif cluster.json --both start.remaining=exponential:4h --set "
                    "queues.research.gpu.quota+=16\n"
                    "fauxfleet whatif cluster.json --trace day.csv --lose rack=r1 --policy easy -o "
                    "lost.html\n",
        .options = whatif_options,
        .run = cmd_whatif,
    },
    {
        .name = "gate",
        .operands = "SUITE.json --base POLICY --candidate POLICY",
        .operands_min = 1,
        .operands_max = 1,
        .summary = "fail when a candidate policy makes simulated outcomes worse than the base",
        .description =
            "Simulates every scenario of the suite with both policies, replica by replica with the "
            "same arrivals, durations and failures, and asks in this order: do the two sides pair "
            "(else exit code 5); did a side crash, hang or reach a limit, and does each decide the "
            "same when replica 1 is run again (1 for the candidate, 2 for the base); is every "
            "decision the same (then no metric is judged); is an invariant of the simulation "
            "violated, or did a job that could start wait beyond the suite's bound (4); is a "
            "primary metric certainly worse by more than its margin (1), or certainly none (0)? If "
            "neither is certain more replicas are simulated, up to the suite's last look; what is "
            "still undecided is inconclusive (3). The first different decision is shown, with the "
            "fate of its job on the other side. The list above the table names who loses in any "
            "metric, in "
            "the suite or not, whatever the verdict.\n"
            "\n"
            "Each replica of each side is simulated in a process of its own, with limits of CPU "
            "time and memory. The second run of replica 1 has other values in its environment and "
            "other addresses. A gate that would pass fails (1) when decisions take certainly "
            "longer, or memory is certainly more, than the suite's \"resources\" allow: over the "
            "same pairs of replicas, which run alternately. Noise does not fail it. These figures "
            "differ from run to run: they are notes on standard error and the report 'timing', and "
            "beside a baseline B.json the file B.timing.json, which is comparable on the same kind "
            "of machine only.\n"
            "\n"
            "Keys of a suite (\"fauxfleet_gate\": 1):\n"
            "  scenarios   files, or {\"scenario\": FILE, \"name\", \"set\": {KEY: VALUE}, "
            "\"starvation\"}\n"
            "  metrics     {\"metric\": PATH (see 'list metrics') or PATH{queue=NAME}, \"class\": "
            "of jobs, \"margin\": tolerated share\n"
            "              of the base's value [0.05], \"floor\": in the metric's unit [30 for "
            "times, else 0],\n"
            "              \"direction\": \"lower\" or \"higher\" is better [as listed], \"role\": "
            "\"primary\" or \"guard\"}\n"
            "  resources   {\"decision_time\": CPU time of a decision, \"peak_memory\", "
            "\"memory_growth\": not freed, per\n"
            "              decision}, each {\"margin\": share [0.25, 0.1, 0.1], \"floor\": [10 us, "
            "16 MiB, 64 bytes], \"role\":\n"
            "              \"primary\", \"guard\" or \"off\"}\n"
            "  alpha       probability of error, half for each kind, over all metrics and looks "
            "[0.05]\n"
            "  looks       numbers of replicas after which verdicts are taken [20, 40, 80]\n"
            "  starvation  longest wait of a job that could start, such as \"14d\" [no bound]\n"
            "  audit       replicas whose invariants are checked after every event [those of the "
            "first look]\n"
            "  name, description\n"
            "\n"
            "Primary metrics fail the gate, guards warn. The interval of the harm alone decides: "
            "above the margin it fails, below it passes; one that contains the margin is "
            "inconclusive, and so is a metric with fewer than 5 pairs. The harm is the change of "
            "the shown means, as in 'compare'. The verdict and all reports but 'timing' have the "
            "same bytes on every machine and with any -j, unless time or memory fails the gate.",
        .examples = "fauxfleet gate scenarios/ci/suite.json --base fifo --candidate sjf -j 4\n"
                    "fauxfleet gate suite.json --base ./main.so --candidate ./mine.so --report "
                    "junit=gate.xml --report md=gate.md\n"
                    "fauxfleet gate suite.json --base runai --save-baseline runai.json\n"
                    "fauxfleet gate suite.json --baseline runai.json --candidate runai "
                    "--require-identical\n",
        .options = gate_options,
        .run = cmd_gate,
    },
    {
        .name = "calibrate",
        .operands = "SCENARIO.json [LOG]",
        .operands_min = 1,
        .operands_max = 2,
        .summary = "compare the waits of a simulation with those of the log",
        .description =
            "Simulates LOG (the scenario's own trace unless given) on the fleet, queues and policy "
            "of the scenario, and compares when jobs start with when they started in the log: "
            "waits by class, queue and hour of the day, starts, and busy GPUs by the hour. The "
            "verdict says whether the simulation agrees with the log and where the difference "
            "comes from.\n"
            "\n"
            "Waits agree when p95 and mean are within 10% or one minute of the log and at most 1% "
            "of the jobs never start. The log must say when jobs started: sacct, Slurm, Helios, "
            "PAI, Philly, Acme, ALCF and SWF logs do, and the column start_s of the native format. "
            "Jobs of the warm-up do not count.\n"
            "\n"
            "--fit searches for the value of a key that brings the waits nearest to each other, "
            "all jobs counted by the ratio of their waits (10 seconds added to both), and says "
            "what "
            "no value explains. A key on which waits hardly depend cannot be identified and stays "
            "as it is.",
        .examples = "fauxfleet init --from sacct.txt -o scenario.json\n"
                    "fauxfleet calibrate scenario.json -o calibration.html\n"
                    "fauxfleet calibrate scenario.json --fit policy.cycle_s\n"
                    "fauxfleet calibrate scenario.json march.txt --set policy.cycle_s=30\n",
        .options = calibrate_options,
        .run = cmd_calibrate,
    },
    {
        .name = "replay",
        .operands = "JOURNAL.jsonl",
        .operands_min = 1,
        .operands_max = 1,
        .summary = "repeat the recorded decisions of a journal, and show the first difference",
        .description =
            "Creates the policy of the journal, passes it the recorded facts and lets it decide at "
            "the recorded times. Exits with 0 if all decisions are the same, else with 1 and the "
            "first difference, with the policy's explanation of the job. Journals with facts come "
            "from 'run' with outputs.journal: \"facts\", from 'serve' and from fauxfleet-slurm. "
            "Each line carries a running sum, so a changed or missing line is detected (exit 2); "
            "an incomplete last line, left by a crash of its writer, is skipped with a note.\n"
            "\n"
            "--policy: what would another policy have decided, cycle by cycle, in the recorded "
            "cluster? Facts win: after each cycle its own decisions are undone, and it sees the "
            "recorded starts instead. Both policies then explain the first difference. Facts that "
            "it refuses (the end of an unknown task) are counted.\n"
            "\n"
            "--simulate: how well does the simulator predict this cluster? Nodes, queues, outages "
            "and jobs of the journal, with their recorded run times, become a scenario (recorded/ "
            "in the run directory, usable by run, whatif and sweep), which is run; its starts are "
            "compared with the recorded ones, and the difference is broken down into the interval "
            "between scheduling cycles and the time that starts and stops took. --policy and --set "
            "change the scenario.\n"
            "\n"
            "A line is a JSON object: {\"t_ms\": 5000, \"fact\": \"job_add\", \"job\": 3, ...}, "
            "or, after the fact \"decide\", {\"t_ms\": 5000, \"decision\": \"start\", ...}. '-' "
            "reads standard input; gzip and zstd are understood.",
        .examples = "fauxfleet run scenario.json -o out --set outputs.journal=facts && fauxfleet "
                    "replay out/journal.jsonl\n"
                    "fauxfleet replay journal.jsonl --policy sjf --json\n"
                    "fauxfleet replay journal.jsonl --simulate -o out --set policy.cycle_s=0.5\n",
        .options = replay_options,
        .run = cmd_replay,
    },
    {
        .name = "serve",
        .operands = "--policy POLICY",
        .operands_min = 0,
        .operands_max = 0,
        .summary = "schedule for another system: facts in, decisions out, as JSON lines",
        .description =
            "Reads one JSON object per line from standard input (or from clients at a Unix socket) "
            "and answers each with one line. Facts are those of policies/policy.h, with numbers "
            "that the client chooses. The service reads no clock, so each fact states its time:\n"
            "\n"
            "  {\"t_ms\": 0, \"fact\": \"node_add\", \"node\": 1, \"name\": \"dgx1\", \"rank\": 1, "
            "\"devices\": 8}\n"
            "  {\"t_ms\": 0, \"fact\": \"queue_add\", \"queue\": 1, \"name\": \"q\", \"rank\": 1}\n"
            "  {\"t_ms\": 5, \"fact\": \"job_add\", \"job\": 1, \"name\": \"j\", \"queue\": 1, "
            "\"rank\": \"1\", \"submitted_ms\": 5,\n"
            "   \"roles\": [{\"tasks\": 2, \"min_tasks\": 2, \"request\": {\"devices\": 8}}]}\n"
            "  {\"do\": \"decide\", \"t_ms\": 5}\n"
            "  {\"t_ms\": 9, \"fact\": \"task_started\", \"job\": 1}\n"
            "  {\"t_ms\": 99, \"fact\": \"task_ended\", \"job\": 1, \"outcome\": \"succeeded\"}\n"
            "  {\"do\": \"explain\", \"job\": 1}   {\"do\": \"snapshot\"}   {\"do\": \"stop\"}\n"
            "  {\"do\": \"status\"}   {\"do\": \"decisions\", \"after\": 5}\n"
            "\n"
            "An answer is sent after its records are in the journal, and a restart continues after "
            "the last one. Answers carry the \"record\" number. A client that numbers its requests "
            "(\"record\": 7) can send unanswered ones again: a request that was already carried "
            "out is answered with \"repeated\": true and not repeated. status has the number of "
            "\"records\", and decisions lists those after a record.\n"
            "\n"
            "Answers are {\"ok\": true, ...} or {\"ok\": false, \"error\": ...}, with the "
            "request's \"id\", if it has one; a refused request changes nothing. Lines have at "
            "most 4 MiB, and there are at most 64 clients. A client that does not read its answers "
            "is not served. The service ends cleanly at the end of input, {\"do\": \"stop\"}, "
            "SIGTERM, SIGINT or SIGHUP.\n"
            "\n"
            "The number of a finished job may be used again with another \"gen\". Ranks are "
            "unique. The state holds the cluster and the memory of the policy: attained service of "
            "jobs, past use of queues and users, nominations.\n"
            "\n"
            "A decision is answered when the journal has it, and the facts that led to it, on disk "
            "(--sync): after any failure of the machine every decision that was acted on can be "
            "replayed. A crash of the service alone loses no line.\n"
            "\n"
            "With --state, {\"do\": \"snapshot\"} saves the state and answers with it as a cluster "
            "snapshot, as 'decide', 'explain', 'whatif' and 'run' read it (\"snapshot\"), or "
            "writes that to the file that the request names as \"file\".",
        .examples =
            "fauxfleet serve --policy runai --journal facts.jsonl --state state.jsonl --socket "
            "/run/fauxfleet.sock\n"
            "fauxfleet serve --policy runai.json --shadow --journal shadow.jsonl <facts.jsonl\n",
        .options = serve_options,
        .run = cmd_serve,
    },
    {
        .name = "trace",
        .operands = "[OPERAND]...",
        .summary = "inspect, convert and generate job traces",
        .description = "A trace is a file of jobs in order of submission. Files may be compressed "
                       "with gzip or zstd; '-' is standard input. Notes on standard error say what "
                       "the reader repairs or drops.",
        .subcommands = trace_commands,
        .subcommand_word = "subcommand",
    },
    {
        .name = "init",
        .operands = "[--from LOG] [--cluster FILE]...",
        .summary = "propose a scenario for a log",
        .description =
            "Reads a log and writes a scenario for it that runs as it is: pools by GPU type, "
            "queues with quotas, a policy and a warm-up. What the log does not say is guessed; "
            "each guess is a note, and a comment in the scenario. Check them: above all the "
            "number of nodes, which a log shows only as far as it was used. With --cluster the "
            "fleet and the weights of priorities are those of the cluster. On a terminal it asks "
            "for what a log cannot say.\n"
            "\n"
            "Without a log it writes a scenario with generated jobs: on a terminal it asks for the "
            "kind and number of nodes and the number of teams [dgx-h100, 16, 4], elsewhere "
            "--node and --nodes, or --cluster, say it.",
        .examples = "fauxfleet init --how\n"
                    "fauxfleet init --from sacct.txt -o scenario.json\n"
                    "fauxfleet init --from sacct.txt --cluster nodes.txt --cluster config.txt\n"
                    "fauxfleet init --node dgx-b200 --nodes 32 -o scenario.json\n"
                    "fauxfleet init --from jobs.csv --node dgx-a100 --nodes 24\n",
        .options = init_options,
        .run = cmd_init,
    },
    {
        .name = "check",
        .operands = "FILE...",
        .operands_min = 1,
        .operands_max = 100000,
        .summary = "report everything that is wrong with scenarios, sweep plans, suites and traces",
        .description =
            "Checks each file and continues after the first error. Of a scenario, a sweep plan or "
            "a gate suite (names ending in .json) every unknown key, wrong type and value out of "
            "range is reported with its line. A file without such troubles is then loaded with "
            "the scenarios and traces that it names, up to the first trouble in these. A snapshot "
            "is loaded. Any other file is read as a trace, to its end.\n"
            "\n"
            "Prints a line for each file that is in order. Exits with 0 when all are, else with 2.",
        .examples = "fauxfleet check scenario.json jobs.csv\n"
                    "fauxfleet check scenarios/examples/*.json\n",
        .options = check_options,
        .run = cmd_check,
    },
    {
        .name = "schema",
        .operands = "[scenario|sweep|gate]",
        .operands_max = 1,
        .operand_values = "scenario sweep gate",
        .summary = "print the keys of a file as a JSON Schema, for editors",
        .description =
            "Prints a JSON Schema (draft 2020-12) of scenarios, of sweep plans or of the suites of "
            "'gate', generated from the tables that the program itself checks files against. An "
            "editor that knows it completes keys, shows what they mean and marks mistakes. A file "
            "names its schema in the key \"$schema\".\n"
            "\n"
            "The schema allows nothing less than the program, but more: keys that exclude one "
            "another, and keys that are missing, are found when the file is loaded, since a "
            "scenario may get them from the one that it extends.",
        .examples = "fauxfleet schema > scenario.schema.json\n"
                    "fauxfleet schema gate\n",
        .options = schema_options,
        .run = cmd_schema,
    },
    {
        .name = "list",
        .operands = "",
        .summary = "list built-in policies, metrics, formats, ...",
        .description = "Lists the rows of one table; without a topic, the topics.",
        .examples = "fauxfleet list policies\n"
                    "fauxfleet list metrics --json\n",
        .options = option_uses_table,
        .run = cmd_list,
        .subcommands = list_topics,
        .subcommand_word = "topic",
    },
    {.name = NULL},
};
