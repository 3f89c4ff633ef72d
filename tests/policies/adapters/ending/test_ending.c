/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes in every state of ending.h, and the effect of signals on them. Each is a child that
 * reports when it is ready. */
#include "policies/adapters/ending/ending.h"

#include "tests/lib/harness.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STOPPED = 7, KEPT = 8, TICKS = 20 /* longer than the grace */ };

static int said = -1; /* of a child: the pipe for its readiness and its last word */

static void ready(void)
{
    (void)!write(said, "", 1);
}

/* Signals are sent from here on. */
static void wait_for_ever(void)
{
    ready();
    for (;;)
        (void)pause();
}

static void at_once(void)
{
    wait_for_ever();
}

static void in_order_deaf(void)
{
    ending_in_order();
    wait_for_ever();
}

static void in_order(void)
{
    ending_in_order();
    ready();
    while (ending_signal() == 0)
        (void)pause();
    _exit(STOPPED);
}

/* Each pause() is ended by a signal, which are ticks after the first. */
static void keeping(void)
{
    ending_in_order();
    ending_keep();
    ending_keep();
    ending_kept();
    ready();
    while (ending_signal() == 0)
        (void)pause();
    for (int tick = 0; tick < TICKS; tick++)
        (void)pause();
    ending_kept();
    _exit(KEPT);
}

static void kept_deaf(void)
{
    ending_in_order();
    ending_keep();
    ending_kept();
    wait_for_ever();
}

static void keeping_deaf(void)
{
    ending_in_order();
    ending_keep();
    wait_for_ever();
}

static void noted_then_released(void)
{
    ending_in_order();
    ready();
    while (ending_signal() == 0)
        (void)pause();
    ending_at_once();
    _exit(STOPPED);
}

/* The first one is over before the same comes again, as timeout(1) sends it. */
static void in_order_twice(void)
{
    ending_in_order();
    (void)raise(SIGTERM);
    (void)raise(SIGTERM);
    ready();
    _exit(ending_signal() == SIGTERM ? STOPPED : 1);
}

static void twice_in_time(void)
{
    const struct timespec later = {0, 200000000};
    ending_in_order();
    ending_keep();
    ready();
    (void)raise(SIGTERM);
    for (struct timespec rest = later; nanosleep(&rest, &rest) != 0;)
        ;
    (void)raise(SIGTERM);
    wait_for_ever();
}

/* Of two pending signals the one with the smaller number comes first. */
static const struct {
    const char *what;
    void (*child)(void);
    int signals[2], code;
} rows[] = {
    {"SIGINT at once", at_once, {SIGINT}, 128 + SIGINT},
    {"SIGTERM at once", at_once, {SIGTERM}, 128 + SIGTERM},
    {"SIGHUP at once", at_once, {SIGHUP}, 128 + SIGHUP},
    {"a polling program ends by itself", in_order, {SIGINT}, STOPPED},
    {"a program that does not poll is ended", in_order_deaf, {SIGTERM}, 128 + SIGTERM},
    {"the second at once", in_order_deaf, {SIGINT, SIGTERM}, 128 + SIGTERM},
    {"an echo is not the second", in_order_twice, {0}, STOPPED},
    {"the same again later is", twice_in_time, {0}, 128 + SIGTERM},
    {"keeping takes its time", keeping, {SIGINT}, KEPT},
    {"and ends", kept_deaf, {SIGHUP}, 128 + SIGHUP},
    {"but for a second signal", keeping_deaf, {SIGINT, SIGTERM}, 128 + SIGTERM},
    {"one that was noted", noted_then_released, {SIGINT}, 128 + SIGINT},
};

static int end_of(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        ck_assert_int_eq(errno, EINTR);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void last_word(int signal, int removed)
{
    const unsigned char word[] = {(unsigned char)signal, (unsigned char)removed};
    (void)!write(said, word, sizeof word);
}

/* A child that is ready; `word` is what to read its last word from. */
static pid_t start(void (*body)(void), int *word)
{
    int ends[2];
    char ready;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        said = ends[1];
        ending_begin(last_word);
        body();
    }
    (void)close(ends[1]);
    ck_assert_int_eq(read(ends[0], &ready, 1), 1);
    *word = ends[0];
    return child;
}

