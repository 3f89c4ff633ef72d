/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts for engines that run many processes; see sweep_emit.h. */
#include "sim/study/sweep_emit.h"

#include "sim/base/escape.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/program/command_words.h"

#include <stdlib.h>
#include <string.h>

/* ---- the command of a shard ---- */

static const enum option_id handed_on[] = {OPT_POLICY,   OPT_TRACE, OPT_SET,           OPT_SEED,
                                           OPT_REPLICAS, OPT_AUDIT, OPT_DECISION_LIMIT};

/* A path that is no option even where its name begins with '-'. */
static char *path_word(const char *path)
{
    return mem_format("%s%s", *path == '-' ? "./" : "", path);
}

/* "fauxfleet sweep PLAN -o DIR -j 4 --shard auto --quiet ..." */
static struct command_words command_of(const struct sweep_emit *emit, const char *shard)
{
    struct command_words command = {0};
    command_word(&command, mem_text("fauxfleet"));
    command_word(&command, mem_text("sweep"));
    command_word(&command, path_word(emit->cli->operands[0]));
    command_word(&command, mem_text("-o"));
    command_word(&command, path_word(cli_option(emit->cli, OPT_OUTPUT)));
    command_word(&command, mem_text("-j"));
    command_word(&command, mem_format("%d", emit->threads));
    command_word(&command, mem_text("--shard"));
    command_word(&command, mem_text(shard));
    command_word(&command, mem_text("--quiet"));
    for (size_t i = 0; i < sizeof handed_on / sizeof *handed_on; i++)
        command_option(&command, emit->cli, handed_on[i]);
    return command;
}

/* Ends the line and forgets the command. */
static void print_command(struct out *out, struct command_words *command)
{
    command_print(command, out);
    out_char(out, '\n');
    command_forget(command);
}

/* "sweep-" and lower case letters, digits and '-', which it may not end in: a name that all engines
 * take. */
static void print_name(struct out *out, const char *name)
{
    char text[48] = "sweep-";
    size_t used = strlen(text);
    for (; *name != '\0' && used < sizeof text - 1; name++) {
        char c = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
        bool fine = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        text[used++] = '-';
        if (fine)
            text[used - 1] = c;
    }
    while (text[used - 1] == '-')
        text[--used] = '\0';
    out_text(out, text);
}

/* ---- engines ---- */

static char *merge_command(const struct sweep_emit *emit)
{
    struct out *out = out_memory();
    char *dir = path_word(cli_option(emit->cli, OPT_OUTPUT));
    out_text(out, "fauxfleet merge ");
    escape_shell(out, dir);
    out_text(out, " -o results.csv");
    free(dir);
    return out_memory_take(out);
}

/* On one line, whatever the name of the folder contains. */
static void print_merge_comment(const struct sweep_emit *emit, struct out *out)
{
    char *dir = path_word(cli_option(emit->cli, OPT_OUTPUT));
    out_text(out, "fauxfleet merge ");
    escape_shell_comment(out, dir);
    out_text(out, " -o results.csv");
    free(dir);
}

/* Logs go to the folder of submission: Slurm does not make folders for them. */
static void emit_slurm(const struct sweep_emit *emit, struct out *out)
{
    out_text(out, "#!/bin/sh\n#SBATCH --job-name=");
    print_name(out, emit->name);
    out_format(out, "\n#SBATCH --array=1-%zu\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=%d\n",
               emit->shards, emit->threads);
    out_text(out,
             "#SBATCH --output=%x-%A_%a.log\n"
             "# Submit it in this folder, and let the results be put together when all shards have "
             "ended:\n"
             "#   id=$(sbatch --parsable sweep.sh) && sbatch --dependency=afterok:$id --wrap ");
    char *merge = merge_command(emit);
    escape_shell_comment(out, merge);
    free(merge);
    out_format(
        out,
        "\n# Submitting it again simulates only what is missing; --array=2 runs the second shard "
        "alone (Slurm does\n# not report the number of shards then).\nexport "
        "FAUXFLEET_SHARD_INDEX=$((SLURM_ARRAY_TASK_ID - 1)) FAUXFLEET_SHARD_TOTAL=%zu\nexec ",
        emit->shards);
    struct command_words command = command_of(emit, "auto");
    print_command(out, &command);
}

/* Not {}, which may occur in an option's JSON; longer if the command contains it. */
static char *placeholder_for(const struct command_words *command)
{
    char *placeholder = mem_text("_SHARD_");
    for (size_t i = 0; i < command->count; i++) {
        if (strstr(command->texts[i], placeholder) == NULL)
            continue;
        char *longer = mem_format("%sSHARD_", placeholder);
        free(placeholder);
        placeholder = longer;
        i = (size_t)-1; /* from the first again */
    }
    return placeholder;
}

/*
 * parallel passes its arguments to a shell: quoted once for it and once for this script. It
 * replaces {#}, {1}, {= perl =} and more; after each brace the quotes end and begin again, which
 * only the shell removes.
 */
