/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The core's memory over lives of the adapter: a new tracker remembers what the old one did, under
 * every policy with a memory, whether it was saved or must be recovered from the journal; with
 * failures no fact is refused.
 */
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"
#include "tests/lib/slurm/fake_slurm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINES 512
#define MOST_TEXT  1024
#define STEPS      60

struct lines {
    char text[MOST_LINES][MOST_TEXT];
    uint32_t count;
};

/* The core's numbers differ in another run, and so does the time: removes the value after the key,
 * up to the comma. */
static void drop_number(char *line, const char *key)
{
    char *at = strstr(line, key);
    if (at == NULL || at[strlen(key)] == '"')
        return;
    char *end = at + 1 + strcspn(at + 1, ",");
    memmove(at, end, strlen(end) + 1);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void lines_of(const struct past *past, struct lines *lines)
{
    static const char *const keys[] = {
        "{\"t_ms\": ", ", \"job\": ", ", \"gen\": ", ", \"queue\": ", ", \"node\": "};
    const char *at = past->lines.bytes;
    lines->count = 0;
    for (size_t left = past->lines.length; left > 0; lines->count++) {
        size_t n = (size_t)((const char *)memchr(at, '\n', left) - at);
        char *line = lines->text[lines->count];
        ck_assert(lines->count < MOST_LINES && n < MOST_TEXT);
        memcpy(line, at, n);
        line[n] = '\0';
        for (int i = 0; i < ROWS(keys); i++)
            drop_number(line, keys[i]);
        at += n + 1;
        left -= n + 1;
    }
    qsort(lines->text, lines->count, MOST_TEXT, by_text);
}

static bool has(const struct lines *lines, const char *kind)
{
    bool found = false;
    for (uint32_t i = 0; i < lines->count; i++)
        found = found || strstr(lines->text[i], kind) != NULL;
    return found;
}

static void check_same(const struct lines *a, const struct lines *b)
{
    for (uint32_t i = 0; i < a->count && i < b->count; i++)
        ck_assert_str_eq(a->text[i], b->text[i]);
    ck_assert_uint_eq(a->count, b->count);
}

static const struct {
    const char *policy, *kind; /* which it must remember */
} policies[] = {
    {"slurm", "\"user\""},
    {"slurm", "\"priorities\""},
    {"las", "\"job\""},
    {"las demotion=published", "\"job\""},
    {"srtf", "\"job\""},
    {"random", "\"draws\""},
    {"conservative", "\"promise\""},
    {"runai backfill=true", "\"promise\""},
    {"runai usage_window=sliding", "\"usage\""},
};

/*
 * Plays until the core remembers the expected records, which are then in `lines`. Up to a decision:
 * what it remembers of later moments follows from that and is in no file.
 */
static struct fake_bed *grow_old(int row, struct folder *folder, int seed, struct lines *lines)
{
    char journal[FOLDER_PATH];
    folder_make(folder);
    (void)snprintf(journal, sizeof journal, "%s", folder_path(folder, "journal"));
    struct fake_bed *bed = fake_open(
        policies[row].policy,
        (struct fake_files){.journal = journal, .state = folder_path(folder, "state")}, seed);
    struct past past = {.lines = {.length = 0}};
    bool found = false;
    for (int i = 1; i < STEPS || (!found && i < 10 * STEPS); i++) {
        uint64_t records = bed->facts.log.records;
        fake_step(bed->slurm);
        fake_look(bed);
        past_of(&past, bed->tracker);
        lines_of(&past, lines);
        found = has(lines, policies[row].kind) && bed->facts.log.records > records;
    }
    past_fini(&past);
    ck_assert_msg(found, "%s remembers no %s", policies[row].policy, policies[row].kind);
    return bed;
}

START_TEST(a_new_one_remembers)
{
    static struct lines before, after;
    struct folder folder;
    struct past past = {.lines = {.length = 0}};
    struct fake_bed *bed = grow_old(_i, &folder, 1, &before);
    fake_restart(bed);
    fake_observe(bed);
    past_of(&past, bed->tracker);
    lines_of(&past, &after);
    check_same(&before, &after);
    past_fini(&past);
    fake_close(bed);
    folder_remove(&folder);
}
END_TEST

/* Nothing was saved: the journal is enough. And again, if the next life reaches no decision. */
START_TEST(a_crash_is_remembered_through)
{
    static struct lines before, after;
    struct folder folder;
    struct fake_bed *bed = grow_old(_i, &folder, 3, &before);
    for (int crashes = 0; crashes < 3; crashes++) {
        fake_crash(bed);
        lines_of(&bed->life.past, &after);
        check_same(&before, &after);
        if (crashes == 1)
            fake_observe(bed);
    }
    fake_close(bed);
    folder_remove(&folder);
}
END_TEST

START_TEST(trouble_does_no_harm)
{
    struct folder folder;
    folder_make(&folder);
    struct fake_bed *bed = fake_open(
        policies[_i].policy, (struct fake_files){.state = folder_path(&folder, "state")}, 2);
    struct fake *f = bed->slurm;
    f->trouble = true;
    for (int i = 0; i < 300; i++) {
        fake_step(f);
        fake_look(bed);
        if (fake_one_in(f, 20))
            fake_restart(bed);
        else if (fake_one_in(f, 20))
            fake_crash(bed);
    }
    fake_close(bed);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("adapters/slurm/past");
    TCase *tcase = tcase_create("past");
    tcase_add_loop_test(tcase, a_new_one_remembers, 0, ROWS(policies));
    tcase_add_loop_test(tcase, a_crash_is_remembered_through, 0, ROWS(policies));
    tcase_add_loop_test(tcase, trouble_does_no_harm, 0, ROWS(policies));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
