/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From argv to struct cli, with getopt_long. Its messages are switched off, since ours name the
 * nearest valid name. Each level (program, group, command) is one pass of getopt_long over what the
 * previous level left; all but the last stop at the first operand, which names the next level.
 */
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/program/command.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returned by getopt_long for an option of the set: this much above its id, so that it is no
 * character. */
#define ID_BASE 256

struct syntax {
    const struct option_use *set[OPT_COUNT];
    size_t count;
    struct option longs[OPT_COUNT + 1];
    char shorts[2 + 2 * OPT_COUNT + 1];
    const char *next_word; /* word for the first operand if it names the next level: "command"; else
                              NULL */
};

static void add_uses(const struct option_use *set[OPT_COUNT], size_t *count,
                     const struct option_use *uses)
{
    for (; uses && uses->id != OPT_COUNT; uses++) {
        size_t i = 0;
        while (i < *count && set[i]->id != uses->id)
            i++;
        if (i == *count)
            set[(*count)++] = uses;
    }
}

size_t cli_option_set(const struct command *group, const struct command *command,
                      const struct option_use *set[OPT_COUNT])
{
    size_t count = 0;
    if (!command) {
        add_uses(set, &count, option_uses_program);
        return count;
    }
    add_uses(set, &count, command->options);
    if (group)
        add_uses(set, &count, group->options);
    if (command->simulates)
        add_uses(set, &count, option_uses_simulate);
    add_uses(set, &count, option_uses_general);
    return count;
}

/* In getopt's string '+' stops at the first operand, ':' tells a missing argument from an unknown
 * option. */
static void syntax_init(struct syntax *syntax, const struct command *group,
                        const struct command *command, const char *next_word)
{
    *syntax = (struct syntax){.next_word = next_word};
    syntax->count = cli_option_set(group, command, syntax->set);
    char *shorts = syntax->shorts;
    if (next_word)
        *shorts++ = '+';
    *shorts++ = ':';
    for (size_t i = 0; i < syntax->count; i++) {
        const struct option_row *row = &option_rows[syntax->set[i]->id];
        bool takes_argument = row->kind != OPTION_FLAG;
        syntax->longs[i] =
            (struct option){.name = row->name,
                            .has_arg = takes_argument ? required_argument : no_argument,
                            .val = ID_BASE + (int)row->id};
        if (row->letter)
            *shorts++ = row->letter;
        if (row->letter && takes_argument)
            *shorts++ = ':';
    }
}

static enum option_id id_of(const struct syntax *syntax, int got)
{
    if (got >= ID_BASE)
        return (enum option_id)(got - ID_BASE);
    for (size_t i = 0; i < syntax->count; i++) {
        if (option_rows[syntax->set[i]->id].letter == (char)got)
            return syntax->set[i]->id;
    }
    return OPT_COUNT;
}

/* "--seed" */
static const char *show(char buffer[32], const struct option_row *row)
{
    (void)snprintf(buffer, 32, "--%s", row->name);
    return buffer;
}

/* All long names that begin with `name`, "--set, --seed"; returns how many. */
static size_t list_matches(const struct syntax *syntax, const char *name, char *buffer, size_t size)
{
    size_t matches = 0, used = 0;
    for (size_t i = 0; i < syntax->count && used < size; i++) {
        const char *candidate = option_rows[syntax->set[i]->id].name;
        if (strncmp(candidate, name, strlen(name)) != 0)
            continue;
        int n = snprintf(buffer + used, size - used, "%s--%s", matches++ ? ", " : "", candidate);
        used += n > 0 ? (size_t)n : 0;
    }
    return matches;
}

static bool refuse_long(const struct syntax *syntax, const char *name, struct err *err)
{
    char candidates[256];
    const char *names[OPT_COUNT];
    for (size_t i = 0; i < syntax->count; i++)
        names[i] = option_rows[syntax->set[i]->id].name;
    if (list_matches(syntax, name, candidates, sizeof candidates) > 1)
        return err_set(err, EXIT_INPUT, "option '--%s' is ambiguous: %s", name, candidates);
    for (size_t i = 0; syntax->next_word && i < OPT_COUNT; i++) {
        if (strcmp(option_rows[i].name, name) == 0)
            return err_set(err, EXIT_INPUT, "option '--%s' has to stand behind the %s", name,
                           syntax->next_word);
    }
    const char *nearest = text_nearest(name, names, syntax->count, sizeof *names);
    if (nearest)
        return err_set(err, EXIT_INPUT, "unknown option '--%s', did you mean '--%s'?", name,
                       nearest);
    return err_set(err, EXIT_INPUT, "unknown option '--%s'", name);
}

