/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeating the decisions of a journal. The recorded policy is created anew, receives the recorded
 * facts, and decides at the recorded times: its decisions must be the recorded ones.
 *
 * A counterfactual asks another policy as well. Facts win: its decisions are compared and then
 * taken back, and what was recorded happens.
 *
 *     it starts what was not started           the start failed (policy_start_failed)
 *     something was started that it did not    found running there (policy_task_running)
 *     it evicts what was not evicted           a job that waits for confirmation: evicted, and
 * found running where it was something was evicted that it did not    what follows was recorded:
 * the task is released, or has ended a fact that it refuses                   left out and counted;
 * the first is reported in the core's words
 */
#ifndef SIM_REPLAY_REPLAY_H
#define SIM_REPLAY_REPLAY_H

#include "sim/replay/core.h"
#include "sim/replay/journal_file.h"

/* The first cycle with different decisions. Texts are to be freed; NULL: no decision. */
struct replay_difference {
    bool found;
    uint64_t line; /* of the fact "decide" */
    policy_time at;
    char *recorded, *replayed; /* the decision, as a line of the journal without its chain */
    char *recorded_why,
        *replayed_why; /* each policy's explanation for the job that the other one decided about */
};

struct replay_result {
    char *recorded_policy, *policy; /* their names; the same unless another was asked */
    uint64_t facts, cycles, decisions;
    uint64_t equal_cycles;              /* the same decisions in the same order */
    uint64_t answered, equal_decisions; /* decisions of the other policy, and those among them
                                           recorded in the same cycle */
    uint64_t refused;                   /* facts that another policy did not take */
    char *first_refused;                /* NULL: none */
    uint64_t cut_decisions; /* of the last cycle, which is incomplete and so not compared */
    size_t torn;            /* bytes of a last line that was cut */
    struct replay_difference difference;
};

/* `policy` NULL: the recorded one, up to the first difference. False with err set; the result is to
 * be freed in any case. */
bool replay(struct replay_result *, const char *path, const char *policy, struct err *);
void replay_result_free(struct replay_result *);

#endif
