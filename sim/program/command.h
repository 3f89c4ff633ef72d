/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line as data. A command is a row: what it is called, what it takes, what it says
 * about itself, and the function that does it. Options are rows of one table, option_rows; a
 * command lists the ones it takes, in its own words where the general ones do not fit. Parsing
 * (getopt_long), `--help`, `fauxfleet --help`, the man pages and the completions of shells are all
 * made from these rows, so none of them can disagree.
 *
 *     argv --cli_parse()--> struct cli --command->run()--> exit code
 *
 * A command with subcommands (`trace stats`, `list policies`) has a table of its own kind of rows
 * below it.
 *
 * To add a command: one file NAME.c in sim/cli with the function, and one row in commands.c (or,
 * for a subcommand, in the table of its group). To add an option: one id, one row in options.c, and
 * its id in the rows that take it.
 *
 * Everything in a struct cli points into argv or static tables, but for the arrays, which
 * cli_fini() frees.
 */
#ifndef SIM_PROGRAM_COMMAND_H
#define SIM_PROGRAM_COMMAND_H

#include "sim/base/err.h"
#include "sim/base/out.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_id {
    OPT_HELP,
    OPT_VERSION,
    OPT_MAN,
    OPT_COMPLETION,
    OPT_POLICY,
    OPT_TRACE,
    OPT_SET,
    OPT_SEED,
    OPT_REPLICAS,
    OPT_JOBS,
    OPT_AUDIT,
    OPT_DECISION_LIMIT,
    OPT_QUIET,
    OPT_JSON,
    OPT_OUTPUT,
    OPT_CHECK,
    OPT_NO_REPORT,
    OPT_AT,
    OPT_FORMAT,
    OPT_TO,
    OPT_ACTIONS,
    OPT_CYCLES,
    OPT_SNAPSHOT_AT,
    OPT_TRACE_EVENTS,
    OPT_EXPLORE,
    OPT_RHO,
    OPT_OPTION,
    OPT_MAP,
    OPT_LIKE,
    OPT_REJECTED,
    OPT_ALPHA,
    OPT_METRIC,
    OPT_FAIL_ON_DIFF,
    OPT_SHARD,
    OPT_EMIT,
    OPT_CHARTS,
    OPT_TARGET,
    OPT_METHOD,
    OPT_POOL,
    OPT_RANGE,
    OPT_CONFIDENCE,
    OPT_GROWTH,
    OPT_HORIZON,
    OPT_FLEET,
    OPT_BOTH,
    OPT_ADD_NODES,
    OPT_DRAIN,
    OPT_LOSE,
    OPT_BASE,
    OPT_CANDIDATE,
    OPT_REPORT,
    OPT_REQUIRE_IDENTICAL,
    OPT_INCONCLUSIVE,
    OPT_BASELINE,
    OPT_SAVE_BASELINE,
    OPT_AA,
    OPT_SIDE_TIME,
    OPT_SIDE_MEMORY,
    OPT_SOCKET,
    OPT_JOURNAL,
    OPT_STATE,
    OPT_SHADOW,
    OPT_SYNC,
    OPT_NEW_JOURNAL,
    OPT_TAKE_OVER,
    OPT_MAX_JUMP,
    OPT_SIMULATE,
    OPT_EVICTED,
    OPT_SAVE_CASE,
    OPT_CHECK_CASE,
    OPT_ANONYMISE,
    OPT_FROM,
    OPT_CLUSTER,
    OPT_FIT,
    OPT_HOW,
    OPT_NODE,
    OPT_NODES,
    OPT_COUNT
};

enum option_kind {
    OPTION_FLAG,   /* takes no argument */
    OPTION_TEXT,   /* takes a text, which the command interprets */
    OPTION_NUMBER, /* takes an integer from low to high, checked by the parser */
};

struct option_row {
    enum option_id id;
    const char *name; /* long name, "output" */
    char letter;      /* 'o', or 0 */
    enum option_kind kind;
    bool repeatable;      /* all values count; else the last one does, as is usual */
    const char *argument; /* what stands for the argument in help: "FILE"; NULL for flags */
    const char *help;     /* no capital, no full stop */
    uint64_t low, high;   /* OPTION_NUMBER */
    const char *values;   /* for completion by a shell: words; "@policies": what `list policies`
                             names; NULL files */
};

/* Row i has id i. */
extern const struct option_row option_rows[OPT_COUNT];

/* An option of a command; lists end with id OPT_COUNT. */
struct option_use {
    enum option_id id;
    const char *argument; /* NULL: as in option_rows */
    const char *help;     /* NULL: as in option_rows */
};

/*
 * Before the command; --help is valid for every command too. Options of every simulating command.
 */
