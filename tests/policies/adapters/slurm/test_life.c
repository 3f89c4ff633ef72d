/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * State and journal together: either suffices, an incomplete state is refused, and files that do
 * not match are refused with a message that says what is missing. A clock that jumps is not
 * trusted.
 */
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"
#include "tests/lib/slurm/fake_slurm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct files {
    struct folder folder;
    char journal[FOLDER_PATH], state[FOLDER_PATH], log[FOLDER_PATH + 8];
};

static void files_make(struct files *f)
{
    folder_make(&f->folder);
    (void)snprintf(f->journal, sizeof f->journal, "%s", folder_path(&f->folder, "journal"));
    (void)snprintf(f->state, sizeof f->state, "%s", folder_path(&f->folder, "state"));
    (void)snprintf(f->log, sizeof f->log, "%s.log", f->state);
}

static void live(struct fake_bed *bed, int steps)
{
    for (int i = 0; i < steps; i++) {
        fake_step(bed->slurm);
        fake_look(bed);
    }
}

/* A life that saved its state, and then made more decisions. */
static void make_history(const struct files *f, const char *journal)
{
    struct fake_bed *bed =
        fake_open("las", (struct fake_files){.journal = journal, .state = f->state}, 1);
    live(bed, 40);
    fake_restart(bed);
    live(bed, 40);
    fake_close(bed);
}

static bool opens(const struct files *f, const char *journal, char *error, size_t size)
{
    struct fake_bed *bed;
    bool ok =
        fake_try_open(&bed, "las", (struct fake_files){.journal = journal, .state = f->state}, 1);
    (void)snprintf(error, size, "%s", bed->error);
    fake_close(bed);
    return ok;
}

START_TEST(an_incomplete_state_is_refused)
{
    struct files f;
    struct state state;
    char error[512];
    files_make(&f);
    make_history(&f, NULL);
    char *text = folder_read(&f.folder, "state");
    size_t n = strlen(text);
    ck_assert(state_read(&state, f.state, error, sizeof error));
    ck_assert(state.is_there && state.records > 0 && state.past.lines.length > 0);
    state_fini(&state);
    for (size_t cut = 0; cut < n;
         cut += cut % 97 == 0 || text[cut] == '\n' || text[cut + 1] == '\n' ? 1 : 7) {
        folder_put_bytes(&f.folder, "state", text, cut);
        ck_assert_msg(!state_read(&state, f.state, error, sizeof error), "%zu of %zu bytes", cut,
                      n);
        harness_contains(error, f.state);
        state_fini(&state);
    }
    for (size_t at = 0; at < n; at += 11) { /* one of its bits changes */
        text[at] ^= 1;
        folder_put_bytes(&f.folder, "state", text, n);
        ck_assert_msg(!state_read(&state, f.state, error, sizeof error), "byte %zu of %zu", at, n);
        state_fini(&state);
        text[at] ^= 1;
    }
    free(text);
    folder_remove(&f.folder);
}
END_TEST

START_TEST(another_programs_file_is_no_state)
{
    static const char *const strange[] = {
        "notes\n", "", "{\"t_ms\": 1, \"fact\": \"decide\"}\n",
        "{\"t_ms\": 1, \"fact\": \"history\", \"of\": \"draws\"}\n"};
    struct files f;
    struct state state;
    char error[512];
    files_make(&f);
    ck_assert(state_read(&state, f.state, error, sizeof error)); /* it is not there yet */
    ck_assert(!state.is_there);
    folder_put(&f.folder, "state", strange[_i]);
    ck_assert(!state_read(&state, f.state, error, sizeof error));
    ck_assert(!opens(&f, NULL, error, sizeof error));
    harness_contains(error, f.state);
    char *text = folder_read(&f.folder, "state");
    ck_assert_str_eq(text, strange[_i]);
    free(text);
    state_fini(&state);
    folder_remove(&f.folder);
}
END_TEST

START_TEST(files_are_their_owners)
{
    struct files f;
    struct stat info;
    files_make(&f);
    mode_t before = umask(0);
    make_history(&f, NULL);
    (void)umask(before);
    ck_assert_int_eq(stat(f.state, &info), 0);
    ck_assert_int_eq(info.st_mode & 0777, 0600);
    ck_assert_int_eq(stat(f.log, &info), 0);
    ck_assert_int_eq(info.st_mode & 0777, 0600);
    folder_remove(&f.folder);
}
END_TEST

