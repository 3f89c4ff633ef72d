/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completion of the command line in bash, zsh and fish, from the rows of commands and options.
 * Names that `list` prints (policies, formats, ...) are requested from the program at completion
 * time, so that the scripts need not be regenerated.
 *
 * Each script is a frame of fixed text with one part per command. A command is identified by its
 * words: "trace stats".
 */
#include "sim/program/help.h"

#include <stdio.h>
#include <string.h>

#define ZSH_QUOTE  "'\\''" /* the text ends, a quote, the text begins */
#define FISH_QUOTE "\\'"

enum { MOST_DESCRIPTION = 60 }; /* bytes that fit next to an option */

/* Called for every command and subcommand that has options or operands; group NULL: none. */
typedef void command_writer(struct out *, const struct command *group,
                            const struct command *command);

static void for_each_command(struct out *out, command_writer *write)
{
    for (const struct command *command = commands; command->name; command++) {
        write(out, NULL, command);
        for (const struct command *sub = command->subcommands; sub && sub->name; sub++)
            write(out, command, sub);
    }
}

/* The words of a command, "trace stats". */
static void words_of(struct out *out, const struct command *group, const struct command *command)
{
    if (group)
        out_format(out, "%s ", group->name);
    out_text(out, command->name);
}

/* The beginning of a help text: up to the first clause's end, or as many words as fit. */
static size_t first_clause(const char *text)
{
    size_t end = strcspn(text, ":;(");
    while (end > 0 && text[end - 1] == ' ')
        end--;
    if (end <= MOST_DESCRIPTION)
        return end;
    end = MOST_DESCRIPTION;
    while (end > 0 && text[end] != ' ')
        end--;
    return end > 0 && text[end - 1] == ',' ? end - 1 : end;
}

/* A help text between single quotes; a quote in it is written as `quote`, characters of `special`
 * get a backslash. */
static void description(struct out *out, const char *text, const char *special, const char *quote)
{
    size_t n = first_clause(text);
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\'') {
            out_text(out, quote);
            continue;
        }
        if (strchr(special, text[i]))
            out_char(out, '\\');
        out_char(out, text[i]);
    }
}

static void table_names(struct out *out, const struct command *table)
{
    for (const struct command *c = table; c->name; c++)
        out_format(out, "%s%s", c == table ? "" : " ", c->name);
}

/* ---- bash ---- */

/* What follows an option or stands as an operand: words, or names of a list, and files. */
static void bash_values(struct out *out, const char *values)
{
    if (values && *values == '@')
        out_format(out, "_fauxfleet_words \"$(_fauxfleet_names %s)\"; _fauxfleet_files",
                   values + 1);
    else if (values)
        out_format(out, "_fauxfleet_words '%s'", values);
    else
        out_text(out, "_fauxfleet_files");
}

static void bash_option_names(struct out *out, const struct option_use **set, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out_format(out, "%s--%s", i ? " " : "", option_rows[set[i]->id].name);
}

/* Options with arguments: which are known whatever the command. */
static void bash_arguments(struct out *out)
{
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const struct option_row *row = &option_rows[i];
        if (row->kind == OPTION_FLAG)
            continue;
        out_format(out, "    --%s", row->name);
        if (row->letter)
            out_format(out, "|-%c", row->letter);
        out_text(out, ") ");
        if (row->kind == OPTION_NUMBER)
            out_char(out, ':');
        else
            bash_values(out, row->values);
        out_text(out, "; return ;;\n");
    }
}

static void bash_command(struct out *out, const struct command *group,
                         const struct command *command)
{
    const struct option_use *set[OPT_COUNT];
    size_t count = cli_option_set(group, command, set);
    out_text(out, "    '");
    words_of(out, group, command);
    out_text(out, "') options='");
    bash_option_names(out, set, count);
    out_text(out, "'; ");
    if (command->subcommands) {
        out_text(out, "operands='_fauxfleet_words \"");
        table_names(out, command->subcommands);
        out_text(out, "\"'");
    } else {
        out_text(out, "operands='");
        if (command->operand_values && *command->operand_values != '@')
            out_format(out, "_fauxfleet_words \"%s\"", command->operand_values);
        else
            bash_values(out, command->operand_values);
        out_char(out, '\'');
    }
    out_text(out, " ;;\n");
}