extern const struct option_use option_uses_program[], option_uses_general[], option_uses_simulate[];

/* Of commands that print one table and take --json alone. */
extern const struct option_use option_uses_table[];

struct cli;

struct command {
    const char *name;
    const char *operands; /* usage text after the options: "SCENARIO.json -o DIR"; "" none */
    int operands_min, operands_max; /* checked before run() */
    const char *summary;            /* one line: "simulate one scenario" */
    const char *description; /* paragraphs separated by empty lines; indented lines are printed
                                unchanged */
    const char *examples;    /* one a line, NULL none */
    const struct option_use *options;  /* its own, NULL none */
    bool simulates;                    /* accepts option_uses_simulate too */
    int (*run)(struct cli *);          /* returns the exit code; NULL: a subcommand has to follow */
    const struct command *subcommands; /* NULL none; they take the options of this row too */
    const char *subcommand_word;       /* the word for its subcommands: "topic" */
    const char *operand_values;        /* as option_row's values; NULL files */
};

/* Tables of commands end with a row without a name. */
extern const struct command commands[];
extern const struct command list_topics[], trace_commands[];

struct cli_value {
    const char **texts; /* in the order given */
    size_t count;
    uint64_t number; /* OPTION_NUMBER: the last one */
};

struct cli {
    const struct command *group;   /* the command that this is a subcommand of, or NULL */
    const struct command *command; /* NULL: only an option such as --help was given, or nothing */
    char *const *operands;
    size_t operand_count;
    struct cli_value values[OPT_COUNT];
    struct out *out; /* standard output; main() closes it and reports what could not be written */
};

/*
 * Parses the arguments. Returns false with err set (EXIT_INPUT) at the first error. Parsing stops
 * at --help, --version, --man and --completion, since the rest does not matter then. Operands are
 * not checked here.
 */
bool cli_parse(struct cli *, int argc, char **argv, struct err *);
bool cli_check_operands(const struct cli *, struct err *);
void cli_fini(struct cli *);

/* The last value of an option; "" for a flag that was given; NULL when it was not. */
const char *cli_option(const struct cli *, enum option_id);
bool cli_given(const struct cli *, enum option_id);
uint64_t cli_number(const struct cli *, enum option_id, uint64_t otherwise);
const char *const *cli_all(const struct cli *, enum option_id,
                           size_t *count); /* of a repeatable option */

/* "fauxfleet trace stats" in the caller's buffer, which it returns. */
const char *cli_name(const struct cli *, char *buffer, size_t size);

/* All options that a command of a group (or NULL) accepts, in the order of help texts; returns
 * their number. */
size_t cli_option_set(const struct command *group, const struct command *,
                      const struct option_use *set[OPT_COUNT]);

/* A line on stderr, "fauxfleet: ..." or "note: ...". Names are escaped as in escape.h, and it stays
 * on one line. */
void cli_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_tell(const char *what, const char *format, ...)
    __attribute__((format(printf, 2, 3))); /* "report: ..." */

/* Prints the error and returns the exit code that it carries: `return cli_fail(&err);` */
int cli_fail(const struct err *);

/*
 * Standard output for data that is read back, such as CSV and scripts, byte by byte. On a terminal
 * it is shown as what people read.
 */
struct out *cli_data(const struct cli *);

/* The same for misuse of the command line: "Try 'fauxfleet run --help'." follows the message.
 * Returns EXIT_INPUT. */
int cli_misuse(const struct cli *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The functions of the commands, each in its own file. */
int cmd_run(struct cli *);
int cmd_sweep(struct cli *);
int cmd_whatif(struct cli *);
int cmd_merge(struct cli *);
int cmd_decide(struct cli *);
int cmd_shares(struct cli *);
int cmd_snapshot(struct cli *);
int cmd_explain(struct cli *);
int cmd_report(struct cli *);
int cmd_replay(struct cli *);
int cmd_calibrate(struct cli *);
int cmd_serve(struct cli *);
int cmd_plan(struct cli *);
int cmd_compare(struct cli *);
int cmd_gate(struct cli *);
int cmd_init(struct cli *);
int cmd_check(struct cli *);
int cmd_schema(struct cli *);
int cmd_list(struct cli *);
int cmd_list_nodes(struct cli *);
int cmd_list_faults(struct cli *);
int cmd_list_fabrics(struct cli *);
int cmd_list_speeds(struct cli *);
int cmd_list_spot(struct cli *);
int cmd_list_models(struct cli *);
int cmd_list_storage(struct cli *);
int cmd_list_reasons(struct cli *);
int cmd_list_keys(struct cli *);
int cmd_list_formats(struct cli *); /* `trace formats` is the same */

#endif