START_TEST(the_journal_suffices)
{
    struct files f;
    struct past with = {.lines = {.length = 0}};
    struct fake_bed *bed;
    files_make(&f);
    make_history(&f, f.journal);
    char *journal = folder_read(&f.folder, "journal");
    ck_assert(
        fake_try_open(&bed, "las", (struct fake_files){.journal = f.journal, .state = f.state}, 1));
    text_bytes(&with.lines, bed->life.past.lines.bytes, bed->life.past.lines.length);
    fake_close(bed);
    ck_assert_uint_gt(with.lines.length, 0);
    ck_assert_int_eq(unlink(f.state), 0);
    folder_put(&f.folder, "journal", journal);
    ck_assert(
        fake_try_open(&bed, "las", (struct fake_files){.journal = f.journal, .state = f.state}, 1));
    ck_assert_uint_eq(bed->life.past.lines.length, with.lines.length);
    ck_assert_mem_eq(bed->life.past.lines.bytes, with.lines.bytes, with.lines.length);
    fake_close(bed);
    past_fini(&with);
    free(journal);
    folder_remove(&f.folder);
}
END_TEST

/* The journal from before the state was saved, none at all, and another one. */
START_TEST(missing_values_are_named)
{
    struct files f, other;
    char error[512];
    files_make(&f);
    files_make(&other);
    struct fake_bed *bed =
        fake_open("las", (struct fake_files){.journal = f.journal, .state = f.state}, 1);
    live(bed, 20);
    char *early = folder_read(&f.folder, "journal");
    live(bed, 40);
    fake_restart(bed);
    fake_close(bed);
    char *late = folder_read(&f.folder, "journal");
    ck_assert_uint_gt(strlen(late), strlen(early));
    folder_put(&f.folder, "journal", early);
    ck_assert(!opens(&f, f.journal, error, sizeof error));
    harness_contains(error, "the records between them are missing");
    ck_assert_int_eq(unlink(f.journal), 0);
    ck_assert(!opens(&f, f.journal, error, sizeof error));
    harness_contains(error, "ends with record 0");
    bed = fake_open("las", (struct fake_files){.journal = other.journal}, 2);
    live(bed, 200);
    fake_close(bed);
    ck_assert(!opens(&f, other.journal, error, sizeof error));
    harness_contains(error, "belongs to another journal");
    folder_put(&f.folder, "journal", late);
    ck_assert_msg(opens(&f, f.journal, error, sizeof error), "%s", error);
    free(early);
    free(late);
    folder_remove(&f.folder);
    folder_remove(&other.folder);
}
END_TEST

/* A changed line of the journal does not change the restored memory: it is refused. */
START_TEST(a_changed_journal_is_refused)
{
    struct files f;
    char error[512];
    files_make(&f);
    make_history(&f, f.journal);
    char *text = folder_read(&f.folder, "journal");
    char *at = strstr(text, "\"decision\": \"start\"");
    ck_assert_ptr_nonnull(at);
    at[strlen("\"decision\": \"s")] = 'T';
    folder_put(&f.folder, "journal", text);
    ck_assert(!opens(&f, f.journal, error, sizeof error));
    harness_contains(error, "the chain is broken");
    free(text);
    folder_remove(&f.folder);
}
END_TEST

/* The log next to a state is as long as the section, however often a new one begins. */
START_TEST(the_log_next_to_a_state_restarts)
{
    struct files f;
    files_make(&f);
    struct fake_bed *bed = fake_open("las", (struct fake_files){.state = f.state}, 1);
    size_t longest = 0;
    for (int i = 0; i < 8; i++) {
        live(bed, 20);
        char *text = folder_read(&f.folder, "state.log");
        longest = strlen(text) > longest ? strlen(text) : longest;
        free(text);
        fake_restart(bed);
        text = folder_read(&f.folder, "state.log");
        ck_assert_ptr_null(strstr(text, "job_add"));
        free(text);
    }
    ck_assert_uint_gt(bed->facts.log.base, 300);
    ck_assert_uint_eq(bed->facts.log.records - bed->facts.log.base,
                      1); /* the section that has begun */
    fake_close(bed);
    folder_remove(&f.folder);
}
END_TEST

