/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parsing command lines that this test defines. The sources of the command line are in no library
 * (they belong to the program alone), so the tested ones are included.
 */
#include "sim/cli/options.c"
#include "sim/program/cli.c"
#include "sim/program/parse.c"

#include "tests/lib/harness.h"

static const struct option_use run_options[] = {
    {.id = OPT_OUTPUT}, {.id = OPT_CHECK}, {.id = OPT_COUNT}};
static const struct option_use show_options[] = {{.id = OPT_JSON}, {.id = OPT_COUNT}};
static const struct option_use tell_options[] = {{.id = OPT_AT}, {.id = OPT_COUNT}};

static const struct command show_commands[] = {
    {.name = "one",
     .operands = "FILE",
     .operands_min = 1,
     .operands_max = 1,
     .options = tell_options},
    {.name = "two", .operands = ""},
    {.name = NULL},
};

const struct command commands[] = {
    {.name = "run",
     .operands = "FILE [FILE]",
     .operands_min = 1,
     .operands_max = 2,
     .options = run_options,
     .simulates = true},
    {.name = "show",
     .operands = "",
     .options = show_options,
     .subcommands = show_commands,
     .subcommand_word = "thing"},
    {.name = NULL},
};

#define MAX_ARGUMENTS 16

/* The words of a line as argv; '_' stands for an empty argument. */
struct words {
    char text[256];
    char *argv[MAX_ARGUMENTS + 1];
    int argc;
};

static void split(struct words *words, const char *line)
{
    int n = snprintf(words->text, sizeof words->text, "fauxfleet %s", line);
    ck_assert(n > 0 && (size_t)n < sizeof words->text);
    words->argc = 0;
    for (char *p = words->text; *p && words->argc < MAX_ARGUMENTS;) {
        words->argv[words->argc++] = p;
        p += strcspn(p, " ");
        if (*p)
            *p++ = '\0';
    }
    for (int i = 0; i < words->argc; i++) {
        if (strcmp(words->argv[i], "_") == 0)
            words->argv[i][0] = '\0';
    }
    words->argv[words->argc] = NULL;
}

/* "fauxfleet run (a b) output=x set=1 set=2": everything that was parsed, options in the order of
 * their ids. */
static void describe(const struct cli *cli, struct out *out)
{
    char name[64];
    out_text(out, cli_name(cli, name, sizeof name));
    out_text(out, " (");
    for (size_t i = 0; i < cli->operand_count; i++)
        out_format(out, "%s%s", i ? " " : "", cli->operands[i]);
    out_text(out, ")");
    for (size_t id = 0; id < OPT_COUNT; id++) {
        size_t count;
        const char *const *texts = cli_all(cli, (enum option_id)id, &count);
        for (size_t i = 0; i < count; i++)
            out_format(out, " %s%s%s", option_rows[id].name, texts[i][0] ? "=" : "", texts[i]);
    }
}

static const struct {
    const char *line, *expected;
} understood[] = {
    {"", "fauxfleet ()"},
    {"--help", "fauxfleet () help"},
    {"--version run --bogus", "fauxfleet () version"},
    {"--ver", "fauxfleet () version"},
    {"run a", "fauxfleet run (a)"},
    {"run a b", "fauxfleet run (a b)"},
    {"run -o x a", "fauxfleet run (a) output=x"},
    {"run a -ox", "fauxfleet run (a) output=x"},
    {"run a --output x b", "fauxfleet run (a b) output=x"},
    {"run a --out=x=y", "fauxfleet run (a) output=x=y"},
    {"run -qo x -j4 a", "fauxfleet run (a) jobs=4 quiet output=x"},
    {"run -- --check -q", "fauxfleet run (--check -q)"},
    {"run -o -- -", "fauxfleet run (-) output=--"},
    {"run a --set k=1 --set k=2 --set l=", "fauxfleet run (a) set=k=1 set=k=2 set=l="},
    {"run a --policy x --policy y", "fauxfleet run (a) policy=x policy=y"},
    {"run a --bogus=1 --help", NULL},
    {"run --help --bogus=1", "fauxfleet run () help"},
    {"run a --seed 18446744073709551615", "fauxfleet run (a) seed=18446744073709551615"},
    {"show", "fauxfleet show ()"},
    {"show --json", "fauxfleet show () json"},
    {"show one f", "fauxfleet show one (f)"},
    {"show --json one --at 3 f", "fauxfleet show one (f) json at=3"},
    {"show one f --json --at 3", "fauxfleet show one (f) json at=3"},
    {"show two --json", "fauxfleet show two () json"},
    {"show one -h x", "fauxfleet show one () help"},
    {"-- run a", "fauxfleet run (a)"},
};

START_TEST(lines_are_understood)
{
    struct words words;
    struct err err = {0};
    struct cli cli = {0};
    split(&words, understood[_i].line);
    bool ok = cli_parse(&cli, words.argc, words.argv, &err);
    if (!understood[_i].expected) {
        ck_assert(!ok);
    } else {
        ck_assert_msg(ok, "%s", err.msg);
        struct out *out = out_memory();
        describe(&cli, out);
        ck_assert_str_eq(out_memory_text(out, NULL), understood[_i].expected);
        out_discard(out);
    }
    cli_fini(&cli);
}
END_TEST