static void bash(struct out *out)
{
    out_text(out, "# SPDX-License-Identifier: GPL-3.0-or-later\n"
                  "# bash completion for fauxfleet, made by 'fauxfleet --completion bash'.\n"
                  "_fauxfleet_names() { \"${COMP_WORDS[0]}\" list \"$1\" 2>/dev/null | sed -n "
                  "'s/^\\([^ ]\\{1,\\}\\) .*/\\1/p'; }\n"
                  "_fauxfleet_words() { COMPREPLY+=($(compgen -W \"$1\" -- \"$cur\")); }\n"
                  "_fauxfleet_files() { compopt -o filenames 2>/dev/null; local IFS=$'\\n'; "
                  "COMPREPLY+=($(compgen -f -- \"$cur\")); }\n"
                  "_fauxfleet() {\n"
                  "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path= "
                  "options= operands= word i\n"
                  "  COMPREPLY=()\n"
                  "  if [ \"$cur\" = = ]; then cur=; elif [ \"$prev\" = = ]; then "
                  "prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                  "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
                  "    word=${COMP_WORDS[i]}\n"
                  "    case \"$path|$word\" in\n"
                  "    *'|-'*) ;;\n"
                  "    '|'*) path=$word ;;\n");
    for (const struct command *c = commands; c->name; c++)
        if (c->subcommands)
            out_format(out, "    '%s|'*) path=\"$path $word\" ;;\n", c->name);
    out_text(out, "    esac\n"
                  "  done\n"
                  "  case $prev in\n");
    bash_arguments(out);
    out_text(out, "  esac\n"
                  "  case $path in\n"
                  "    '') options='");
    const struct option_use *set[OPT_COUNT];
    size_t count = cli_option_set(NULL, NULL, set);
    bash_option_names(out, set, count);
    out_text(out, "'; operands='_fauxfleet_words \"");
    table_names(out, commands);
    out_text(out, "\"' ;;\n");
    for_each_command(out, bash_command);
    out_text(out, "  esac\n"
                  "  case $cur in\n"
                  "    -*) _fauxfleet_words \"$options\" ;;\n"
                  "    *) eval \"$operands\" ;;\n"
                  "  esac\n"
                  "}\n"
                  "complete -F _fauxfleet fauxfleet\n");
}

/* ---- zsh ---- */

static void zsh_values(struct out *out, const char *values)
{
    if (values && *values == '@')
        out_format(out, "{_fauxfleet_names %s; _files}", values + 1);
    else if (values)
        out_format(out, "(%s)", values);
    else
        out_text(out, "_files");
}

/* '(-o --output)'{-o,--output}'=[write to FILE]:FILE:_files' */
static void zsh_option(struct out *out, const struct option_use *use)
{
    const struct option_row *row = &option_rows[use->id];
    const char *argument = help_argument(use);
    const char *equals = row->kind == OPTION_FLAG ? "" : "=";
    out_text(out, " \\\n        ");
    if (row->letter && row->repeatable)
        out_format(out, "'*'{-%c%s,--%s%s}'", row->letter, *equals ? "+" : "", row->name, equals);
    else if (row->letter)
        out_format(out, "'(-%c --%s)'{-%c%s,--%s%s}'", row->letter, row->name, row->letter,
                   *equals ? "+" : "", row->name, equals);
    else
        out_format(out, "'%s--%s%s", row->repeatable ? "*" : "", row->name, equals);
    out_char(out, '[');
    description(out, help_option(use), "[]:\\", ZSH_QUOTE);
    out_char(out, ']');
    if (row->kind != OPTION_FLAG) {
        out_char(out, ':');
        for (const char *c = argument; *c; c++)
            out_format(out, "%s%c", *c == ':' ? "\\" : "", *c);
        out_char(out, ':');
        if (row->kind == OPTION_TEXT)
            zsh_values(out, row->values);
    }
    out_char(out, '\'');
}