START_TEST(long_sections_are_closed)
{
    struct files f;
    files_make(&f);
    struct fake_bed *bed = fake_open("las", (struct fake_files){.state = f.state}, 1);
    int closed = 0;
    bed->slurm->trouble = true;
    for (int i = 0; i < 400; i++) {
        live(bed, 1);
        if (!life_is_long(&bed->life, bed->tracker))
            continue;
        ck_assert_uint_gt(bed->facts.log.records - bed->facts.log.section,
                          bed->life.options.chapter);
        fake_restart(bed);
        closed++;
    }
    ck_assert_int_gt(closed, 2);
    fake_close(bed);
    folder_remove(&f.folder);
}
END_TEST

/* The section continues, and all of it is still restored in the next run. */
START_TEST(a_state_that_cannot_be_saved_is_no_loss)
{
    struct files f;
    files_make(&f);
    struct fake_bed *bed = fake_open("las", (struct fake_files){.state = f.state}, 1);
    while (!life_is_long(&bed->life, bed->tracker))
        live(bed, 1);
    ck_assert_int_eq(mkdir(f.state, 0700), 0); /* no file can take its place */
    ck_assert(!fake_turn(bed));
    harness_contains(bed->error, f.state);
    ck_assert(!life_is_long(&bed->life, bed->tracker));
    live(bed, 1);
    ck_assert_int_eq(rmdir(f.state), 0);
    fake_crash(bed);
    ck_assert_uint_gt(bed->life.past.lines.length, 0);
    ck_assert(fake_turn(bed) && bed->life.failed_at == 0);
    fake_close(bed);
    folder_remove(&f.folder);
}
END_TEST

START_TEST(a_clock_that_jumps_is_not_believed)
{
    struct files f;
    char error[512];
    struct life life = {.options = {.most_jump_ms = 1000}};
    ck_assert(
        life_clock(&life, 5000000, 10, error, sizeof error)); /* the first time is what it is */
    ck_assert(life_clock(&life, 5002000, 2010, error, sizeof error));
    ck_assert(life_clock(&life, 5004000, 3010, error, sizeof error));
    ck_assert(life_clock(&life, 4000000, 4010, error,
                         sizeof error)); /* back: the tracker's own does not go */
    ck_assert(!life_clock(&life, 4002001, 5010, error, sizeof error));
    harness_contains(error, "1 s forward");
    ck_assert(!life_clock(&life, INT64_MAX, 5010, error, sizeof error));
    files_make(&f);
    struct fake_bed *bed =
        fake_open("las", (struct fake_files){.journal = f.journal, .state = f.state}, 1);
    bed->slurm->now += 2000; /* a second too much, if it restarts at 1000000 */
    live(bed, 5);
    fake_close(bed);
    bool ok = fake_try_open(
        &bed, "las",
        (struct fake_files){.journal = f.journal, .state = f.state, .most_jump_ms = 1000}, 1);
    ck_assert(!ok);
    harness_contains(bed->error, "ahead of this machine's clock");
    fake_close(bed);
    ck_assert_msg(opens(&f, f.journal, error, sizeof error), "%s", error);
    folder_remove(&f.folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("adapters/slurm/life");
    TCase *tcase = tcase_create("files");
    tcase_add_test(tcase, an_incomplete_state_is_refused);
    tcase_add_loop_test(tcase, another_programs_file_is_no_state, 0, 4);
    tcase_add_test(tcase, files_are_their_owners);
    tcase_add_test(tcase, the_journal_suffices);
    tcase_add_test(tcase, missing_values_are_named);
    tcase_add_test(tcase, a_changed_journal_is_refused);
    tcase_add_test(tcase, the_log_next_to_a_state_restarts);
    tcase_add_test(tcase, long_sections_are_closed);
    tcase_add_test(tcase, a_state_that_cannot_be_saved_is_no_loss);
    tcase_add_test(tcase, a_clock_that_jumps_is_not_believed);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
