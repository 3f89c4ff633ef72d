/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading the scenarios of a gate; see source.h. */
#include "sim/gate/source.h"

#include "sim/program/overrides.h"
#include "sim/world/workload.h"

#include <string.h>
#include <sys/stat.h>

/* An A/A gate shakes the candidate's arrivals with seeds that are this far from the base's. */
#define OTHER_SHAKES ((uint64_t)1 << 32)

/* Each process reads the suite for itself, and has no standard input nor other files of this one.
 */
static bool check_file(const char *suite, struct err *err)
{
    struct stat status;
    bool passed_on = strncmp(suite, "/dev/", strlen("/dev/")) == 0 ||
                     strncmp(suite, "/proc/", strlen("/proc/")) == 0;
    if (stat(suite, &status) == 0 && (passed_on || S_ISFIFO(status.st_mode)))
        return err_set(
            err, EXIT_INPUT,
            "'%.200s': the processes of a gate read the suite again: expected a regular file",
            suite);
    return true;
}

bool gate_source_open(struct gate_source *source, const struct cli *cli, struct err *err)
{
    *source = (struct gate_source){.cli = cli};
    source->policies[SIDE_A] = cli_option(cli, OPT_BASE);
    source->policies[SIDE_B] = cli_option(cli, OPT_CANDIDATE);
    if (!check_file(cli->operands[0], err) ||
        !gate_suite_open(&source->suite, cli->operands[0], err))
        return false;
    source->look_count = source->suite.look_count;
    for (size_t k = 0; k < source->look_count; k++)
        source->looks[k] = source->suite.looks[k];
    if (cli_given(cli, OPT_REPLICAS)) {
        source->look_count = 1;
        source->looks[0] = (int)cli_number(cli, OPT_REPLICAS, 0);
    }
    return true;
}

void gate_source_close(struct gate_source *source)
{
    gate_suite_close(&source->suite);
}

/* `side` SIDES: with the scenario's own policy. Several replicas have jitter. */
static bool load(const struct gate_source *source, size_t s, int side, struct steady *steady,
                 struct scenario **scenario, struct err *err)
{
    struct scen_overrides command_line = overrides_of(source->cli);
    struct gate_changes changes;
    const char *file = source->suite.scenarios[s].file;
    int replicas = source->looks[source->look_count - 1];
    command_line.policy = side < SIDES ? source->policies[side] : NULL;
    command_line.policy_option = side == SIDE_B ? "--candidate" : "--base";
    command_line.has_replicas = true;
    command_line.replicas = side < SIDES && replicas > 1 ? replicas : 2;
    bool ok = gate_suite_changes(&source->suite, s, &command_line, &changes, err) &&
              (steady == NULL ? scenario_load(scenario, file, &changes.overrides, err)
                              : steady_load(scenario, file, &changes.overrides, steady, err));
    gate_changes_free(&changes);
    return ok;
}

bool gate_source_world(const struct gate_source *source, size_t s, struct scenario **scenario,
                       struct err *err)
{
    return load(source, s, SIDES, NULL, scenario, err);
}

bool gate_source_side(const struct gate_source *source, size_t s, int side, struct steady *steady,
                      struct scenario **scenario, struct err *err)
{
    if (!load(source, s, side, steady, scenario, err))
        return false;
    struct scenario *sc = *scenario;
    if (workload_reads_stdin(sc))
        return err_set(err, EXIT_INPUT, "a gate cannot read jobs from standard input: give a file");
    if (side == SIDE_B && cli_given(source->cli, OPT_AA)) {
        sc->jitter_seed = (sc->has_jitter_seed ? sc->jitter_seed : sc->seed) + OTHER_SHAKES;
        sc->has_jitter_seed = true;
    }
    return true;
}
