/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The core's memory over lives of the adapter: what a new tracker remembers is what the old one did, under every policy that
 * remembers anything; with trouble no fact is refused and no job lost; what is no such file is left alone.
 */
#include "policies/adapters/slurm/past.h"
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

/* Numbers of the core are others in another life: what follows the key goes, up to the comma. */
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

static void read_lines(const char *path, struct lines *lines)
{
    static const char *const keys[] = {", \"job\": ", ", \"gen\": ", ", \"queue\": ", ", \"node\": "};
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    lines->count = 0;
    while (lines->count < MOST_LINES && fgets(lines->text[lines->count], MOST_TEXT, file) != NULL) {
        for (int i = 0; i < ROWS(keys); i++)
            drop_number(lines->text[lines->count], keys[i]);
        lines->count++;
    }
    (void)fclose(file);
    qsort(lines->text, lines->count, MOST_TEXT, by_text);
}

static bool has(const struct lines *lines, const char *kind)
{
    bool found = false;
    for (uint32_t i = 0; i < lines->count; i++)
        found = found || strstr(lines->text[i], kind) != NULL;
    return found;
}

static const struct {
    const char *policy, *kind; /* which it has to remember */
} policies[] = {
    {"slurm",                      "\"user\""      },
    {"slurm",                      "\"priorities\""},
    {"las",                        "\"job\""       },
    {"las demotion=published",     "\"job\""       },
    {"srtf",                       "\"job\""       },
    {"random",                     "\"draws\""     },
    {"conservative",               "\"promise\""   },
    {"runai backfill=true",        "\"promise\""   },
    {"runai usage_window=sliding", "\"usage\""     },
};

START_TEST(a_new_one_remembers)
{
    static struct lines lines[2];
    struct folder folder;
    folder_make(&folder);
    const char *path = folder_path(&folder, "state");
    struct fake_bed *bed = fake_open(policies[_i].policy, NULL, 1);
    bed->state = path;
    bool found = false;
    for (int i = 1; i <= STEPS || (!found && i < 10 * STEPS); i++) {
        fake_step(&bed->slurm);
        fake_look(bed);
        if (i % STEPS != 0)
            continue;
        ck_assert(past_save(bed->tracker, path, bed->error, sizeof bed->error));
        read_lines(path, &lines[0]);
        found = has(&lines[0], policies[_i].kind);
    }
    ck_assert_msg(found, "%s remembers no %s", policies[_i].policy, policies[_i].kind);
    fake_restart(bed);
    fake_observe(bed);
    ck_assert(past_save(bed->tracker, path, bed->error, sizeof bed->error));
    read_lines(path, &lines[1]);
    ck_assert_uint_eq(lines[0].count, lines[1].count);
    for (uint32_t i = 0; i < lines[0].count; i++)
        ck_assert_str_eq(lines[0].text[i], lines[1].text[i]);
    fake_close(bed);
    folder_remove(&folder);
}
END_TEST

START_TEST(trouble_does_no_harm)
{
    struct folder folder;
    folder_make(&folder);
    const char *path = folder_path(&folder, "state");
    struct fake_bed *bed = fake_open(policies[_i].policy, NULL, 2);
    struct fake *f = &bed->slurm;
    bed->state = path;
    f->trouble = true;
    for (int i = 0; i < 300; i++) {
        fake_step(f);
        fake_look(bed);
        if (fake_one_in(f, 20))
            fake_restart(bed);
    }
    fake_close(bed);
    folder_remove(&folder);
}
END_TEST

static const char *const strange[] = {"notes\n", "{\"t_ms\": 1, \"fact\": \"decide\"}\n",
                                      "{\"t_ms\": 1, \"fact\": \"history\", \"of\": \"draws\"}",
                                      "{\"t_ms\": 1, \"fact\": \"history\", \"of\": \"draft\"}\n"};

START_TEST(what_is_none_of_ours_is_refused)
{
    char error[CONFIG_ERROR] = "";
    struct folder folder;
    folder_make(&folder);
    const char *path = folder_path(&folder, "state");
    ck_assert(past_check(path, error, sizeof error)); /* it is not there yet */
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    (void)fputs(strange[_i], file);
    (void)fclose(file);
    ck_assert(!past_check(path, error, sizeof error));
    harness_contains(error, ":1: not what the adapter keeps there");
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("adapters/slurm/past");
    TCase *tcase = tcase_create("past");
    tcase_add_loop_test(tcase, a_new_one_remembers, 0, ROWS(policies));
    tcase_add_loop_test(tcase, trouble_does_no_harm, 0, ROWS(policies));
    tcase_add_loop_test(tcase, what_is_none_of_ours_is_refused, 0, ROWS(strange));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
