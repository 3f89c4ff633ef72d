/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Children that simulate for the gate; see children.h. */
#include "sim/gate/children.h"

#include "report/gate/words.h"
#include "report/words/units.h"
#include "sim/base/mem.h"
#include "sim/program/command_words.h"
#include "sim/program/signals.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "/proc/self/exe"

/* ---- the command ---- */

/* The command line of the gate without options that only the gate itself uses. */
static char **words_of(const struct cli *cli, const struct gate_task *task)
{
    static const enum option_id own[] = {OPT_REPORT,
                                         OPT_JSON,
                                         OPT_JOBS,
                                         OPT_QUIET,
                                         OPT_SAVE_BASELINE,
                                         OPT_INCONCLUSIVE,
                                         OPT_REQUIRE_IDENTICAL,
                                         OPT_OUTPUT};
    struct command_words words = {0};
    char text[GATE_TASK_TEXT];
    command_word(&words, mem_text("fauxfleet"));
    command_word(&words, mem_text(GATE_SIDE_WORD));
    command_word(&words, mem_text(gate_task_text(text, task)));
    command_word(&words, mem_text("gate"));
    for (int id = 0; id < OPT_COUNT; id++) {
        bool is_own = false;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            is_own |= own[i] == (enum option_id)id;
        if (!is_own)
            command_option(&words, cli, (enum option_id)id);
    }
    command_word(&words, mem_text("--"));
    command_word(&words, mem_text(cli->operands[0]));
    command_word(&words, NULL);
    return words.texts;
}

/* Variables that a program needs to start, and those of tools that watch it, keep their values. */
static bool keeps_value(const char *variable)
{
    static const char *const kept[] = {
        "LD_",    "PATH=",   "HOME=",   "USER=", "LOGNAME=", "SHELL=", "LANG",   "LC_",
        "PYTHON", "TMPDIR=", "TERM=",   "PWD=",  "ASAN_",    "LSAN_",  "UBSAN_", "TSAN_",
        "GCOV_",  "LLVM_",   "FAULTS_", "GLIBC", "VALGRIND", "XDG_",   "NIX_",   "CONDA"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strncmp(variable, kept[i], strlen(kept[i])) == 0)
            return true;
    return false;
}

/* Blocks that were freed, but that malloc() keeps for the next one of their size, count as held: it
 * keeps none. */
#define TUNABLES "GLIBC_TUNABLES="
#define EXACT    "glibc.malloc.tcache_count=0"

/*
 * `again`: everything else that a policy could depend on is different. Variables have a 9 before
 * their values, there is one more of them, so that the stack is elsewhere, and memory from malloc()
 * and to free() is filled. Addresses, the process id and the clock differ by themselves.
 */
static char **environment_of(bool again)
{
    static const char perturb[] = "MALLOC_PERTURB_=";
    extern char **environ;
    const char *tunables = getenv("GLIBC_TUNABLES");
    size_t count = 0, n = 0;
    while (environ[count] != NULL)
        count++;
    char **made = mem_alloc(count + 3, sizeof *made);
    for (size_t i = 0; i < count; i++) {
        const char *value = strchr(environ[i], '=');
        bool ours = strncmp(environ[i], again ? perturb : TUNABLES,
                            strlen(again ? perturb : TUNABLES)) == 0;
        if (!ours && (!again || value == NULL || keeps_value(environ[i])))
            made[n++] = mem_text(environ[i]);
        else if (!ours)
            made[n++] = mem_format("%.*s=9%s", (int)(value - environ[i]), environ[i], value + 1);
    }
    if (again) {
        made[n++] = mem_format("%s165", perturb);
        made[n] =
            mem_text("FAUXFLEET_GATE_SALT=moves the stack by some bytes, and no other run has it");
    } else {
        made[n] = mem_format(TUNABLES "%s%s" EXACT, tunables != NULL ? tunables : "",
                             tunables != NULL ? ":" : "");
    }
    return made;
}

static void describe(void *self, size_t number, struct child_command *command)
{
    const struct gate_batch *batch = self;
    const struct gate_piece *piece = &batch->pieces[batch->todo[number]];
    command->program = PROGRAM;
    command->words = words_of(batch->cli, &piece->task);
    command->environment = environment_of(piece->again);
}

/* ---- what became of it ---- */

