/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common names for the columns of a job log; see roles.h. */
#include "traces/roles.h"

#include "sim/base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *const role_names[ROLES] = {"job_id",   "submit", "start", "end",     "duration",
                                       "gpus",     "queue",  "user",  "status",  "limit",
                                       "eligible", "nodes",  "cpus",  "gpu_type"};

/* Lower case, without separators, best first: of several columns that fit a role, the one whose
 * name comes first gets it. */
static const char *const known[ROLES] = {
    [ROLE_ID] = "jobid jobidraw job id jobname podname pod uid name idjob",
    [ROLE_SUBMIT] = "submit submitted submittime submittedat submitat submissiontime submission "
                    "timesubmit created createdat creationtime creationtimestamp createtime "
                    "creation arrival arrivaltime arrivedat arrived arrive queuedat queued "
                    "enqueuedat enqueued enqueuetime submitdate submissiondate",
    [ROLE_START] = "start started starttime startedat startat timestart begin begintime began "
                   "startdate launched launchedat",
    [ROLE_END] = "end ended endtime endedat endat timeend finish finished finishtime finishedat "
                 "completiontime completedat completed stop stopped stoptime stoppedat enddate",
    [ROLE_DURATION] = "duration elapsedraw elapsed runtime elapsedtime walltime wallclock "
                      "wallclocktime wall executiontime servicetime timeelapsed run",
    [ROLE_GPUS] = "gpus gpu gpucount numgpus ngpus gpunum numgpu ngpu gpusrequested requestedgpus "
                  "reqgpus gpurequest gpurequests gpusreq totalgpus gpustotal reqtres alloctres "
                  "reqgres allocgres allocgpus gpusallocated allocatedgpus tres gres tresreq "
                  "tresalloc nvidiacomgpu numberofgpus noofgpus gpunumber cards accelerators",
    [ROLE_QUEUE] = "queue queuename partition account team group project qos namespace tenant "
                   "department vc virtualcluster organization org costcenter",
    [ROLE_USER] = "user username userid uid owner submitter email submittedby createdby who",
    [ROLE_STATUS] = "state status jobstate jobstatus finalstate result phase outcome",
    [ROLE_LIMIT] = "timelimit limit walltimelimit timelimitraw requestedtime reqtime "
                   "requestedwalltime maxtime maxruntime reqwalltime",
    [ROLE_ELIGIBLE] = "eligible eligibletime eligibleat",
    [ROLE_NODES] = "nnodes nodes numnodes nodecount allocnodes nodenum reqnodes",
    [ROLE_CPUS] = "cpus ncpus numcpus cpucount cores alloccpus reqcpus cpu ncores numcores",
    [ROLE_GPU_TYPE] = "gputype gpumodel gpukind accelerator acceleratortype gpuname devicetype",
};

static const struct unit {
    const char *words;
    int64_t ms;
} units[] = {
    {"s sec secs second seconds", 1000},
    {"ms msec millis millisecond milliseconds", 1},
    {"min mins minute minutes", 60000},
    {"h hr hrs hour hours", 3600000},
    {"d day days", 86400000},
};

/* The 1-based position of a word in a list of words; 0: not in it. */
static size_t place_of(const char *words, const char *word, size_t n)
{
    size_t place = 1;
    for (const char *at = words; *at != '\0'; place++) {
        size_t length = strcspn(at, " ");
        if (length == n && memcmp(at, word, n) == 0)
            return place;
        at += length + (at[length] == ' ');
    }
    return 0;
}

/* Squeezes "Submit Time", "submitTime" and "submit_time" to "submittime" and returns its length, at
 * most that of `name`. *last is where the last word begins, 0 for a single word. */
static size_t squeeze(char *to, const char *name, size_t n, size_t *last)
{
    size_t used = 0;
    bool between = false;
    *last = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)name[i];
        if (!isalnum(c)) {
            between = true;
            continue;
        }
        bool hump = i > 0 && isupper(c) && islower((unsigned char)name[i - 1]);
        if (used > 0 && (between || hump))
            *last = used;
        between = false;
        to[used++] = (char)tolower(c);
    }
    return used;
}

/* The unit at the end of a squeezed name; NULL: none. */
static const struct unit *unit_of(const char *text, size_t n, size_t last)
{
    for (size_t i = 0; last > 0 && i < sizeof units / sizeof *units; i++)
        if (place_of(units[i].words, text + last, n - last) > 0)
            return &units[i];
    return NULL;
}

int64_t roles_unit_ms(const char *name)
{
    static const char minutes[] = "timelimitraw"; /* of Slurm, without a unit in its name */
    size_t n = strlen(name), last;
    char *text = mem_alloc(n + 1, 1);
    size_t used = squeeze(text, name, n, &last);
    const struct unit *unit = unit_of(text, used, last);
    bool slurm = used == sizeof minutes - 1 && memcmp(text, minutes, used) == 0;
    free(text);
    return slurm ? 60000 : unit ? unit->ms : 1000;
}

/* How well a name fits a role, with or without a unit: its position from 1 (best); 0: not at all.
 */
static size_t fit(enum role role, const char *name)
{
    size_t n = strlen(name), last;
    char *text = mem_alloc(n + 1, 1);
    size_t used = squeeze(text, name, n, &last);
    size_t place = place_of(known[role], text, used);
    if (place == 0 && unit_of(text, used, last) != NULL)
        place = place_of(known[role], text, last);
    free(text);
    return place;
}

static void give_best(struct roles *roles, enum role role)
{
    struct role_column *best = NULL;
    size_t best_place = SIZE_MAX;
    for (size_t i = 0; i < roles->count; i++) {
        struct role_column *column = &roles->columns[i];
        size_t place = column->role < 0 ? fit(role, column->name) : 0;
        if (place > 0 && place < best_place) {
            best = column;
            best_place = place;
        }
    }
    if (best != NULL) {
        best->role = (int)role;
        best->unit_ms = roles_unit_ms(best->name);
    }
}

void roles_by_name(struct roles *roles)
{
    for (int role = 0; role < ROLES; role++)
        if (!roles->settled[role])
            give_best(roles, (enum role)role);
}

int role_named(const char *name, size_t n)
{
    for (int role = 0; role < ROLES; role++)
        if (strlen(role_names[role]) == n && memcmp(role_names[role], name, n) == 0)
            return role;
    return -1;
}
