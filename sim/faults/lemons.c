/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histories of nodes and their judgement; see lemons.h. */
#include "sim/faults/lemons.h"

#include "sim/base/rng.h"

#define DAY_MS (INT64_C(24) * 3600 * 1000)

const struct fault_lemon_rule fault_lemon_rule_usual = {
    .window_ms = 28 * DAY_MS,
    .least = {3, 3, 3, 3, 3},
    .least_jobs = 6,
    .least_rate = 0.5,
    .quarantine = 2,
};

void fault_history_note(struct fault_history *history, enum fault_signal signal, int64_t now_ms)
{
    history->at_ms[history->next] = now_ms;
    history->signal[history->next] = (uint8_t)(signal + 1);
    history->next = (history->next + 1) % FAULT_HISTORY_SLOTS;
}

void fault_history_job(struct fault_history *history, bool failed)
{
    history->jobs++;
    history->failed += failed;
}

unsigned fault_history_count(const struct fault_history *history, enum fault_signal signal,
                             int64_t since_ms)
{
    unsigned count = 0;
    for (int i = 0; i < FAULT_HISTORY_SLOTS; i++)
        count += history->signal[i] == signal + 1 && history->at_ms[i] >= since_ms;
    return count;
}

enum fault_verdict fault_lemon_judge(const struct fault_lemon_rule *rule,
                                     const struct fault_history *history, int64_t now_ms)
{
    unsigned speak = 0;
    for (enum fault_signal signal = 0; signal < FAULT_SIGNALS; signal++) {
        unsigned least = rule->least[signal];
        speak +=
            least > 0 && fault_history_count(history, signal, now_ms - rule->window_ms) >= least;
    }
    speak += rule->least_rate > 0 && history->jobs > 0 && history->jobs >= rule->least_jobs &&
             history->failed >= rule->least_rate * history->jobs;
    if (speak == 0)
        return FAULT_KEEP;
    return speak >= rule->quarantine ? FAULT_QUARANTINE : FAULT_TEST;
}

bool fault_lemon_test(uint64_t seed, uint32_t node, uint32_t test, bool lemon, double catches)
{
    // Stream `node` alone decides which nodes are lemons; tests are numbered from 1 above it.
    struct rng_stream stream;
    rng_init(&stream, seed, RNG_LEMON, (uint64_t)(test + UINT64_C(1)) << 32 | node);
    return lemon && rng_uniform(&stream) < catches;
}