static const char *signal_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {
        {SIGSEGV, "SIGSEGV, a wrong address"},
        {SIGABRT, "SIGABRT, it gave up by itself"},
        {SIGFPE, "SIGFPE, wrong arithmetic"},
        {SIGBUS, "SIGBUS, a wrong address"},
        {SIGILL, "SIGILL, a wrong instruction"},
        {SIGKILL, "SIGKILL, perhaps for want of memory"},
        {SIGTERM, "SIGTERM"},
        {SIGTRAP, "SIGTRAP"},
        {SIGPIPE, "SIGPIPE"},
        {SIGSYS, "SIGSYS"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return names[i].name;
    return "another signal";
}

/* Its printed lines, safe to show; NULL if there are none. */
static char *safe_lines(const char *said)
{
    struct out *out = out_memory();
    bool any = false;
    while (*said != '\0') {
        size_t n = strcspn(said, "\n");
        char *line = mem_text_n(said, n), *safe = unit_name(line, 200);
        if (*safe != '\0')
            out_format(out, "%s%s", any ? "\n" : "", safe);
        any |= *safe != '\0';
        free(line);
        free(safe);
        said += n + (said[n] == '\n');
    }
    char *text = out_memory_take(out);
    if (any)
        return text;
    free(text);
    return NULL;
}

/* How it ended, by itself or not; *kind is the finding. */
static char *ending_of(const struct gate_batch *batch, const struct child_result *r,
                       enum gate_finding_kind *kind)
{
    char text[UNIT_TEXT];
    int number = r->end == CHILD_SIGNALED
                     ? r->code
                     : r->code - 128; /* as shells and our own handler report it */
    switch (r->end) {
    case CHILD_OVER_TIME:
        *kind = GATE_TIME_LIMIT;
        return mem_format("it used more than %s of CPU time (--side-time)",
                          unit_duration(text, (double)batch->limits.cpu_ms / 1000));
    case CHILD_WAS_BLOCKED:
        *kind = GATE_BLOCKED;
        return mem_format("it waited for %s and hardly used CPU time",
                          unit_duration(text, (double)batch->limits.blocked_ms / 1000));
    case CHILD_OVER_MEMORY:
        *kind = GATE_MEMORY_LIMIT;
        return mem_format("it wanted more than %lld MiB (--side-memory)",
                          (long long)batch->limits.memory_mib);
    case CHILD_EXITED:
    case CHILD_SIGNALED:
        break;
    }
    *kind = number > 0 && number < 65                       ? GATE_CRASH
            : strstr(r->said, "(--decision-limit)") != NULL ? GATE_TIME_LIMIT
                                                            : GATE_EXIT;
    return *kind == GATE_CRASH ? mem_format("signal %d (%s)", number, signal_name(number))
                               : mem_format("exit status %d", r->code);
}

static void fail(const struct gate_batch *batch, struct gate_piece *piece,
                 const struct child_result *r)
{
    const struct gate_task *task = &piece->task;
    struct gate_finding *f = &piece->failed;
    char *ending = ending_of(batch, r, &f->kind);
    char *policy = unit_name(batch->gate->names[task->side], 80);
    f->side = task->side;
    f->scenario = task->scenario;
    f->replica = task->kind == GATE_TASK_PREPARE ? 0 : (size_t)task->replica;
    f->detail = safe_lines(r->said);
    const char *last = f->detail != NULL ? strrchr(f->detail, '\n') : NULL;
    last = last != NULL ? last + 1 : f->detail;
    f->message = mem_format("%s: %s%s%s%s.", policy, ending,
                            task->kind == GATE_TASK_PREPARE ? ", before the first replica" : "",
                            last != NULL ? "; it said: " : "", last != NULL ? last : "");
    if (last == f->detail) { /* one line, which the message has */
        free(f->detail);
        f->detail = NULL;
    }
    free(ending);
    free(policy);
}

/* After that one failed, children with this index or above are not needed. */
static size_t end_of_replica(const struct gate_batch *batch, size_t number)
{
    const struct gate_task *failed = &batch->pieces[number].task;
    size_t end = number + 1;
    while (end < batch->count && batch->pieces[end].task.scenario == failed->scenario &&
           batch->pieces[end].task.replica == failed->replica && !batch->pieces[end].again)
        end++;
    return end;
}

/* ---- the store ---- */

static const char *store_word(const struct gate_piece *piece)
{
    return piece->again ? "again-" : "";
}

static void count_one(struct gate_batch *batch)
{
    struct gate_progress *progress = batch->progress;
    batch->done++;
    if (progress == NULL)
        return;
    progress->done++;
    progress_count(&progress->bar, progress->done, progress->most, "simulations at most");
}

/* What is in the store is not simulated again. */
static void recall(struct gate_batch *batch)
{
    batch->todo = mem_alloc(batch->count + 1, sizeof *batch->todo);
    for (size_t i = 0; i < batch->count; i++) {
        struct gate_piece *piece = &batch->pieces[i];
        char *text = batch->store != NULL && piece->key[0] != '\0'
                         ? replica_store_get(batch->store, piece->key, store_word(piece),
                                             piece->task.replica)
                         : NULL;
        piece->answer = text != NULL ? cJSON_ParseWithOpts(text, NULL, true) : NULL;
        free(text);
        if (piece->answer == NULL) {
            batch->todo[batch->todo_count++] = i;
            continue;
        }
        batch->recalled++;
        count_one(batch);
    }
}

static bool keep(const struct gate_batch *batch, const struct gate_piece *piece, const char *answer,
                 struct err *err)
{
    return batch->store == NULL || piece->key[0] == '\0' ||
           replica_store_put(batch->store, piece->key, store_word(piece), piece->task.replica,
                             answer, err);
}

/* Pieces from `end` on are not needed. */
static void end_at(struct gate_batch *batch, size_t end)
{
    if (end >= batch->end)
        return;
    batch->end = end;
    size_t count = batch->work.count;
    while (count > 0 && batch->todo[count - 1] >= end)
        count--;
    batch->work.count = count;
}

static bool done(void *self, size_t number, const struct child_result *r, struct err *err)
{
    struct gate_batch *batch = self;
    struct gate_piece *piece = &batch->pieces[batch->todo[number]];
    bool ok = true;
    cJSON *answer = r->end == CHILD_EXITED ? cJSON_ParseWithOpts(r->answer, NULL, true) : NULL;
    const cJSON *code = cJSON_GetObjectItemCaseSensitive(answer, "code");
    const cJSON *message = cJSON_GetObjectItemCaseSensitive(answer, "message");
    if (answer == NULL || (r->code != 0) != cJSON_IsNumber(code)) {
        fail(batch, piece, r);
    } else if (cJSON_IsNumber(code)) {
        err_set(&piece->err, code->valueint, "%s",
                cJSON_IsString(message) ? message->valuestring : "");
    } else {
        piece->answer = answer;
        answer = NULL;
        count_one(batch);
        ok = keep(batch, piece, r->answer, err);
    }
    cJSON_Delete(answer);
    if (piece->answer == NULL)
        end_at(batch, end_of_replica(batch, batch->todo[number]));
    return ok;
}

static bool stop(void *self)
{
    struct gate_batch *batch = self;
    batch->interrupted |= cli_interrupted() != 0;
    return batch->interrupted;
}

static void forget_failure(struct gate_piece *piece)
{
    free(piece->failed.message);
    free(piece->failed.detail);
    piece->failed = (struct gate_finding){0};
}

/* True if the other side completed the piece that failed here. */
static bool is_alone(const struct gate_batch *batch, const struct gate_piece *piece)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct gate_piece *other = &batch->pieces[i];
        if (other->task.side != piece->task.side && other->task.scenario == piece->task.scenario &&
            other->task.replica == piece->task.replica && other->answer != NULL)
            return true;
    }
    return false;
}

