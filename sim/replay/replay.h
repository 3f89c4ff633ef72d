/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deciding again what a journal has. The recorded policy is made anew, told the recorded facts, and
 * asked at the recorded times: its decisions have to be the recorded ones.
 *
 * A counterfactual asks another policy beside it. Facts win: what the other one decides is compared
 * and then taken back, and what was recorded happened.
 *
 *     it starts what was not started so        the start failed (policy_start_failed)
 *     something was started that it did not    found running there (policy_task_running)
 *     it evicts what was not evicted           who waits for the answer: evicted, and found running
 *                                              where it was
 *     something was evicted that it did not    what follows was recorded: the task is released, or
 *                                              has ended
 *     a fact that it does not take             it is left out and counted; the first is told in its
 *                                              words
 */
#ifndef SIM_REPLAY_REPLAY_H
#define SIM_REPLAY_REPLAY_H

#include "sim/replay/core.h"
#include "sim/replay/journal_file.h"

/* The first cycle in which somebody decided otherwise. Texts are to be freed; NULL: nothing was
 * decided there. */
struct replay_difference {
    bool found;
    uint64_t line; /* of the fact "decide" */
    policy_time at;
    char *recorded, *replayed; /* the decision, as a line of the journal without its chain */
    char *recorded_why,
        *replayed_why; /* what either policy says of the job that the other one decided about */
};

struct replay_result {
    char *recorded_policy, *policy; /* their names; the same unless another was asked */
    uint64_t facts, cycles, decisions;
    uint64_t equal_cycles;              /* the same decisions in the same order */
    uint64_t answered, equal_decisions; /* of the policy that was asked, and of these such as were
                                           recorded in that cycle */
    uint64_t refused;                   /* facts that another policy did not take */
    char *first_refused;                /* NULL: none */
    uint64_t cut_decisions; /* of the last cycle, which is not whole and so not compared */
    size_t torn;            /* bytes of a last line that was cut */
    struct replay_difference difference;
};

/* `policy` NULL: the recorded one, up to the first difference. False with err set; the result is to
 * be freed in any case. */
bool replay(struct replay_result *, const char *path, const char *policy, struct err *);
void replay_result_free(struct replay_result *);

#endif
