/* SPDX-License-Identifier: MIT */
/* The command line; see options.h. */
#include "policies/adapters/slurm/options.h"

#include "policies/adapters/program/program.h"
#include "policies/facts/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_USAGE 2
#define DAY_S      86400.0

enum { SHADOW = PROGRAM_OWN, ACT, ONCE, CHECK, START_TIMEOUT, REQUEUE_WAIT, SYNC, STATE, MAX_JUMP };

static const struct program_option rows[] = {
    {"config", 'c', "FILE", "JSON: policy, queues with quotas, job priorities"},
    {"policy", 'p', "NAME|FILE",
     "a preset or a JSON file with name and options, overrides the configuration (runai)"},
    {"shadow", SHADOW, NULL, "print decisions without acting on them (default)"},
    {"act", ACT, NULL, "hold, start and stop jobs"},
    {"once", ONCE, NULL, "observe and decide once, then exit"},
    {"check", CHECK, NULL, "check the configuration, report errors, and exit"},
    {"interval", 'i', "SECONDS", "between two observations (2)"},
    {"start-timeout", START_TIMEOUT, "SECONDS",
     "hold a released job again if Slurm has not started it by then (30)"},
    {"requeue-wait", REQUEUE_WAIT, "SECONDS",
     "between the stop of a job and its next start (5); Slurm itself would wait for two minutes"},
    {"journal", 'j', "FILE", "append facts and decisions, one JSON object per line"},
    {"sync", SYNC, "SECONDS|never",
     "sync the journal before orders are given (0), at most at this interval, or leave it to the "
     "system (never)"},
    {"state", STATE, "FILE",
     "with --act: keep history that Slurm does not know (attained service, usage of users) over "
     "restarts and crashes: in this file, with later records in --journal or else FILE.log"},
    {"max-jump", MAX_JUMP, "SECONDS",
     "exit if the clock jumps further forward, or if the journal ends further ahead of it (86400)"},
    {"quiet", 'q', NULL, "errors only"},
    PROGRAM_OPTIONS};

static const struct program program = {
    .name = "fauxfleet-slurm",
    .version = FAUXFLEET_VERSION,
    .summary = "schedule the jobs of a Slurm cluster with a fauxfleet policy",
    .text =
        "Reads nodes and jobs from the slurmctld given by SLURM_CONF. Without --act nothing is "
        "changed: the policy's decisions are printed to standard error, once for each "
        "change.\n\nWith --act jobs are held (preferably by job_submit.lua, at submission) until "
        "the policy starts them on nodes that it chooses; jobs that it stops are requeued. The "
        "program may be stopped and restarted at any time: its state is in Slurm, or in the "
        "file of --state. An administrator takes a job from the policy with 'scontrol uhold "
        "JOB' and returns it with 'scontrol hold JOB'.\n\nA daemon reads its configuration again "
        "on "
        "SIGHUP: quotas, limits, weights, priorities, suspended and new queues, and job rules "
        "take effect at the next look; a file with an error changes nothing. Started from a "
        "terminal, it ends on SIGHUP.\n",
    .exit_codes = "0 success, 2 wrong usage or configuration, 3 with --once: Slurm does not "
                  "answer, 70 internal error, 128+n ended by signal n.",
    .options = rows,
};

/* Seconds with up to three decimals. */
static bool seconds(const char *name, const char *text, double low, double high, int64_t *ms)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= low && value <= high)) {
        (void)fprintf(stderr, "fauxfleet-slurm: --%s '%s': expected seconds from %g to %.0f\n",
                      name, text, low, high);
        return false;
    }
    *ms = (int64_t)(value * 1000 + 0.5);
    return true;
}

static bool take(struct options *o, int letter)
{
    switch (letter) {
    case 'c':
        o->config = optarg;
        return true;
    case 'p':
        o->policy = optarg;
        return true;
    case 'j':
        o->journal = optarg;
        return true;
    case STATE:
        o->state = optarg;
        return true;
    case 'q':
        return o->quiet = true;
    case SHADOW:
        o->act = false;
        return true;
    case ACT:
        return o->act = true;
    case ONCE:
        return o->once = true;
    case CHECK:
        return o->check = true;
    case 'i':
        return seconds("interval", optarg, 0.1, DAY_S, &o->interval_ms);
    case START_TIMEOUT:
        return seconds("start-timeout", optarg, 1, DAY_S, &o->start_timeout_ms);
    case REQUEUE_WAIT:
        return seconds("requeue-wait", optarg, 0, DAY_S, &o->requeue_wait_ms);
    case SYNC:
        o->sync_ms = FACT_LOG_NEVER;
        return strcmp(optarg, "never") == 0 || seconds("sync", optarg, 0, DAY_S, &o->sync_ms);
    case MAX_JUMP:
        return seconds("max-jump", optarg, 1, 366 * DAY_S, &o->most_jump_ms);
    default: /* getopt has printed the error */
        return false;
    }
}

static int answer(int letter, bool *is_one)
{
    bool printed = false;
    *is_one = program_answers(&program, letter, optarg, stdout, &printed);
    if (*is_one && !printed)
        (void)fprintf(stderr, "fauxfleet-slurm: --completion '%s': expected bash, zsh or fish\n",
                      optarg);
    if (!*is_one)
        return 0;
    bool lost = ferror(stdout) != 0;
    lost |= fclose(stdout) != 0;
    if (printed && !lost)
        return 0;
    if (printed)
        (void)fprintf(stderr, "fauxfleet-slurm: standard output: cannot write: %s\n",
                      strerror(errno));
    return EXIT_USAGE;
}

int options_parse(struct options *o, int argc, char **argv)
{
    struct option table[PROGRAM_MOST];
    char letters[2 * PROGRAM_MOST];
    bool is_one = false;
    program_getopt(&program, table, letters);
    *o = (struct options){.interval_ms = 2000,
                          .start_timeout_ms = 30000,
                          .requeue_wait_ms = 5000,
                          .most_jump_ms = 86400000};
    for (int letter; (letter = getopt_long(argc, argv, letters, table, NULL)) != -1;) {
        int code = answer(letter, &is_one);
        if (is_one)
            return code;
        if (!take(o, letter)) {
            (void)fputs("Try 'fauxfleet-slurm --help'.\n", stderr);
            return EXIT_USAGE;
        }
    }
    if (o->state != NULL && !o->act) {
        (void)fputs("fauxfleet-slurm: --state goes with --act: in shadow every look begins anew\n"
                    "Try 'fauxfleet-slurm --help'.\n",
                    stderr);
        return EXIT_USAGE;
    }
    if (optind < argc) {
        (void)fprintf(
            stderr, "fauxfleet-slurm: '%s': expected options only\nTry 'fauxfleet-slurm --help'.\n",
            argv[optind]);
        return EXIT_USAGE;
    }
    return -1;
}
