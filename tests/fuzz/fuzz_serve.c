/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session of a client with a decision service that is killed where the bytes say so: the first
 * ones choose the preset, the seed and the files, the others when it is killed and what happens to
 * its state. It must restart each time, and the client's records must stay consistent.
 */
#include "tests/lib/serve/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes {
    const uint8_t *data;
    size_t size, at;
};

/* After the last byte nothing more happens: n - 1 is no kill. */
static uint32_t next_below(void *self, uint32_t n)
{
    struct bytes *b = self;
    uint32_t high = b->at < b->size ? b->data[b->at++] : 255;
    return high * n / 256;
}

static void remove_all(const char *folder)
{
    static const char *const names[] = {"j", "s", "s.log", "s.log.1"};
    char path[96];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const presets[] = {"fifo",         "easy",   "conservative", "slurm",
                                          "srtf",         "las",    "runai",        "fgd",
                                          "kube-default", "random", "static",       "sjf"};
    static struct session session;
    char folder[] = "/tmp/fauxfleet-fuzz-XXXXXX";
    char journal[64], state[64];
    struct bytes bytes = {.data = data, .size = size};
    if (size < 3 || mkdtemp(folder) == NULL)
        return 0;
    (void)snprintf(journal, sizeof journal, "%s/j", folder);
    (void)snprintf(state, sizeof state, "%s/s", folder);
    int way = data[0] % 3;
    bytes.at = 3;
    session = (struct session){
        .options = {.policy = presets[data[1] % (sizeof presets / sizeof *presets)],
                    .seed = data[2],
                    .journal = way != 2 ? journal : NULL,
                    .state = way != 1 ? state : NULL,
                    .sync_ms = FACT_LOG_NEVER,
                    .max_jump_ms = SERVICE_MAX_JUMP_MS,
                    .keep = 50},
        .chance = {.below = next_below, .self = &bytes, .one_in = 10},
        .seed = data[2],
        .requests = 60};
    session.policy = session.options.policy;
    if (!session_play(&session)) {
        (void)fprintf(stderr, "%s\n", session.wrong);
        abort();
    }
    session_end(&session);
    remove_all(folder);
    return 0;
}
