/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of sinfo: a header with GRES and NODELIST (one node a line, as -N prints them) or NODES,
 * columns separated by blanks. A table with a number of nodes must not have partitions: a node
 * counts in each of its partitions there.
 */
#include "sim/base/text.h"
#include "sim/init/cluster_internal.h"

#include <string.h>

#define BLANKS   " \t\r"
#define COMMANDS "sinfo -N -o \"%N %G\""

enum column { NAME, NODES, GRES, PARTITION, COLUMNS };

static const char *const headers[COLUMNS] = {"NODELIST", "NODES", "GRES", "PARTITION"};

struct word {
    const char *at;
    size_t n;
};

/* The next word of a line; n is 0 at its end. */
static struct word next_word(const char **at)
{
    struct word word;
    word.at = *at + strspn(*at, BLANKS);
    word.n = strcspn(word.at, BLANKS "\n");
    *at = word.at + word.n;
    return word;
}

static bool is_header(struct word word, const char *header)
{
    return word.n == strlen(header) && strncmp(word.at, header, word.n) == 0;
}

/* The number of each column in the header, from 0; -1 none. */
static void read_header(const char *line, int columns[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++)
        columns[i] = -1;
    struct word word = next_word(&line);
    for (int at = 0; word.n > 0; at++, word = next_word(&line))
        for (int i = 0; i < COLUMNS; i++)
            if (is_header(word, headers[i]))
                columns[i] = at;
}

bool cluster_is_sinfo(const char *text)
{
    int columns[COLUMNS];
    read_header(text, columns);
    return columns[NAME] >= 0 || columns[NODES] >= 0;
}

static bool read_row(struct cluster_reading *r, const int columns[COLUMNS], const char *line,
                     struct err *err)
{
    struct word words[COLUMNS] = {{"", 0}, {"", 0}, {"", 0}, {"", 0}}, word = next_word(&line);
    struct cluster_nodes add = {.name = "", .nodes = 1};
    if (word.n == 0)
        return true;
    for (int at = 0; word.n > 0; at++, word = next_word(&line))
        for (int i = 0; i < COLUMNS; i++)
            if (columns[i] == at)
                words[i] = word;
    if (columns[NAME] >= 0 && columns[NODES] < 0) {
        add.name = words[NAME].at;
        add.length = words[NAME].n;
        if (add.length == 0 || memchr(add.name, '[', add.length) != NULL)
            return cluster_fail(r, err, "NODELIST", add.name, add.length,
                                "one node a line: " COMMANDS);
    } else if (!text_i64(words[NODES].at, words[NODES].n, &add.nodes) || add.nodes < 1 ||
               add.nodes > 4194304) {
        return cluster_fail(r, err, "NODES", words[NODES].at, words[NODES].n, "1 to 4194304");
    }
    return cluster_add_gres(r, &add, words[GRES].at, words[GRES].n, err);
}

bool cluster_read_sinfo(struct cluster_reading *r, const char *text, struct err *err)
{
    int columns[COLUMNS];
    read_header(text, columns);
    r->line = 1;
    if (columns[GRES] < 0 || (columns[NODES] >= 0 && columns[PARTITION] >= 0))
        return cluster_fail(r, err, "header", text, strcspn(text, "\n"),
                            "the columns NODELIST and GRES: " COMMANDS);
    for (const char *line = text + strcspn(text, "\n"); *line == '\n';
         line += strcspn(line, "\n")) {
        line++;
        r->line++;
        if (!read_row(r, columns, line, err))
            return false;
    }
    return true;
}
