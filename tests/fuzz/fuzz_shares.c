/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a file of shares. An accepted one is divided: no share is negative or exceeds the
 * request. */
#include "scenarios/snapshot/share_input.h"
#include "sim/base/mem.h"
#include "tests/fuzz/resize.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct share_input *input)
{
    for (size_t i = 0; i < input->queue_count; i++) {
        const struct policy_amounts *share = &input->fair_share[i];
        BUG_ON(share->gpu < 0 || share->cpu < 0 || share->mem < 0);
        BUG_ON(input->queues[i].lost && (share->gpu != 0 || share->cpu != 0 || share->mem != 0));
        // Leftovers are divided in whole units, so a share may exceed the request by less than one.
        bool leaf = !input->queues[i].inner;
        BUG_ON(leaf && share->gpu >= input->queues[i].request.gpu + POLICY_WHOLE);
        BUG_ON(leaf && share->cpu > input->queues[i].request.cpu);
    }
    BUG_ON(input->remaining.gpu < 0 || input->remaining.cpu < 0 || input->remaining.mem < 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct share_input *input = NULL;
    struct err err = {0};
    char *text = mem_text_n((const char *)data, size);
    if (share_input_parse(&input, "fuzz.json", text, size, &err)) {
        if (share_input_divide(input, (struct policy_allocator){fuzz_resize, NULL}, &err))
            check(input);
        else
            BUG_ON(err.code != EXIT_INPUT || err.msg[0] == '\0');
        share_input_destroy(input);
    } else {
        BUG_ON(err.code != EXIT_INPUT || err.msg[0] == '\0');
    }
    free(text);
    return 0;
}
