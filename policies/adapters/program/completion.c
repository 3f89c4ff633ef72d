/* SPDX-License-Identifier: MIT */
/* Completion scripts for three shells from one table; see completion.h. */
#include "policies/adapters/program/program.h"

#include <limits.h>
#include <string.h>

static bool is_short(const struct program_option *o)
{
    return o->letter <= CHAR_MAX;
}

static bool takes_file(const struct program_option *o)
{
    return o->argument != NULL && strstr(o->argument, "FILE") != NULL;
}

/* Writes the help text up to the end of its first clause; `quote` replaces a quote, and characters
 * in `special` get a backslash. */
static void clause(FILE *out, const char *text, const char *special, const char *quote)
{
    size_t n = strcspn(text, ":;(");
    while (n > 0 && text[n - 1] == ' ')
        n--;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\'') {
            (void)fputs(quote, out);
            continue;
        }
        if (strchr(special, text[i]) != NULL)
            (void)fputc('\\', out);
        (void)fputc(text[i], out);
    }
}

/* ---- bash ---- */

/* Writes the options that take such an argument as a pattern. Returns false if there are none. */
static bool bash_pattern(const struct program *p, bool files, FILE *out)
{
    bool any = false;
    for (const struct program_option *o = p->options; o->name != NULL; o++) {
        if (o->argument == NULL || takes_file(o) != files)
            continue;
        (void)fprintf(out, "%s--%s", any ? " | " : "    ", o->name);
        if (is_short(o))
            (void)fprintf(out, " | -%c", o->letter);
        any = true;
    }
    return any;
}

static void bash(const struct program *p, FILE *out)
{
    (void)fprintf(out,
                  "# Completion of %s in bash, made by '%s --completion bash'.\n"
                  "_%s() {\n"
                  "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                  "    [[ $word == = ]] && word=\n"
                  "    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
                  "    case $before in\n",
                  p->name, p->name, p->name);
    if (bash_pattern(p, true, out))
        (void)fputs(") mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n", out);
    if (bash_pattern(p, false, out))
        (void)fputs(") COMPREPLY=() ;;\n", out);
    (void)fputs("    *) mapfile -t COMPREPLY < <(compgen -W '", out);
    for (const struct program_option *o = p->options; o->name != NULL; o++)
        (void)fprintf(out, "%s--%s", o == p->options ? "" : " ", o->name);
    (void)fprintf(out, "' -- \"$word\") ;;\n    esac\n}\ncomplete -o filenames -F _%s %s\n",
                  p->name, p->name);
}

/* ---- zsh ---- */

static void zsh(const struct program *p, FILE *out)
{
    (void)fprintf(out, "#compdef %s\n# Made by '%s --completion zsh'.\n_arguments -s", p->name,
                  p->name);
    for (const struct program_option *o = p->options; o->name != NULL; o++) {
        const char *equals = o->argument != NULL ? "=" : "";
        if (is_short(o))
            (void)fprintf(out, " \\\n  '(-%c --%s)'{-%c,--%s%s}'[", o->letter, o->name, o->letter,
                          o->name, equals);
        else
            (void)fprintf(out, " \\\n  '--%s%s[", o->name, equals);
        clause(out, o->help, "[]:", "'\\''");
        (void)fputc(']', out);
        if (o->argument != NULL)
            (void)fprintf(out, ":%s:%s", o->argument, takes_file(o) ? "_files" : " ");
        (void)fputc('\'', out);
    }
    (void)fputc('\n', out);
}

/* ---- fish ---- */

static void fish(const struct program *p, FILE *out)
{
    (void)fprintf(
        out, "# Completion of %s in fish, made by '%s --completion fish'.\ncomplete -c %s -f\n",
        p->name, p->name, p->name);
    for (const struct program_option *o = p->options; o->name != NULL; o++) {
        (void)fprintf(out, "complete -c %s -l %s", p->name, o->name);
        if (is_short(o))
            (void)fprintf(out, " -s %c", o->letter);
        (void)fputs(takes_file(o) ? " -r -F" : o->argument != NULL ? " -x" : "", out);
        (void)fputs(" -d '", out);
        clause(out, o->help, "\\", "\\'");
        (void)fputs("'\n", out);
    }
}

bool program_completion(const struct program *p, const char *shell, FILE *out)
{
    static const struct {
        const char *name;
        void (*print)(const struct program *, FILE *);
    } shells[] = {
        {"bash", bash},
        {"zsh", zsh},
        {"fish", fish},
    };
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].print(p, out);
            return true;
        }
    return false;
}