START_TEST(a_signal_ends_a_process)
{
    const char *what = rows[_i].what;
    int word;
    unsigned char text[2] = {0, 0};
    pid_t child = start(rows[_i].child, &word);
    for (int k = 0; k < 2 && rows[_i].signals[k] != 0; k++)
        (void)kill(child, rows[_i].signals[k]);
    int code = end_of(child);
    bool last = read(word, text, sizeof text) == 2;
    ck_assert_msg(code == rows[_i].code, "%s: %d, expected %d", what, code, rows[_i].code);
    ck_assert_msg(last == (code > 128), "%s: a last word: %d", what, last);
    ck_assert_msg(!last || text[0] == code - 128, "%s: the last word is about %d", what, text[0]);
    (void)close(word);
}
END_TEST

/* ---- files ---- */

static char path[64];

static void with_files(void)
{
    int done = ending_file("not-there-any-more");
    ending_file_done(done);
    int noted = ending_file(path);
    pid_t fresh = noted != 0 ? fork() : -1;
    if (fresh == 0) /* does nothing: the file is its parent's */
        (void)raise(SIGTERM);
    if (fresh < 0 || end_of(fresh) != 128 + SIGTERM || access(path, F_OK) != 0)
        _exit(1);
    wait_for_ever();
}

START_TEST(unfinished_files_go)
{
    int word;
    unsigned char text[2];
    (void)snprintf(path, sizeof path, "/tmp/test_ending-%ld", (long)getpid());
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    (void)fclose(file);
    pid_t child = start(with_files, &word);
    (void)kill(child, SIGINT);
    ck_assert_int_eq(end_of(child), 128 + SIGINT);
    ck_assert_int_eq(read(word, text, sizeof text), 2);
    ck_assert_int_eq(text[1], 1);
    ck_assert_int_ne(access(path, F_OK), 0);
    (void)close(word);
}
END_TEST

START_TEST(room_for_files_ends)
{
    static char longest[5000];
    int last = 0, count = 0;
    memset(longest, 'x', sizeof longest - 1);
    ck_assert_int_eq(ending_file(longest), 0);
    ending_file_done(0);
    for (int number; (number = ending_file("some")) != 0; count++)
        last = number;
    ck_assert_int_ge(count, 100);
    ending_file_done(last);
    ck_assert_int_eq(ending_file("one more"), last);
    ck_assert_int_eq(ending_file("and one more"), 0);
}
END_TEST

/* ---- nohup ---- */

START_TEST(nohup_is_kept)
{
    int word;
    (void)signal(SIGHUP, SIG_IGN);
    (void)signal(SIGINT, SIG_IGN); /* as in a shell's background jobs: not preserved */
    pid_t child = start(at_once, &word);
    (void)kill(child, SIGHUP); /* the smaller number: it would come first */
    (void)kill(child, SIGINT);
    ck_assert_int_eq(end_of(child), 128 + SIGINT);
    (void)close(word);
}
END_TEST

/* ---- lines ---- */

START_TEST(lines_hold_what_was_put)
{
    struct ending_line line = {0};
    ending_put(&line, "a\x1b[31m\n");
    ending_put_number(&line, LLONG_MIN);
    ending_put(&line, " ");
    ending_put_number(&line, 0);
    ending_put(&line, " ");
    ending_put_signal(&line, SIGSEGV);
    ending_put(&line, " ");
    ending_put_signal(&line, 64);
    line.text[line.length] = '\0';
    ck_assert_str_eq(line.text, "a?[31m?-9223372036854775808 0 SIGSEGV signal 64");
    for (int i = 0; i < 2000; i++)
        ending_put(&line, "x");
    ck_assert_uint_eq(line.length, sizeof line.text - 1);
}
END_TEST

int main(void)
{
    (void)signal(SIGHUP, SIG_DFL); /* nohup, for example, leaves it ignored */
    Suite *suite = suite_create("ending");
    TCase *tcase = tcase_create("signals");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, a_signal_ends_a_process, 0, ROWS(rows));
    tcase_add_test(tcase, unfinished_files_go);
    tcase_add_test(tcase, room_for_files_ends);
    tcase_add_test(tcase, nohup_is_kept);
    tcase_add_test(tcase, lines_hold_what_was_put);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
