/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plugins under watch; see plugin_watch.h. Signal handlers find a thread's current question in a
 * thread-local object, and the previous signal actions in one of the process: the only two mutable
 * objects with static storage here.
 */
#include "sim/policy/plugin_watch.h"

#include "policies/adapters/ending/ending.h"
#include "sim/asked.h"
#include "sim/base/err.h"
#include "sim/base/escape.h"
#include "sim/base/mem.h"
#include "sim/policy/memory.h"
#include "sim/policy/thread_clock.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STACK_BYTES ((size_t)64 * 1024)
#define LOOKS       10 /* at the time that was used, until the limit */
#define LOOK_LEAST  4  /* ms between them: the kernel counts no finer */
#define LOOK_MOST   100

/* What ends a process when it goes wrong. */
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
#define CRASHES (sizeof crashes / sizeof *crashes)

/* What a plugin is asked; `about` a job or not. */
enum question {
    TO_LOAD,
    TO_BEGIN,
    TO_END,
    FOR_KEY,
    FOR_RANK,
    FOR_CHANGE,
    FOR_SCORE,
    TO_DECIDE,
    TO_SAVE,
    TO_LOAD_STATE,
    FOR_QUEUE,
    TO_ACT,
};

static const char *const questions[] = {
    [TO_LOAD] = "is being loaded",
    [TO_BEGIN] = "was asked to make its state",
    [TO_END] = "was asked to free its state",
    [FOR_KEY] = "was asked for the key",
    [FOR_RANK] = "was asked for the rank",
    [FOR_CHANGE] = "was asked for the next change of the rank",
    [FOR_SCORE] = "was asked for the score of a node",
    [TO_DECIDE] = "was asked to decide",
    [TO_SAVE] = "was asked to save its state",
    [TO_LOAD_STATE] = "was asked to load its saved state",
    [FOR_QUEUE] = "was asked for the key of a queue",
    [TO_ACT] = "was asked to act",
};

struct call {
    const char *volatile plugin; /* NULL: none is being called */
    enum question question;
    policy_job job; /* i = POLICY_NO_ID: see struct asked */
};

static _Thread_local struct {
    struct call call;
    bool ready;  /* the members below are initialised */
    void *stack; /* for handlers, when the thread's own has overflowed; NULL: there was one */
    bool timed;
    thread_clock clock; /* ticks while the thread uses CPU time */
    uint64_t decision;  /* the decision of the last tick, */
    int64_t spent_ms;   /* and the CPU time that the plugin has used for it */
} watch;

struct watched {
    struct policy_plugin shown;         /* first: called by the core */
    const struct policy_plugin *plugin; /* as it was loaded */
    struct policy_plugin known;         /* the same with all members of this version */
    struct watched *next;
};

static struct {
    pthread_mutex_t lock; /* of what follows */
    struct watched *first;
    bool ready;
    pthread_key_t key; /* its destructor releases what a thread has */
    int64_t limit_ms, look_ms;
    struct sigaction before[CRASHES];
} process = {.lock = PTHREAD_MUTEX_INITIALIZER, .limit_ms = PLUGIN_LIMIT_MS};

/* ---- messages, in handlers ---- */

static void put_seconds(struct ending_line *line, int64_t ms)
{
    int64_t rest = ms < 0 ? -(ms % 1000) : ms % 1000;
    if (ms < 0 && ms > -1000)
        ending_put(line, "-");
    ending_put_number(line, ms / 1000);
    if (rest > 0) {
        ending_put(line, rest < 10 ? ".00" : rest < 100 ? ".0" : ".");
        ending_put_number(line, rest);
    }
    ending_put(line, " s");
}

/* A name from a file, with '?' for what no terminal should get. escape_shown() would need memory.
 */
static void put_name(struct ending_line *line, const char *text)
{
    ending_put(line, "'");
    for (const char *end = text + strlen(text); text < end;) {
        size_t n;
        char letter[8] = "?";
        if (escape_is_shown(escape_decode(text, end, &n)) && n < sizeof letter) {
            memcpy(letter, text, n);
            letter[n] = '\0';
        }
        ending_put(line, letter);
        text += n;
    }
    ending_put(line, "'");
}

