/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines in words; see command_words.h. */
#include "sim/program/command_words.h"

#include "sim/base/escape.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

void command_word(struct command_words *to, char *text)
{
    to->texts = mem_resize(to->texts, to->count + 1, sizeof *to->texts);
    to->texts[to->count++] = text;
}

void command_option(struct command_words *to, const struct cli *cli, enum option_id id)
{
    const struct option_row *row = &option_rows[id];
    size_t count;
    const char *const *values = cli_all(cli, id, &count);
    for (size_t i = row->repeatable || count == 0 ? 0 : count - 1; i < count; i++) {
        command_word(to, mem_format("--%s", row->name));
        if (row->kind != OPTION_FLAG)
            command_word(to, mem_text(values[i]));
    }
}

void command_print(const struct command_words *words, struct out *out)
{
    for (size_t i = 0; i < words->count; i++) {
        out_text(out, i > 0 ? " " : "");
        escape_shell(out, words->texts[i]);
    }
}

char *command_text(const struct command_words *words)
{
    struct out *out = out_memory();
    command_print(words, out);
    return out_memory_take(out);
}

void command_forget(struct command_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->texts[i]);
    free(words->texts);
    *words = (struct command_words){0};
}