static void print_parallel_command(struct out *out, const struct command_words *command)
{
    struct out *line = out_memory(), *broken = out_memory();
    command_print(command, line);
    for (const char *c = out_memory_text(line, NULL); *c != '\0'; c++) {
        out_char(broken, *c);
        out_text(broken, *c == '{' ? "''" : "");
    }
    escape_shell(out, out_memory_text(broken, NULL));
    out_discard(line);
    out_discard(broken);
}

static void emit_parallel(const struct sweep_emit *emit, struct out *out)
{
    struct command_words command = command_of(emit, "");
    char *placeholder = placeholder_for(&command),
         *shard = mem_format("%s/%zu", placeholder, emit->shards);
    command_forget(&command);
    command = command_of(emit, shard);
    out_format(out,
               "#!/bin/sh\n# GNU parallel; with --sshloginfile on several hosts that share this "
               "folder. JOBS: at a time.\n"
               "# Starting it again does what is missing.\nset -e\nexport PARALLEL_SHELL=/bin/sh\n"
               "seq %zu | parallel --will-cite -j \"${JOBS:-100%%}\" --halt soon,fail=1 -I %s ",
               emit->shards, placeholder);
    print_parallel_command(out, &command);
    char *merge = merge_command(emit);
    out_format(out, "\n%s\n", merge);
    free(merge);
    free(placeholder);
    free(shard);
    command_forget(&command);
}

/* Kubernetes replaces $(NAME) in commands, and $$ by $. */
static void print_k8s_word(struct out *out, const char *word)
{
    struct out *doubled = out_memory();
    for (; *word != '\0'; word++) {
        if (*word == '$')
            out_char(doubled, '$');
        out_char(doubled, *word);
    }
    escape_yaml(out, out_memory_text(doubled, NULL));
    out_discard(doubled);
}

static void emit_k8s(const struct sweep_emit *emit, struct out *out)
{
    out_text(out, "# An indexed job: one pod a shard, numbered by Kubernetes. The image holds "
                  "fauxfleet; the claim\n"
                  "# is a volume that all pods may write, with the plan and its files. When it is "
                  "complete:\n#   ");
    print_merge_comment(emit, out);
    out_text(out, "\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ");
    print_name(out, emit->name);
    out_format(out,
               "\nspec:\n  completionMode: Indexed\n  completions: %zu\n  parallelism: %zu\n  "
               "backoffLimit: 6\n",
               emit->shards, emit->shards);
    out_text(out, "  template:\n    spec:\n      restartPolicy: Never\n      containers:\n"
                  "        - name: sweep\n          image: fauxfleet:" FAUXFLEET_VERSION
                  "\n          workingDir: /work\n"
                  "          command: [");
    struct command_words command = command_of(emit, "auto");
    for (size_t i = 0; i < command.count; i++) {
        out_text(out, i > 0 ? ", " : "");
        print_k8s_word(out, command.texts[i]);
    }
    command_forget(&command);
    out_format(out,
               "]\n          env:\n            - {name: JOB_COMPLETIONS, value: \"%zu\"}\n"
               "          resources: {requests: {cpu: \"%d\"}}\n",
               emit->shards, emit->threads);
    out_text(
        out,
        "          volumeMounts:\n            - {name: work, mountPath: /work}\n      volumes:\n"
        "        - {name: work, persistentVolumeClaim: {claimName: fauxfleet}}\n");
}

static const struct {
    const char *name;
    void (*print)(const struct sweep_emit *, struct out *);
} engines[] = {
    {"slurm", emit_slurm},
    {"parallel", emit_parallel},
    {"k8s", emit_k8s},
};

#define ENGINES (sizeof engines / sizeof *engines)

/* YAML is text; a shell script accepts any bytes. */
static bool check_words(const struct sweep_emit *emit, struct err *err)
{
    struct command_words command = command_of(emit, "auto");
    bool ok = true;
    for (size_t i = 0; ok && i < command.count; i++)
        if (!escape_is_utf8(command.texts[i]))
            ok = err_set(err, EXIT_INPUT,
                         "--emit k8s: '%.256s' is not UTF-8, expected a name that YAML can hold",
                         command.texts[i]);
    command_forget(&command);
    return ok;
}

bool sweep_emit(const char *engine, const struct sweep_emit *emit, struct out *out, struct err *err)
{
    for (size_t i = 0; i < ENGINES; i++) {
        if (strcmp(engines[i].name, engine) != 0)
            continue;
        if (engines[i].print == emit_k8s && !check_words(emit, err))
            return false;
        engines[i].print(emit, out);
        return true;
    }
    char hint[64];
    return err_set(
        err, EXIT_INPUT, "--emit '%.64s': expected slurm, parallel or k8s%s", engine,
        text_suggest(hint, sizeof hint, engine, &engines[0].name, ENGINES, sizeof *engines));
}
