/* SPDX-License-Identifier: MIT */
/* The command line; see options.h. */
#include "policies/adapters/slurm/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_USAGE 2

static const char help[] =
    "Usage: fauxfleet-slurm [OPTION]...\n"
    "Schedules the jobs of a Slurm cluster by a policy of fauxfleet.\n"
    "\n"
    "Nodes and jobs are read from the slurmctld that SLURM_CONF leads to. Without --act nothing is\n"
    "done: what the policy would decide is said on standard error, once for each change.\n"
    "With --act jobs are held (best by job_submit.lua, as they are submitted) until the policy starts\n"
    "them on nodes that it chooses; jobs that it stops are requeued. It may be ended and started at\n"
    "any time: what it has to know is in Slurm. An administrator takes a job from the policy with\n"
    "'scontrol uhold JOB' and gives it back with 'scontrol hold JOB'.\n"
    "\n"
    "  -c, --config=FILE          JSON: policy, queues with their quotas, priorities of jobs\n"
    "  -p, --policy=NAME|FILE     a preset or a JSON file with name and options, instead of the\n"
    "                             configuration's (runai)\n"
    "      --shadow               decide and do nothing (this is the default)\n"
    "      --act                  hold, start and stop jobs\n"
    "      --once                 look and decide once, then end\n"
    "      --check                read the configuration, say what is wrong with it, and end\n"
    "  -i, --interval=SECONDS     between two looks (2)\n"
    "      --start-timeout=SECONDS  hold a job again that Slurm has not started by then (30)\n"
    "      --requeue-wait=SECONDS   from the stop of a job to its next start (5); Slurm itself\n"
    "                             would wait for two minutes\n"
    "  -j, --journal=FILE         append facts and decisions, one JSON object a line\n"
    "  -q, --quiet                errors only\n"
    "      --help, --version\n"
    "\n"
    "Exit codes: 0 success, 2 wrong usage or configuration, 3 with --once: Slurm does not answer,\n"
    "70 internal error, 128+n ended by signal n.\n";

enum { SHADOW = 256, ACT, ONCE, CHECK, START_TIMEOUT, REQUEUE_WAIT, HELP, VERSION };

static const struct option rows[] = {
    {"config",        required_argument, NULL, 'c'          },
    {"policy",        required_argument, NULL, 'p'          },
    {"shadow",        no_argument,       NULL, SHADOW       },
    {"act",           no_argument,       NULL, ACT          },
    {"once",          no_argument,       NULL, ONCE         },
    {"check",         no_argument,       NULL, CHECK        },
    {"interval",      required_argument, NULL, 'i'          },
    {"start-timeout", required_argument, NULL, START_TIMEOUT},
    {"requeue-wait",  required_argument, NULL, REQUEUE_WAIT },
    {"journal",       required_argument, NULL, 'j'          },
    {"quiet",         no_argument,       NULL, 'q'          },
    {"help",          no_argument,       NULL, HELP         },
    {"version",       no_argument,       NULL, VERSION      },
    {NULL,            0,                 NULL, 0            },
};

/* Seconds with up to three decimals. */
static bool seconds(const char *name, const char *text, double low, int64_t *ms)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= low && value <= 86400)) {
        (void)fprintf(stderr, "fauxfleet-slurm: --%s '%s': expected seconds from %g to 86400\n", name, text,
                      low);
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
        return seconds("interval", optarg, 0.1, &o->interval_ms);
    case START_TIMEOUT:
        return seconds("start-timeout", optarg, 1, &o->start_timeout_ms);
    case REQUEUE_WAIT:
        return seconds("requeue-wait", optarg, 0, &o->requeue_wait_ms);
    default: /* getopt has said what */
        return false;
    }
}

int options_parse(struct options *o, int argc, char **argv)
{
    *o = (struct options){.interval_ms = 2000, .start_timeout_ms = 30000, .requeue_wait_ms = 5000};
    for (int letter; (letter = getopt_long(argc, argv, "c:p:i:j:q", rows, NULL)) != -1;) {
        if (letter == HELP || letter == VERSION) {
            (void)fputs(letter == HELP ? help : "fauxfleet-slurm " FAUXFLEET_VERSION "\n", stdout);
            return fflush(stdout) == 0 ? 0 : EXIT_USAGE;
        }
        if (!take(o, letter)) {
            (void)fputs("Try 'fauxfleet-slurm --help'.\n", stderr);
            return EXIT_USAGE;
        }
    }
    if (optind < argc) {
        (void)fprintf(stderr, "fauxfleet-slurm: '%s': expected options only\nTry 'fauxfleet-slurm --help'.\n",
                      argv[optind]);
        return EXIT_USAGE;
    }
    return -1;
}