static void zsh_table(struct out *out, const char *word, const struct command *table)
{
    out_format(out, "local -a names=(");
    for (const struct command *c = table; c->name; c++) {
        out_format(out, "\n        '%s:", c->name);
        description(out, c->summary, ":\\", ZSH_QUOTE);
        out_char(out, '\'');
    }
    out_format(out, ")\n      _describe -t commands %s names\n", word);
}

static void zsh_command(struct out *out, const struct command *group, const struct command *command)
{
    out_text(out, "    '");
    words_of(out, group, command);
    out_text(out, "')\n      ");
    if (command->subcommands) {
        zsh_table(out, command->subcommand_word, command->subcommands);
        out_text(out, "      ");
    }
    out_text(out, "_arguments");
    const struct option_use *set[OPT_COUNT];
    size_t count = cli_option_set(group, command, set);
    for (size_t i = 0; i < count; i++)
        zsh_option(out, set[i]);
    if (!command->subcommands && command->operands[0]) {
        out_text(out, " \\\n        '*:operand:");
        zsh_values(out, command->operand_values);
        out_char(out, '\'');
    }
    out_text(out, " ;;\n");
}

static void zsh(struct out *out)
{
    out_text(out, "#compdef fauxfleet\n"
                  "# SPDX-License-Identifier: GPL-3.0-or-later\n"
                  "# zsh completion for fauxfleet, made by 'fauxfleet --completion zsh'.\n"
                  "_fauxfleet_names() {\n"
                  "  local -a names=(${(f)\"$(${program:-fauxfleet} list $1 2>/dev/null | sed -n "
                  "'s/^\\([^ ]\\{1,\\}\\) .*/\\1/p')\"})\n"
                  "  compadd -a names\n"
                  "}\n"
                  "_fauxfleet() {\n"
                  "  local program=$words[1] path_= word\n"
                  "  integer i used=1\n"
                  "  for ((i = 2; i < CURRENT; i++)); do\n"
                  "    word=$words[i]\n"
                  "    case \"$path_|$word\" in\n"
                  "    *'|-'*) ;;\n"
                  "    '|'*) path_=$word; used=$i ;;\n");
    for (const struct command *c = commands; c->name; c++)
        if (c->subcommands)
            out_format(out, "    '%s|'*) path_=\"$path_ $word\"; used=$i ;;\n", c->name);
    out_text(out, "    esac\n"
                  "  done\n"
                  "  # What stands before the command's own words is not its business.\n"
                  "  words=($program \"${(@)words[used+1,-1]}\")\n"
                  "  (( CURRENT -= used - 1 ))\n"
                  "  case $path_ in\n"
                  "    '')\n      ");
    zsh_table(out, "command", commands);
    out_text(out, "      _arguments");
    const struct option_use *set[OPT_COUNT];
    size_t count = cli_option_set(NULL, NULL, set);
    for (size_t i = 0; i < count; i++)
        zsh_option(out, set[i]);
    out_text(out, " ;;\n");
    for_each_command(out, zsh_command);
    out_text(out, "  esac\n"
                  "}\n"
                  "if [ \"$funcstack[1]\" = _fauxfleet ]; then _fauxfleet \"$@\"; else compdef "
                  "_fauxfleet fauxfleet; fi\n");
}

/* ---- fish ---- */

