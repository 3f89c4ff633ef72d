/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a journal, with its chain repaired so that it is read: replayed with the recorded
 * policy and with another one. It is refused with a message, or every cycle is counted once.
 */
#include "sim/replay/replay.h"
#include "tests/fuzz/folder.h"
#include "tests/lib/journal.h"

static void decide_again(const char *path, const char *policy)
{
    struct replay_result result;
    struct err err = {0};
    if (replay(&result, path, policy, &err)) {
        BUG_ON(result.equal_cycles > result.cycles || result.equal_decisions > result.decisions);
        BUG_ON(result.difference.found && result.equal_cycles == result.cycles);
    } else {
        BUG_ON(err.msg[0] == '\0' || err.code != EXIT_INPUT);
    }
    replay_result_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH];
    (void)unlink(fuzz_path(path, "journal.jsonl"));
    if (journal_put(path, (const char *)data, size) > 0) {
        decide_again(path, NULL);
        decide_again(path, size % 2 == 0 ? "fifo" : "runai");
    }
    return 0;
}