static const struct {
    const char *line, *message;
} refused[] = {
    {"rum a", "unknown command 'rum', did you mean 'run'?"},
    {"zzzzzz", "unknown command 'zzzzzz'"},
    {"show tow", "unknown thing 'tow', did you mean 'two'?"},
    {"--chek", "unknown option '--chek'"},
    {"--check run", "option '--check' has to stand behind the command"},
    {"show --at 3 one", "option '--at' has to stand behind the thing"},
    {"show two --at 3", "unknown option '--at'"},
    {"run --chekc", "unknown option '--chekc', did you mean '--check'?"},
    {"run --se 1", "option '--se' is ambiguous: --set, --seed"},
    {"run --check=1", "option '--check' takes no argument"},
    {"run -z", "unknown option '-z'"},
    {"run -qz", "unknown option '-z'"},
    {"run -o", "option '--output' needs an argument"},
    {"run a --output", "option '--output' needs an argument"},
    {"run a --output _", "option '--output' needs an argument that is not empty"},
    {"run --seed 18446744073709551616",
     "option '--seed': '18446744073709551616' is not a whole number from 0 to "
     "18446744073709551615"},
    {"run --seed _", "option '--seed': '' is not a whole number from 0 to 18446744073709551615"},
    {"run --seed +1", "option '--seed': '+1' is not a whole number from 0 to 18446744073709551615"},
    {"run --seed 1e3",
     "option '--seed': '1e3' is not a whole number from 0 to 18446744073709551615"},
    {"run --replicas 0", "option '--replicas': '0' is not a whole number from 1 to 100000"},
    {"run --replicas 100001",
     "option '--replicas': '100001' is not a whole number from 1 to 100000"},
};

START_TEST(lines_are_refused)
{
    struct words words;
    struct err err = {0};
    struct cli cli = {0};
    split(&words, refused[_i].line);
    ck_assert(!cli_parse(&cli, words.argc, words.argv, &err));
    ck_assert_str_eq(err.msg, refused[_i].message);
    ck_assert_int_eq(err.code, EXIT_INPUT);
    cli_fini(&cli);
}
END_TEST

static const struct {
    const char *line, *message; /* NULL: as many operands as required */
} operands[] = {
    {"run", "operand missing, expected: fauxfleet run FILE [FILE]"},
    {"run a", NULL},
    {"run a b", NULL},
    {"run a b c", "unexpected operand 'c', expected: fauxfleet run FILE [FILE]"},
    {"show one", "operand missing, expected: fauxfleet show one FILE"},
    {"show two", NULL},
    {"show two x", "unexpected operand 'x', expected: fauxfleet show two"},
};

START_TEST(operands_are_counted)
{
    struct words words;
    struct err err = {0};
    struct cli cli = {0};
    split(&words, operands[_i].line);
    ck_assert(cli_parse(&cli, words.argc, words.argv, &err));
    bool ok = cli_check_operands(&cli, &err);
    ck_assert_int_eq(ok, operands[_i].message == NULL);
    if (!ok)
        ck_assert_str_eq(err.msg, operands[_i].message);
    cli_fini(&cli);
}
END_TEST

START_TEST(values_are_the_last_ones)
{
    struct words words;
    struct err err = {0};
    struct cli cli = {0};
    split(&words, "run a --seed 5 --policy x --seed 7 --policy y -q");
    ck_assert(cli_parse(&cli, words.argc, words.argv, &err));
    ck_assert_str_eq(cli_option(&cli, OPT_POLICY), "y");
    ck_assert_str_eq(cli_option(&cli, OPT_QUIET), "");
    ck_assert_ptr_null(cli_option(&cli, OPT_TRACE));
    ck_assert_uint_eq(cli_number(&cli, OPT_SEED, 1), 7);
    ck_assert_uint_eq(cli_number(&cli, OPT_REPLICAS, 3), 3);
    ck_assert(cli_given(&cli, OPT_QUIET) && !cli_given(&cli, OPT_AUDIT));
    cli_fini(&cli);
}
END_TEST

/* The tables rely on it: row i has id i, names and letters are unique, flags have no argument. */
START_TEST(option_rows_are_in_order)
{
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const struct option_row *row = &option_rows[i];
        ck_assert_uint_eq(row->id, i);
        ck_assert_ptr_nonnull(row->name);
        ck_assert_ptr_nonnull(row->help);
        ck_assert_int_eq(row->kind == OPTION_FLAG, row->argument == NULL);
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(row->name, option_rows[j].name);
            ck_assert(!row->letter || row->letter != option_rows[j].letter);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("parse");
    TCase *tcase = tcase_create("lines");
    tcase_add_loop_test(tcase, lines_are_understood, 0, ROWS(understood));
    tcase_add_loop_test(tcase, lines_are_refused, 0, ROWS(refused));
    tcase_add_loop_test(tcase, operands_are_counted, 0, ROWS(operands));
    tcase_add_test(tcase, values_are_the_last_ones);
    tcase_add_test(tcase, option_rows_are_in_order);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