static void put_question(struct ending_line *line)
{
    uint64_t number;
    const struct asked *asked = asked_now(&number);
    const struct call call = watch.call;
    ending_put(line, "the plugin ");
    put_name(line, call.plugin);
    ending_put(line, " ");
    ending_put(line, questions[call.question]);
    const char *job = asked == NULL ? NULL : asked->job;
    if (asked != NULL && call.job.i != POLICY_NO_ID && asked->name != NULL)
        job = asked->name(asked->self, call.job);
    if (job != NULL) {
        ending_put(line, " of job ");
        put_name(line, job);
    }
    if (asked != NULL) {
        ending_put(line, " at ");
        put_seconds(line, asked->at);
    }
}

bool plugin_put_question(struct ending_line *line)
{
    if (watch.call.plugin == NULL)
        return false;
    put_question(line);
    return true;
}

/* The beginning of the last line of a process; what went wrong follows. */
static struct ending_line question_line(void)
{
    struct ending_line line = {0};
    ending_put(&line, "fauxfleet: ");
    put_question(&line);
    return line;
}

/* ---- what is handled ---- */

/* The previous handler follows: the default ends the process with the signal as its status. */
static void on_crash(int signal, siginfo_t *info, void *context)
{
    (void)context;
    (void)ending_remove_files(); /* first: the rest reads memory that the plugin may have
                                    corrupted */
    if (watch.call.plugin != NULL) {
        struct ending_line line = question_line();
        ending_put(&line, " and crashed: ");
        ending_put_signal(&line, signal);
        ending_write(&line);
    }
    watch.call.plugin = NULL;
    for (size_t i = 0; i < CRASHES; i++)
        if (crashes[i] == signal)
            (void)sigaction(signal, &process.before[i], NULL);
    if (info->si_code <= 0) /* sent by raise() or kill(): it would not come again by itself */
        (void)raise(signal);
}

/* Comes after each look_ms of CPU time of this thread. One look belongs to the time before the
 * decision. */
static void on_look(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)context;
    uint64_t decision;
    (void)asked_now(&decision);
    if (watch.call.plugin == NULL)
        return;
    if (decision != watch.decision) {
        watch.decision = decision;
        watch.spent_ms = -process.look_ms;
    }
    watch.spent_ms += process.look_ms * (1 + (int64_t)thread_clock_missed(info));
    if (watch.spent_ms < process.limit_ms)
        return;
    (void)ending_remove_files();
    struct ending_line line = question_line();
    ending_put(&line, " and used more than ");
    put_seconds(&line, process.limit_ms);
    ending_put(&line, " of CPU time (--decision-limit)");
    ending_write(&line);
    _exit(EXIT_INVARIANT);
}

static void on_exit_of_program(void)
{
    if (watch.call.plugin == NULL)
        return;
    (void)ending_remove_files();
    struct ending_line line = question_line();
    ending_put(&line, " and ended the program");
    ending_write(&line);
    _exit(EXIT_INVARIANT);
}

static void fini_thread(void *unused)
{
    (void)unused;
    if (watch.timed)
        thread_clock_stop(watch.clock);
    if (watch.stack != NULL) {
        const stack_t none = {.ss_flags = SS_DISABLE};
        (void)sigaltstack(&none, NULL);
        free(watch.stack);
    }
    watch.ready = watch.timed = false;
    watch.stack = NULL;
}

/* Under the lock, once. */
static void init_process(void)
{
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CRASHES; i++)
        (void)sigaction(crashes[i], &action, &process.before[i]);
    action.sa_sigaction = on_look;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    (void)sigaction(THREAD_CLOCK_SIGNAL, &action, NULL);
    (void)pthread_key_create(&process.key, fini_thread);
    (void)atexit(on_exit_of_program);
    int64_t look = process.limit_ms / LOOKS;
    process.look_ms = look < LOOK_LEAST ? LOOK_LEAST : look > LOOK_MOST ? LOOK_MOST : look;
    process.ready = true;
}