static void fish_option(struct out *out, const char *when, const struct option_use *use)
{
    const struct option_row *row = &option_rows[use->id];
    out_format(out, "complete -c fauxfleet -n '%s' -l %s", when, row->name);
    if (row->letter)
        out_format(out, " -s %c", row->letter);
    if (row->kind == OPTION_NUMBER)
        out_text(out, " -x");
    else if (row->kind == OPTION_TEXT && row->values && *row->values == '@')
        out_format(out, " -rF -a '(__fauxfleet_names %s)'", row->values + 1);
    else if (row->kind == OPTION_TEXT && row->values)
        out_format(out, " -x -a '%s'", row->values);
    else if (row->kind == OPTION_TEXT)
        out_text(out, " -rF");
    out_text(out, " -d '");
    description(out, help_option(use), "\\", FISH_QUOTE);
    out_text(out, "'\n");
}

static void fish_table(struct out *out, const char *when, const struct command *table)
{
    for (const struct command *c = table; c->name; c++) {
        out_format(out, "complete -c fauxfleet -n '%s' -f -a %s -d '", when, c->name);
        description(out, c->summary, "\\", FISH_QUOTE);
        out_text(out, "'\n");
    }
}

static void fish_command(struct out *out, const struct command *group,
                         const struct command *command)
{
    char when[96];
    (void)snprintf(when, sizeof when, "__fauxfleet_at %s%s%s", group ? group->name : "",
                   group ? " " : "", command->name);
    if (command->subcommands)
        fish_table(out, when, command->subcommands);
    else if (!command->operands[0])
        out_format(out, "complete -c fauxfleet -n '%s' -f\n", when);
    else if (command->operand_values && *command->operand_values == '@')
        out_format(out, "complete -c fauxfleet -n '%s' -a '(__fauxfleet_names %s)'\n", when,
                   command->operand_values + 1);
    const struct option_use *set[OPT_COUNT];
    size_t count = cli_option_set(group, command, set);
    for (size_t i = 0; i < count; i++)
        fish_option(out, when, set[i]);
}

static void fish(struct out *out)
{
    out_text(out, "# SPDX-License-Identifier: GPL-3.0-or-later\n"
                  "# fish completion for fauxfleet, made by 'fauxfleet --completion fish'.\n"
                  "function __fauxfleet_names\n"
                  "    set -l program (commandline -opc)[1]\n"
                  "    $program list $argv[1] 2>/dev/null | string match -r '^\\S+'\n"
                  "end\n"
                  "# Whether the words so far lead to this command: its own, and of its group the "
                  "subcommand.\n"
                  "function __fauxfleet_at\n"
                  "    set -l words\n"
                  "    for word in (commandline -opc)[2..-1]\n"
                  "        string match -q -- '-*' $word; or set -a words $word\n"
                  "    end\n"
                  "    set -l depth 1\n"
                  "    contains -- \"$words[1]\"");
    for (const struct command *c = commands; c->name; c++)
        if (c->subcommands)
            out_format(out, " %s", c->name);
    out_text(out, "; and set -q words[2]; and set depth 2\n"
                  "    set -q words[1]; or set words '' # no command yet\n"
                  "    test \"$words[1..$depth]\" = \"$argv\"\n"
                  "end\n"
                  "function __fauxfleet_nowhere\n"
                  "    not string match -qrv -- '^-' (commandline -opc)[2..-1]\n"
                  "end\n");
    fish_table(out, "__fauxfleet_nowhere", commands);
    const struct option_use *set[OPT_COUNT];
    size_t count = cli_option_set(NULL, NULL, set);
    for (size_t i = 0; i < count; i++)
        fish_option(out, "__fauxfleet_nowhere", set[i]);
    for_each_command(out, fish_command);
}

/* ---- which ---- */

bool help_completion(struct out *out, const char *shell, struct err *err)
{
    static const struct {
        const char *name;
        void (*write)(struct out *);
    } shells[] = {
        {"bash", bash},
        {"zsh", zsh},
        {"fish", fish},
    };
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].write(out);
            return true;
        }
    }
    return err_set(err, EXIT_INPUT,
                   "option '--completion': '%s' is not a known shell, expected bash, zsh or fish",
                   shell);
}
