/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gnuplot as a child: missing, failing, with too much or no output, and the real one. */
#include "report/figures/figures.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    const char *program; /* a stand-in called "gnuplot"; NULL: none */
    const char *why;     /* NULL: it works */
} stand_ins[] = {
    {NULL, "not installed"},
    {"#!/bin/sh\nexit 3\n", "gnuplot failed; run 'gnuplot t.gp' in figures/"},
    {"#!/bin/sh\nkill -9 $$\n", "gnuplot failed"},
    {"#!/bin/sh\necho warning >&2\n", "gnuplot made no SVG"},
    {"#!/bin/sh\necho 'cannot open t.dat' >&2\necho '<svg></svg>'\n",
     "gnuplot failed: cannot open t.dat"},
    {"#!/bin/sh\necho \"<svg>$$</svg>\"\n", "drew it twice with different results"},
    {"#!/bin/sh\nwhile :; do echo '<svg></svg> and much more, without an end'; done\n",
     "gnuplot failed"},
    // It runs in the folder of the script, without the caller's locale, and without start-up files.
    {"#!/bin/sh\ntest -f t.gp && test \"$1 $2\" = '-d t.gp' && test \"$LC_ALL\" = C && test -z "
     "\"$GNUPLOT_LIB\" && "
     "echo '<svg></svg>'\n",
     NULL},
};

START_TEST(the_child_is_under_control)
{
    struct folder folder;
    char *path = strdup(getenv("PATH")), *search = malloc(FOLDER_PATH + strlen(path) + 2), *why;
    bool missing;
    folder_make(&folder);
    folder_put(&folder, "t.gp", "");
    if (stand_ins[_i].program) {
        folder_put(&folder, "gnuplot", stand_ins[_i].program);
        ck_assert_int_eq(chmod(folder_path(&folder, "gnuplot"), 0755), 0);
    }
    (void)snprintf(search, FOLDER_PATH + strlen(path) + 2, "%s%s%s", folder.path,
                   stand_ins[_i].program ? ":" : "", stand_ins[_i].program ? path : "");
    ck_assert_int_eq(setenv("GNUPLOT_LIB", "/tmp", 1), 0);
    ck_assert_int_eq(setenv("PATH", search, 1), 0);
    char *svg = figure_run_gnuplot(folder.path, "t.gp", &why, &missing);
    ck_assert_int_eq(setenv("PATH", path, 1), 0);
    ck_assert_int_eq(unsetenv("GNUPLOT_LIB"), 0);
    if (stand_ins[_i].why) {
        ck_assert_ptr_null(svg);
        ck_assert_ptr_nonnull(why);
        harness_contains(why, stand_ins[_i].why);
        ck_assert_int_eq(missing, stand_ins[_i].program == NULL);
    } else {
        ck_assert_msg(svg != NULL, "%s", why ? why : "no reason");
        ck_assert_str_eq(svg, "<svg></svg>\n");
    }
    free(svg);
    free(why);
    free(search);
    free(path);
    folder_remove(&folder);
}
END_TEST

START_TEST(the_real_one_draws_the_same_twice)
{
    struct folder folder;
    char *why = NULL;
    bool missing;
    folder_make(&folder);
    folder_put(&folder, "t.dat", "1 2\n2 3\n");
    folder_put(&folder, "t.gp", "set terminal svg\nplot 't.dat' with lines\n");
    folder_put(&folder, "bad.gp", "set terminal svg\nplot 'absent.dat'\n");
    char *first = figure_run_gnuplot(folder.path, "t.gp", &why, &missing);
    if (why && strstr(why, "not installed")) {
        (void)printf("skipped: gnuplot is not installed\n");
    } else {
        ck_assert_msg(first != NULL, "%s", why);
        char *second = figure_run_gnuplot(folder.path, "t.gp", &why, &missing);
        ck_assert_str_eq(first, second);
        free(second);
        ck_assert_ptr_null(figure_run_gnuplot(folder.path, "bad.gp", &why, &missing));
        ck_assert_ptr_nonnull(why);
    }
    free(first);
    free(why);
    folder_remove(&folder);
}
END_TEST

