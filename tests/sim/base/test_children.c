/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Child processes: answers, ends of every kind, limits, stopping, and that they leave nothing
 * behind. */
#include "sim/base/children.h"
#include "sim/base/mem.h"
#include "tests/lib/harness.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST 64

/* Scripts for sh, one per child, and their results. */
struct script {
    const char *const *lines;
    const char *program;
    bool seen[MOST];
    enum child_end ends[MOST];
    int codes[MOST];
    char *answers[MOST], *said[MOST];
    size_t done, fail_at,
        stop_at; /* fail_at: done() fails there; stop_at: stop after this many results */
    struct children work;
};

static void describe(void *self, size_t number, struct child_command *command)
{
    const struct script *s = self;
    const char *const words[] = {"sh", "-c", s->lines[number]};
    command->program = s->program;
    command->words = mem_alloc(4, sizeof *command->words);
    for (size_t i = 0; i < 3; i++)
        command->words[i] = mem_text(words[i]);
    if (strstr(s->lines[number], "$ONLY") != NULL) {
        command->environment = mem_alloc(2, sizeof *command->environment);
        command->environment[0] = mem_text("ONLY=this");
    }
}

static bool done(void *self, size_t number, const struct child_result *r, struct err *err)
{
    struct script *s = self;
    ck_assert(!s->seen[number]);
    s->seen[number] = true;
    s->ends[number] = r->end;
    s->codes[number] = r->code;
    s->answers[number] = mem_text_n(r->answer, r->answer_n);
    s->said[number] = mem_text(r->said);
    s->done++;
    if (s->lines[number][0] == ':') /* one that makes the later ones unnecessary */
        s->work.count = number + 1;
    return s->fail_at == 0 || s->done < s->fail_at || err_set(err, EXIT_INPUT, "enough");
}

static bool stop(void *self)
{
    const struct script *s = self;
    return s->stop_at > 0 && s->done >= s->stop_at;
}

