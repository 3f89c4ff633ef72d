/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A policy core that receives facts with foreign ids, and answers in these. */
#ifndef SIM_REPLAY_CORE_H
#define SIM_REPLAY_CORE_H

#include "policies/facts/map.h"
#include "scenarios/schema/policy_file.h"
#include "sim/base/err.h"

struct replay_core {
    struct policy_config config;
    struct policy *policy;
    struct fact_map map;
    struct fact_decision *decisions; /* of the last cycle; their names live until the next fact */
    size_t count, capacity;
};

/* With the policy of a journal; `where` is for messages ("x.jsonl:1"). To be closed in any case. */
bool replay_core_open(struct replay_core *, const struct fact_policy *, const char *where,
                      struct err *);

/* With the policy of the command line: a name, a shared library, or a file with name and options,
 * which stays open as long. */
bool replay_core_choose(struct replay_core *, const char *policy, struct policy_file *,
                        uint64_t seed, struct err *);
void replay_core_close(struct replay_core *);

/* fact_map_tell() for its policy. */
int replay_core_tell(struct replay_core *, const struct fact *);

/* False with err set when the core could not decide. */
bool replay_core_decide(struct replay_core *, policy_time, struct err *);

/* True if the decisions are equal. */
bool replay_same_decision(const struct fact_decision *, const struct fact_decision *);

/*
 * Why the job (their number) waits: the name of the reason, "NONE" if it does not wait, and in
 * words, to be freed. NULL: it is not there.
 */
const char *replay_core_reason(struct replay_core *, policy_job theirs, char **detail);

/* Why the job (their number) waits, in words, or that it does not; to be freed. */
char *replay_core_why(struct replay_core *, policy_job theirs);

#endif