/* getopt_long gives '?' for three things: unknown, ambiguous, and an argument for a flag. */
static bool refuse(const struct syntax *syntax, const char *given, int offender, struct err *err)
{
    char shown[32];
    if (offender >= ID_BASE)
        return err_set(err, EXIT_INPUT, "option '%s' takes no argument",
                       show(shown, &option_rows[offender - ID_BASE]));
    if (offender != 0)
        return err_set(err, EXIT_INPUT, "unknown option '-%c'", offender);
    char *name = mem_text_n(given + 2, strcspn(given + 2, "="));
    bool result = refuse_long(syntax, name, err);
    free(name);
    return result;
}

static bool parse_number(const char *text, const struct option_row *row, uint64_t *number,
                         struct err *err)
{
    uint64_t value = 0;
    bool fits = *text != '\0';
    for (const char *p = text; *p && fits; p++)
        fits = *p >= '0' && *p <= '9' && !__builtin_mul_overflow(value, 10, &value) &&
               !__builtin_add_overflow(value, (uint64_t)(*p - '0'), &value);
    char shown[32];
    if (!fits || value < row->low || value > row->high)
        return err_set(err, EXIT_INPUT,
                       "option '%s': '%s' is not a whole number from %" PRIu64 " to %" PRIu64,
                       show(shown, row), text, row->low, row->high);
    *number = value;
    return true;
}

static bool take(struct cli *cli, enum option_id id, const char *text, struct err *err)
{
    const struct option_row *row = &option_rows[id];
    struct cli_value *value = &cli->values[id];
    if (row->kind == OPTION_TEXT && *text == '\0') {
        char shown[32];
        return err_set(err, EXIT_INPUT, "option '%s' needs an argument that is not empty",
                       show(shown, row));
    }
    if (row->kind == OPTION_NUMBER && !parse_number(text, row, &value->number, err))
        return false;
    value->texts = mem_resize(value->texts, value->count + 1, sizeof *value->texts);
    value->texts[value->count++] = text ? text : "";
    return true;
}

static bool wants_words_only(const struct cli *cli)
{
    return cli_given(cli, OPT_HELP) || cli_given(cli, OPT_VERSION) || cli_given(cli, OPT_MAN) ||
           cli_given(cli, OPT_COMPLETION);
}

/* One pass; on success argv[*next] is the first operand. argv[0] is skipped, as getopt_long does.
 */
static bool parse_level(struct cli *cli, const struct syntax *syntax, int argc, char **argv,
                        int *next, struct err *err)
{
    opterr = 0;
    optind = 0; // glibc: reset, including the ordering of the previous pass
    int got;
    while (!wants_words_only(cli) &&
           (got = getopt_long(argc, argv, syntax->shorts, syntax->longs, NULL)) != -1) {
        if (got == '?')
            return refuse(syntax, argv[optind - 1], optopt, err);
        if (got == ':') {
            char shown[32];
            enum option_id id = id_of(syntax, optopt);
            BUG_ON(id == OPT_COUNT);
            return err_set(err, EXIT_INPUT, "option '%s' needs an argument",
                           show(shown, &option_rows[id]));
        }
        enum option_id id = id_of(syntax, got);
        BUG_ON(id == OPT_COUNT);
        if (!take(cli, id, optarg, err))
            return false;
    }
    *next = optind;
    return true;
}

static const struct command *find(const struct command *table, const char *name, const char *word,
                                  struct err *err)
{
    size_t count = 0;
    for (; table[count].name; count++) {
        if (strcmp(table[count].name, name) == 0)
            return &table[count];
    }
    char hint[80];
    err_set(err, EXIT_INPUT, "unknown %s '%s'%s", word, name,
            text_suggest(hint, sizeof hint, name, &table->name, count, sizeof *table));
    return NULL;
}

bool cli_parse(struct cli *cli, int argc, char **argv, struct err *err)
{
    const struct command *table = commands;
    const char *word = "command";
    while (table) {
        struct syntax syntax;
        int next = 0;
        syntax_init(&syntax, NULL, cli->command, word);
        if (!parse_level(cli, &syntax, argc, argv, &next, err))
            return false;
        if (wants_words_only(cli) || next >= argc)
            return true;
        const struct command *found = find(table, argv[next], word, err);
        if (!found)
            return false;
        cli->group = cli->command;
        cli->command = found;
        table = found->subcommands;
        word = found->subcommand_word;
        argc -= next;
        argv += next;
    }
    struct syntax syntax;
    int next = 0;
    syntax_init(&syntax, cli->group, cli->command, NULL);
    if (!parse_level(cli, &syntax, argc, argv, &next, err))
        return false;
    if (wants_words_only(cli))
        return true;
    cli->operands = argv + next;
    cli->operand_count = (size_t)(argc - next);
    return true;
}