/* Of an error, not of its inputs nor of an invariant, but of the side alone: a finding. */
static void blame(const struct gate_batch *batch, struct gate_piece *piece)
{
    const struct gate_task *task = &piece->task;
    int code = piece->err.code;
    if (task->kind != GATE_TASK_RUN || code == 0 || code == EXIT_INVARIANT ||
        (code == EXIT_INPUT && !is_alone(batch, piece)))
        return;
    char *policy = unit_name(batch->gate->names[task->side], 80);
    piece->failed = (struct gate_finding){.kind = GATE_EXIT,
                                          .side = task->side,
                                          .scenario = task->scenario,
                                          .replica = (size_t)task->replica,
                                          .message = mem_format("%s: %s.", policy, piece->err.msg)};
    free(policy);
}

/* The findings of the pieces that count; later pieces may or may not have failed. */
static bool settle(struct gate_batch *batch, struct err *err)
{
    const struct gate_piece *refused = NULL;
    size_t findings = 0;
    for (size_t i = 0; i < batch->count; i++) {
        struct gate_piece *piece = &batch->pieces[i];
        bool counts = i < batch->end && !batch->quiet && !batch->interrupted;
        blame(batch, piece);
        if (counts && piece->failed.message != NULL) {
            gate_find(batch->gate, piece->failed);
            piece->failed = (struct gate_finding){0};
            findings++;
        }
        forget_failure(piece);
        if (counts && piece->err.code != 0 && refused == NULL)
            refused = piece;
    }
    if (refused == NULL || findings > 0)
        return true;
    const struct gate_task *task = &refused->task;
    *err = refused->err;
    return task->kind == GATE_TASK_RUN ? err_prefix(err, "scenario '%s': %s: replica %d",
                                                    batch->gate->scenarios[task->scenario].name,
                                                    gate_side_names[task->side], task->replica)
                                       : false;
}

bool gate_batch_run(struct gate_batch *batch, struct err *err)
{
    batch->end = batch->count;
    recall(batch);
    batch->work = (struct children){.count = batch->todo_count,
                                    .most = batch->threads,
                                    .limits = batch->limits,
                                    .describe = describe,
                                    .done = done,
                                    .stop = stop,
                                    .self = batch};
    bool ok = children_run(&batch->work, err);
    struct err found = {0};
    bool settled = settle(batch, &found);
    free(batch->todo);
    batch->todo = NULL;
    if (ok && !settled)
        *err = found;
    return ok && settled;
}

void gate_batch_forget(struct gate_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        cJSON_Delete(batch->pieces[i].answer);
        batch->pieces[i].answer = NULL;
    }
}