static bool run_all(struct script *s, const char *const *lines, size_t count, int most,
                    const struct child_limits *limits, struct err *err)
{
    s->lines = lines;
    if (s->program == NULL)
        s->program = "/bin/sh";
    s->work = (struct children){.count = count,
                                .most = most,
                                .limits = *limits,
                                .describe = describe,
                                .done = done,
                                .stop = stop,
                                .self = s};
    bool ok = children_run(&s->work, err);
    ck_assert(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    return ok;
}

static void forget(struct script *s)
{
    for (size_t i = 0; i < MOST; i++) {
        free(s->answers[i]);
        free(s->said[i]);
    }
}

static const struct child_limits none = {0};

/*
 * This program again, if a test starts it as a child: the parent of a vfork() is in uninterruptible
 * sleep (state D), as if it waited for the disk, until its child exits.
 */
#define DISK_VARIABLE "TEST_CHILDREN_DISK"
pid_t vfork(void); /* not in POSIX.1-2008 */

__attribute__((constructor)) static void wait_as_for_the_disk(void)
{
    if (getenv(DISK_VARIABLE) == NULL)
        return;
    if (vfork() == 0)
        (void)nanosleep(&(struct timespec){.tv_sec = 2}, NULL);
    _exit(0);
}

START_TEST(answers)
{
    static const char *const lines[] = {"echo one; echo two >&2",
                                        "exit 7",
                                        "kill -TERM $$",
                                        "printf '%s' \"$ONLY\"",
                                        "cat",
                                        "head -c 300000 /dev/zero | tr '\\0' x",
                                        "yes word | head -n 20000 >&2; echo last >&2"};
    struct script s = {0};
    struct err err = {0};
    ck_assert(run_all(&s, lines, 7, _i + 1, &none, &err));
    ck_assert_uint_eq(s.done, 7);
    ck_assert_str_eq(s.answers[0], "one\n");
    ck_assert_str_eq(s.said[0], "two\n");
    ck_assert(s.ends[1] == CHILD_EXITED && s.codes[1] == 7);
    ck_assert(s.ends[2] == CHILD_SIGNALED && s.codes[2] == SIGTERM);
    ck_assert_str_eq(s.answers[3], "this");
    ck_assert_str_eq(s.answers[4], ""); /* there is nothing to read */
    ck_assert_uint_eq(strlen(s.answers[5]), 300000);
    ck_assert(strlen(s.said[6]) <= 4096 && strlen(s.said[6]) > 2048);
    ck_assert_str_eq(s.said[6] + strlen(s.said[6]) - 10, "word\nlast\n");
    forget(&s);
}
END_TEST

START_TEST(time_limits)
{
    static const char *const lines[] = {"while :; do :; done", "sleep 1000", "echo fine"};
    static const struct child_limits most = {.cpu_ms = 300, .blocked_ms = 600};
    struct script s = {0};
    struct err err = {0};
    ck_assert(run_all(&s, lines, 3, 3, &most, &err));
    ck_assert_int_eq(s.ends[0], CHILD_OVER_TIME);
    ck_assert_int_eq(s.ends[1], CHILD_WAS_BLOCKED);
    ck_assert_int_eq(s.ends[2], CHILD_EXITED);
    forget(&s);
}
END_TEST

START_TEST(waits_for_the_disk)
{
    static const char *const lines[] = {"as for the disk"};
    static const struct child_limits most = {.cpu_ms = 60000, .blocked_ms = 600};
    char self[PATH_MAX] = ""; /* by name: under valgrind the link itself leads to valgrind */
    ck_assert_int_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    struct script s = {.program = self};
    struct err err = {0};
    ck_assert_int_eq(setenv(DISK_VARIABLE, "yes", 1), 0);
    ck_assert(run_all(&s, lines, 1, 1, &most, &err));
    ck_assert_int_eq(unsetenv(DISK_VARIABLE), 0);
    ck_assert_int_eq(s.ends[0], CHILD_EXITED);
    ck_assert_int_eq(s.codes[0], 0);
    forget(&s);
}
END_TEST

/* A child that allocates until it reaches the limit; dd holds its block. */
START_TEST(memory)
{
    static const char *const lines[] = {
        "exec dd if=/dev/zero of=/dev/null bs=400M count=1000 2>/dev/null"};
    static const struct child_limits most = {.cpu_ms = 60000, .memory_mib = 100};
    struct script s = {0};
    struct err err = {0};
    ck_assert(run_all(&s, lines, 1, 1, &most, &err));
    ck_assert_int_eq(s.ends[0], CHILD_OVER_MEMORY);
    forget(&s);
}
END_TEST

/* Children above the new count are ended and not reported. */
START_TEST(fewer)
{
    static const char *const lines[] = {"sleep 0.3; echo a", ": ; exit 1", "sleep 1000",
                                        "sleep 1000", "echo never"};
    struct script s = {0};
    struct err err = {0};
    ck_assert(run_all(&s, lines, 5, 4, &none, &err));
    ck_assert(s.seen[0] && s.seen[1] && !s.seen[2] && !s.seen[3] && !s.seen[4]);
    ck_assert_str_eq(s.answers[0], "a\n");
    forget(&s);
}
END_TEST

/* Everything that a child has started ends with it. */
START_TEST(stopping)
{
    static const char *const lines[] = {"echo first", "sleep 1000 & sleep 1000", "sleep 1000"};
    struct script s = {.stop_at = 1};
    struct err err = {0};
    ck_assert(run_all(&s, lines, 3, 3, &none, &err));
    ck_assert_uint_eq(s.done, 1);
    forget(&s);
}
END_TEST

static const char *const lines_of_failures[] = {"echo a", "echo b", "sleep 1000"};

START_TEST(an_answer_that_is_refused)
{
    struct script failing = {.fail_at = 1};
    struct err err = {0};
    ck_assert(!run_all(&failing, lines_of_failures, 3, 2, &none, &err));
    ck_assert_str_eq(err.msg, "enough");
    forget(&failing);
}
END_TEST

/* Valgrind turns posix_spawn() into a fork, so the parent does not learn that the program does not
 * exist. */
START_TEST(a_program_that_is_absent)
{
    struct script absent = {.program = "/nowhere/at/all"};
    struct err err = {0};
    if (getenv("FAUXFLEET_VALGRIND") != NULL)
        return;
    ck_assert(!run_all(&absent, lines_of_failures, 3, 2, &none, &err));
    ck_assert_int_eq(err.code, EXIT_INTERNAL);
    ck_assert_msg(strstr(err.msg, "/nowhere/at/all") != NULL, "%s", err.msg);
    forget(&absent);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("children");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, answers, 0, 3);
    tcase_add_test(tcase, time_limits);
    tcase_add_test(tcase, waits_for_the_disk);
    tcase_add_test(tcase, memory);
    tcase_add_test(tcase, fewer);
    tcase_add_test(tcase, stopping);
    tcase_add_test(tcase, an_answer_that_is_refused);
    tcase_add_test(tcase, a_program_that_is_absent);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
