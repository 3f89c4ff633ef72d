/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as the journal of the Slurm adapter, and after a zero byte as its state, with their
 * chains repaired so that they are read: the memory of the last life is recovered, or refused with
 * a message; recovering it again gives the same.
 */
#include "policies/adapters/slurm/life.h"
#include "policies/facts/saved.h"
#include "policies/facts/saved_file.h"
#include "tests/fuzz/folder.h"
#include "tests/lib/journal.h"

static void put(void *text, const char *bytes, size_t n)
{
    text_bytes(text, bytes, n);
}

/* Writes the lines that are facts as a state that represents all records of the journal. */
static void put_state(const char *path, const struct fact_log *log, const char *bytes, size_t size)
{
    struct text text = {.length = 0}, body = {.length = 0};
    struct fact_line line = {.kind = LINE_FACT};
    struct saved_writer writer = {.put = put, .self = &text};
    const struct fact_policy policy = {.version = FACTS_VERSION,
                                       .contract = POLICY_VERSION,
                                       .name = "fifo",
                                       .records = (int64_t)log->records,
                                       .after = log->chain.last};
    char error[256];
    saved_begin(&writer, 0, &policy);
    while (size > 0) {
        const char *end = memchr(bytes, '\n', size);
        size_t n = end != NULL ? (size_t)(end - bytes) : size;
        bool ok = fact_line_read(&line, bytes, n) && line.kind == LINE_FACT && bytes[n - 1] == '}';
        if (ok && line.fact.kind != FACT_POLICY && line.fact.kind != FACT_DECIDE &&
            line.fact.kind != FACT_END) {
            text_bytes(&body, bytes, n - 1);
            saved_line(&writer, &body);
        }
        size -= n + (end != NULL);
        bytes = end != NULL ? end + 1 : bytes + n;
    }
    saved_end(&writer, 0);
    BUG_ON(!saved_file_write(path, text.bytes, text.length, error, sizeof error));
    fact_line_fini(&line);
    text_fini(&text);
    text_fini(&body);
}

static bool begin(struct life *life, struct facts *facts, const char *journal, const char *state)
{
    const struct life_options options = {
        .journal = journal, .state = state, .sync_ms = FACT_LOG_NEVER, .most_jump_ms = INT64_MAX};
    char error[1024] = "";
    bool ok = life_begin(life, &options, "fifo", facts, 0, error, sizeof error);
    BUG_ON(ok != (error[0] == '\0'));
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char journal[FUZZ_PATH], state[FUZZ_PATH], error[256];
    const uint8_t *end = size > 0 ? memchr(data, 0, size) : NULL;
    size_t n = end != NULL ? (size_t)(end - data) : size;
    struct facts facts, again;
    struct life life, second;
    struct fact_log log;
    (void)unlink(fuzz_path(journal, "journal"));
    (void)unlink(fuzz_path(state, "state"));
    (void)journal_put(journal, (const char *)data, n);
    if (fact_log_open(&log, journal, error, sizeof error) &&
        fact_log_scan(&log, error, sizeof error) && end != NULL && log.records > 0)
        put_state(state, &log, (const char *)end + 1, size - n - 1);
    (void)fact_log_close(&log);
    bool ok = begin(&life, &facts, journal, state);
    facts_close(&facts);
    if (ok) {
        BUG_ON(!begin(&second, &again, journal, state));
        BUG_ON(life.past.lines.length != second.past.lines.length);
        facts_close(&again);
        life_end(&second);
    }
    life_end(&life);
    return 0;
}