/* Sanitizers bring a stack of their own for handlers, and free it themselves. */
static void init_thread(void)
{
    stack_t stack;
    pthread_mutex_lock(&process.lock);
    if (!process.ready)
        init_process();
    pthread_mutex_unlock(&process.lock);
    watch.ready = true;
    (void)pthread_setspecific(process.key, &watch);
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE) != 0) {
        watch.stack = mem_resize(NULL, STACK_BYTES, 1);
        stack = (stack_t){.ss_sp = watch.stack, .ss_size = STACK_BYTES};
        (void)sigaltstack(&stack, NULL);
    }
    watch.timed = process.limit_ms > 0 && thread_clock_start(&watch.clock, process.look_ms);
}

void plugin_limit(int64_t ms)
{
    process.limit_ms = ms;
}

/* ---- calling ---- */

static const policy_job no_job = {POLICY_NO_ID, 0};

/* The outer question is restored afterwards: while a plugin decides, its own scores may be
 * requested. */
static struct call enter(const char *plugin, enum question question, policy_job job)
{
    const struct call before = watch.call;
    if (!watch.ready)
        init_thread();
    watch.call.question = question;
    watch.call.job = job;
    watch.call.plugin = plugin;
    return before;
}

static void leave(const struct call *before)
{
    watch.call.plugin = before->plugin;
    watch.call.question = before->question;
    watch.call.job = before->job;
}

/* The plugin's state as the core sees it. */
struct state {
    const struct policy_plugin *of;
    void *inner;
};

/* policy_allocator has one pointer for its owner, which tells whose state is created. */
static void *make_state(const struct policy_allocator *allocator,
                        const struct policy_plugin_setup *setup)
{
    const struct watched *watched = allocator->user;
    const struct policy_plugin *of = &watched->known;
    struct state *state = allocator->resize(allocator->user, NULL, 0, sizeof *state);
    if (state == NULL)
        return NULL;
    *state = (struct state){.of = of};
    if (of->create == NULL && of->open == NULL)
        return state;
    const struct call before = enter(of->name, TO_BEGIN, no_job);
    state->inner = of->open != NULL ? of->open(allocator, setup) : of->create(allocator);
    leave(&before);
    if (state->inner != NULL)
        return state;
    (void)allocator->resize(allocator->user, state, sizeof *state, 0);
    return NULL;
}

static void *create_state(const struct policy_allocator *allocator)
{
    return make_state(allocator, NULL);
}

static void destroy_state(void *self, const struct policy_allocator *allocator)
{
    struct state *state = self;
    if (state->inner != NULL && state->of->destroy != NULL) {
        const struct call before = enter(state->of->name, TO_END, no_job);
        state->of->destroy(state->inner, allocator);
        leave(&before);
    }
    (void)allocator->resize(allocator->user, state, sizeof *state, 0);
}

static int64_t ask_key(void *self, const struct policy_job_spec *spec)
{
    const struct state *state = self;
    const struct call before = enter(state->of->name, FOR_KEY, no_job);
    int64_t key = state->of->key(state->inner, spec);
    leave(&before);
    return key;
}

static int64_t ask_rank(void *self, const struct policy_plugin_job *job, policy_time now)
{
    const struct state *state = self;
    const struct call before = enter(state->of->name, FOR_RANK, job->id);
    int64_t rank = state->of->rank(state->inner, job, now);
    leave(&before);
    return rank;
}

static policy_time ask_change(void *self, const struct policy_plugin_job *job, policy_time now)
{
    const struct state *state = self;
    const struct call before = enter(state->of->name, FOR_CHANGE, job->id);
    policy_time at = state->of->changes(state->inner, job, now);
    leave(&before);
    return at;
}

static int64_t ask_score(void *self, const struct policy_plugin_node *node,
                         const struct policy_plugin_role *role)
{
    const struct state *state = self;
    const struct call before = enter(state->of->name, FOR_SCORE, no_job);
    int64_t score = state->of->score(state->inner, node, role);
    leave(&before);
    return score;
}