/* The second would begin with the last colour of the first. */
static const char *const two_scripts[] = {
    "set terminal svg\nset border linecolor rgb '#888888'\n"
    "plot 't.dat' with lines linecolor rgb 'red'\n",
    "set terminal svg size 300,200\nset grid\nset xrange [0:9]\n"
    "plot 't.dat' with points title '<?xml'\n"};

START_TEST(all_at_once_are_as_each_alone)
{
    static const char *const scripts[] = {"first.gp", "second.gp", "first.gp"};
    struct folder folder;
    char *pictures[ROWS(scripts)];
    folder_make(&folder);
    folder_put(&folder, "t.dat", "1 2\n2 3\n");
    folder_put(&folder, "first.gp", two_scripts[0]);
    folder_put(&folder, "second.gp", two_scripts[1]);
    bool drawn = figures_run_gnuplot(folder.path, scripts, ROWS(scripts), pictures);
    for (size_t i = 0; i < ROWS(scripts); i++) {
        char *why;
        bool missing;
        char *alone = figure_run_gnuplot(folder.path, scripts[i], &why, &missing);
        ck_assert_int_eq(drawn, !missing);
        if (missing) {
            free(why);
            continue;
        }
        ck_assert_msg(alone != NULL, "%s", why);
        ck_assert_str_eq(pictures[i], alone);
        free(alone);
        free(pictures[i]);
    }
    folder_remove(&folder);
}
END_TEST

/* What stands in for gnuplot prints for two scripts, of which neither is a picture taken. */
static const char *const unusual[] = {
    "#!/bin/sh\nexit 3\n",
    "#!/bin/sh\necho '<?xml?><svg></svg>'\n",
    "#!/bin/sh\necho '<?xml?><svg></svg><?xml?><svg></svg><?xml?><svg></svg>'\n",
    "#!/bin/sh\necho '<?xml?><svg></svg><?xml?><svg>'\n",
    "#!/bin/sh\necho 'a.dat: cannot open' >&2; echo '<?xml?><svg></svg><?xml?><svg></svg>'\n",
    "#!/bin/sh\necho \"<?xml?><svg>$$</svg><?xml?><svg></svg>\"\n",
    "#!/bin/sh\necho '<svg></svg><?xml?><svg></svg>'\n",
};

START_TEST(all_at_once_are_refused_together)
{
    static const char *const scripts[] = {"a.gp", "b.gp"};
    struct folder folder;
    char *path = strdup(getenv("PATH")), *search = malloc(FOLDER_PATH + strlen(path) + 2);
    char *pictures[ROWS(scripts)];
    folder_make(&folder);
    folder_put(&folder, "gnuplot", unusual[_i]);
    ck_assert_int_eq(chmod(folder_path(&folder, "gnuplot"), 0755), 0);
    (void)snprintf(search, FOLDER_PATH + strlen(path) + 2, "%s:%s", folder.path, path);
    ck_assert_int_eq(setenv("PATH", search, 1), 0);
    bool drawn = figures_run_gnuplot(folder.path, scripts, ROWS(scripts), pictures);
    ck_assert_int_eq(setenv("PATH", path, 1), 0);
    ck_assert(!drawn);
    free(search);
    free(path);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("figures_gnuplot");
    TCase *tcase = tcase_create("child");
    tcase_add_loop_test(tcase, the_child_is_under_control, 0, ROWS(stand_ins));
    tcase_add_test(tcase, the_real_one_draws_the_same_twice);
    tcase_add_test(tcase, all_at_once_are_as_each_alone);
    tcase_add_loop_test(tcase, all_at_once_are_refused_together, 0, ROWS(unusual));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
