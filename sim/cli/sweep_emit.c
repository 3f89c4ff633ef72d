/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts for engines that run many processes; see sweep_emit.h. */
#include "sim/cli/sweep_emit.h"

#include "sim/base/json.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/cli/command_words.h"

#include <stdlib.h>
#include <string.h>

/* ---- the command of a shard ---- */

static const enum option_id handed_on[] = {OPT_POLICY,   OPT_TRACE, OPT_SET,           OPT_SEED,
                                           OPT_REPLICAS, OPT_AUDIT, OPT_DECISION_LIMIT};

/* "fauxfleet sweep PLAN -o DIR -j 4 --shard auto --quiet ..." */
static struct command_words command_of(const struct sweep_emit *emit, const char *shard)
{
    struct command_words command = {0};
    command_word(&command, mem_text("fauxfleet"));
    command_word(&command, mem_text("sweep"));
    command_word(&command, mem_text(emit->cli->operands[0]));
    command_word(&command, mem_text("-o"));
    command_word(&command, mem_text(cli_option(emit->cli, OPT_OUTPUT)));
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

/* "sweep-" and lower case letters, digits and '-', which it may not end in: a name that all engines take. */
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

static void print_merge(const struct sweep_emit *emit, struct out *out)
{
    out_text(out, "fauxfleet merge ");
    command_print_word(out, cli_option(emit->cli, OPT_OUTPUT));
    out_text(out, " -o results.csv");
}

/* Logs go to the folder of submission: Slurm does not make folders for them. */
static void emit_slurm(const struct sweep_emit *emit, struct out *out)
{
    out_text(out, "#!/bin/sh\n#SBATCH --job-name=");
    print_name(out, emit->name);
    out_format(out, "\n#SBATCH --array=1-%zu\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=%d\n", emit->shards,
               emit->threads);
    out_text(out,
             "#SBATCH --output=%x-%A_%a.log\n"
             "# Submit it in this folder, and let the results be put together when all shards have ended:\n"
             "#   id=$(sbatch --parsable sweep.sh) && sbatch --dependency=afterok:$id --wrap \"");
    print_merge(emit, out);
    out_format(
        out,
        "\"\n# Submitting it again does what is missing; with --array=2 that of the second shard alone "
        "(of how many\n# it is Slurm does not say then).\n"
        "export FAUXFLEET_SHARD_INDEX=$((SLURM_ARRAY_TASK_ID - 1)) FAUXFLEET_SHARD_TOTAL=%zu\nexec ",
        emit->shards);
    struct command_words command = command_of(emit, "auto");
    print_command(out, &command);
}

/* Not {}, which may stand in an option's JSON. */
#define PARALLEL_SHARD "_SHARD_"

static void emit_parallel(const struct sweep_emit *emit, struct out *out)
{
    char *shard = mem_format(PARALLEL_SHARD "/%zu", emit->shards);
    out_format(out,
               "#!/bin/sh\n# GNU parallel; with --sshloginfile on several hosts that share this folder. "
               "JOBS: at a time.\n"
               "# Starting it again does what is missing.\nset -e\n"
               "seq %zu | parallel --will-cite -j \"${JOBS:-100%%}\" --halt soon,fail=1 -I " PARALLEL_SHARD
               " ",
               emit->shards);
    /* parallel hands its arguments to a shell: quoted once for it and once for this script. */
    struct command_words command = command_of(emit, shard);
    struct out *line = out_memory();
    print_command(line, &command);
    size_t n;
    const char *text = out_memory_text(line, &n);
    char *copy = mem_text_n(text, n - 1);
    command_print_word(out, copy);
    out_char(out, '\n');
    print_merge(emit, out);
    out_char(out, '\n');
    free(copy);
    free(shard);
    out_discard(line);
}

static void emit_k8s(const struct sweep_emit *emit, struct out *out)
{
    out_text(
        out,
        "# An indexed job: one pod a shard, numbered by Kubernetes. The image holds fauxfleet; the claim\n"
        "# is a volume that all pods may write, with the plan and its files. When it is complete:\n#   ");
    print_merge(emit, out);
    out_text(out, "\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ");
    print_name(out, emit->name);
    out_format(
        out,
        "\nspec:\n  completionMode: Indexed\n  completions: %zu\n  parallelism: %zu\n  backoffLimit: 6\n",
        emit->shards, emit->shards);
    out_text(out, "  template:\n    spec:\n      restartPolicy: Never\n      containers:\n"
                  "        - name: sweep\n          image: fauxfleet:" FAUXFLEET_VERSION
                  "\n          workingDir: /work\n"
                  "          command: [");
    struct command_words command = command_of(emit, "auto");
    for (size_t i = 0; i < command.count; i++) {
        out_text(out, i > 0 ? ", " : "");
        json_quoted(out, command.texts[i]);
    }
    command_forget(&command);
    out_format(out,
               "]\n          env:\n            - {name: JOB_COMPLETIONS, value: \"%zu\"}\n"
               "          resources: {requests: {cpu: \"%d\"}}\n",
               emit->shards, emit->threads);
    out_text(out, "          volumeMounts:\n            - {name: work, mountPath: /work}\n      volumes:\n"
                  "        - {name: work, persistentVolumeClaim: {claimName: fauxfleet}}\n");
}

static const struct {
    const char *name;
    void (*print)(const struct sweep_emit *, struct out *);
} engines[] = {
    {"slurm",    emit_slurm   },
    {"parallel", emit_parallel},
    {"k8s",      emit_k8s     },
};

#define ENGINES (sizeof engines / sizeof *engines)

bool sweep_emit(const char *engine, const struct sweep_emit *emit, struct out *out, struct err *err)
{
    for (size_t i = 0; i < ENGINES; i++) {
        if (strcmp(engines[i].name, engine) != 0)
            continue;
        engines[i].print(emit, out);
        return true;
    }
    char hint[64];
    return err_set(err, EXIT_INPUT, "--emit '%.64s': expected slurm, parallel or k8s%s", engine,
                   text_suggest(hint, sizeof hint, engine, &engines[0].name, ENGINES, sizeof *engines));
}