static void ask_decide(void *self, struct policy_plan *plan)
{
    const struct state *state = self;
    const struct call before = enter(state->of->name, TO_DECIDE, no_job);
    state->of->decide(state->inner, plan);
    leave(&before);
}

static int64_t ask_queue_key(void *self, const struct policy_view *view, policy_queue queue)
{
    const struct state *state = self;
    const struct call before = enter(state->of->name, FOR_QUEUE, no_job);
    int64_t key = state->of->queue_key(state->inner, view, queue);
    leave(&before);
    return key;
}

static void ask_act(void *self, struct policy_plan *plan)
{
    const struct state *state = self;
    const struct call before = enter(state->of->name, TO_ACT, no_job);
    state->of->act(state->inner, plan);
    leave(&before);
}

static size_t ask_save(const void *self, void *bytes, size_t room)
{
    const struct state *state = self;
    const struct call before = enter(state->of->name, TO_SAVE, no_job);
    size_t size = state->of->save(state->inner, bytes, room);
    leave(&before);
    return size;
}

static bool ask_load(void *self, uint32_t version, const void *bytes, size_t size)
{
    const struct state *state = self;
    const struct call before = enter(state->of->name, TO_LOAD_STATE, no_job);
    bool taken = state->of->load(state->inner, version, bytes, size);
    leave(&before);
    return taken;
}

/* ---- the plugin that the core sees ---- */

/* A shorter struct is an older one: missing members are zero. */
static struct policy_plugin known_of(const struct policy_plugin *plugin)
{
    struct policy_plugin known = {0};
    memcpy(&known, plugin, plugin->size < sizeof known ? plugin->size : sizeof known);
    return known;
}

static struct watched *watched_of(const struct policy_plugin *plugin)
{
    struct watched *watched = mem_alloc(1, sizeof *watched);
    const struct policy_plugin known = known_of(plugin);
    *watched = (struct watched){.shown = known, .plugin = plugin, .known = known};
    struct policy_plugin *shown = &watched->shown;
    shown->size = sizeof *shown;
    shown->create = known.open == NULL ? create_state : NULL;
    shown->open = known.open != NULL ? make_state : NULL;
    shown->destroy = destroy_state;
    shown->key = known.key != NULL ? ask_key : NULL;
    shown->rank = known.rank != NULL ? ask_rank : NULL;
    shown->changes = known.changes != NULL ? ask_change : NULL;
    shown->score = known.score != NULL ? ask_score : NULL;
    shown->decide = known.decide != NULL ? ask_decide : NULL;
    shown->queue_key = known.queue_key != NULL ? ask_queue_key : NULL;
    shown->act = known.act != NULL ? ask_act : NULL;
    shown->save = known.save != NULL ? ask_save : NULL;
    shown->load = known.load != NULL ? ask_load : NULL;
    return watched;
}

const struct policy_plugin *plugin_watched(const struct policy_plugin *plugin)
{
    struct policy_config unused;
    struct policy_error why;
    if (policy_config_plugin(&unused, plugin, policy_memory(), &why) != POLICY_OK)
        return plugin; /* the core reports it again when it is chosen */
    pthread_mutex_lock(&process.lock);
    struct watched *watched = process.first;
    while (watched != NULL && watched->plugin != plugin)
        watched = watched->next;
    if (watched == NULL) {
        watched = watched_of(plugin);
        watched->next = process.first;
        process.first = watched;
    }
    pthread_mutex_unlock(&process.lock);
    return &watched->shown;
}

struct policy_allocator plugin_memory(const struct policy_plugin *watched)
{
    struct policy_allocator memory = policy_memory();
    memory.user = (void *)(uintptr_t)watched; /* `shown` is the first member; libc needs no owner */
    return memory;
}

void plugin_loading(const char *path)
{
    (void)enter(path, TO_LOAD, no_job);
}

void plugin_loaded(void)
{
    watch.call.plugin = NULL;
}
