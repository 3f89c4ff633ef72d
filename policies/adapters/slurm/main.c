/* SPDX-License-Identifier: MIT */
/*
 * fauxfleet-slurm: the policy core schedules a Slurm cluster, in a loop of observing, reporting,
 * deciding and ordering; see tracker.h. Messages go to standard error, each line with the local
 * time.
 */
#include "policies/adapters/ending/ending.h"
#include "policies/adapters/slurm/life.h"
#include "policies/adapters/slurm/load.h"
#include "policies/adapters/slurm/memory.h"
#include "policies/adapters/slurm/options.h"
#include "policies/adapters/slurm/send.h"
#include "policies/adapters/slurm/tracker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <slurm/slurm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXIT_USAGE     2
#define EXIT_NO_SLURM  3
#define EXIT_INTERNAL  70
#define EXIT_BY_SIGNAL 128

#define CHAPTER 50000 /* records: this many are replayed at the next start */

struct lines {
    char **texts;
    size_t count;
};

struct adapter {
    struct options options;
    struct config config;
    struct policy_config core;
    struct facts facts;
    struct life life;
    struct tracker *tracker;   /* in shadow mode: of this look only */
    struct lines said, before; /* in shadow mode: messages of this look and the last one */
    bool answered;             /* Slurm answered the last request */
    char error[CONFIG_ERROR];
};

/* ---- messages ---- */

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Monotonic time. */
static int64_t steady_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Names come from Slurm and from files: control characters, including those after 0xc2 in UTF-8,
 * must not reach the terminal. */
static void put_shown(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        bool is_second = c[0] == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f;
        c += is_second;
        if (*c < 0x20 || *c == 0x7f || is_second)
            (void)fprintf(stderr, "\\u%04x", *c);
        else
            (void)fputc(*c, stderr);
    }
}

/* The same for errors before the program starts. */
static void refuse(const char *why)
{
    (void)fputs("fauxfleet-slurm: ", stderr);
    put_shown(why);
    (void)fputc('\n', stderr);
}

static void print(const char *line)
{
    char date[32] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local) != NULL)
        (void)strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &local);
    (void)fprintf(stderr, "%s ", date);
    put_shown(line);
    (void)fputc('\n', stderr);
}

static bool contains(const struct lines *lines, const char *text)
{
    for (size_t i = 0; i < lines->count; i++)
        if (strcmp(lines->texts[i], text) == 0)
            return true;
    return false;
}

static void clear(struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        free(lines->texts[i]);
    free(lines->texts);
    *lines = (struct lines){NULL, 0};
}

/* In shadow mode every look decides anew, and only new messages are printed. */
static void say(void *of, const char *line)
{
    struct adapter *a = of;
    if (a->options.quiet)
        return;
    if (!a->options.act) {
        a->said.texts = memory_resize(a->said.texts, a->said.count + 1, sizeof *a->said.texts);
        a->said.texts[a->said.count++] = memory_text(line);
        if (contains(&a->before, line))
            return;
    }
    print(line);
}

static void complain(const char *what, const char *why)
{
    char line[CONFIG_ERROR + 128];
    (void)snprintf(line, sizeof line, "fauxfleet-slurm: %s%s%s", what, *why ? ": " : "", why);
    print(line);
}

/* ---- the configuration ---- */

static bool read_config(struct config *config, struct policy_config *core,
                        const struct options *options, char error[CONFIG_ERROR])
{
    return config_read(config, options->config, error) &&
           (options->policy == NULL || config_policy(config, options->policy, error)) &&
           config_core(config, core, error);
}

/* SIGHUP asks a daemon, which has no terminal, to read its configuration again; on a terminal it
 * ends the program. Blocked and polled, the signal interrupts nothing. */
static sigset_t reload_signal(void)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGHUP);
    return set;
}

static void expect_reloads(const struct options *options)
{
    int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    const sigset_t set = reload_signal();
    if (terminal >= 0)
        (void)close(terminal);
    else if (options->config != NULL)
        (void)sigprocmask(SIG_BLOCK, &set, NULL);
}

/* A configuration that cannot be used leaves the one in use as it is. */
static void reload_if_asked(struct adapter *a)
{
    const sigset_t set = reload_signal();
    const struct timespec at_once = {0, 0};
    struct config fresh = {.policy = NULL};
    struct policy_config core;
    char why[CONFIG_ERROR] = "";
    if (sigtimedwait(&set, NULL, &at_once) != SIGHUP)
        return;
    if (read_config(&fresh, &core, &a->options, why) && config_replace(&a->config, &fresh, why))
        print("fauxfleet-slurm: read the configuration again");
    else
        complain("the configuration stays as it was", why);
    config_fini(&fresh);
}

/* ---- one look ---- */

static bool look(struct adapter *a, struct view *view)
{
    const char *why = "";
    bool answered = load_view(view, &why);
    if (!answered && a->answered)
        complain("Slurm does not answer", why);
    if (answered && !a->answered && a->tracker != NULL)
        say(a, "Slurm answers again");
    a->answered = answered;
    return answered;
}

static void send_all(struct adapter *a, struct orders *orders)
{
    for (size_t i = 0; i < orders->count && a->options.act; i++) {
        const struct order *order = &orders->list[i];
        const char *why = "";
        char what[128];
        if (send_order(order, &why))
            continue;
        (void)snprintf(what, sizeof what, "cannot %s job %.64s", order_verb(order->kind),
                       order->job);
        complain(what, why);
    }
    orders_clear(orders);
}

/* Observes until Slurm's state is ready for a decision: jobs taken just now count at once. */
static int observe(struct adapter *a, struct orders *orders)
{
    for (int looks = 0; looks < 2; looks++) {
        struct view view;
        if (!look(a, &view))
            return EXIT_NO_SLURM;
        bool ok = tracker_observe(a->tracker, &view, now_ms(), orders, a->error);
        if (ok)
            life_tell(&a->life, a->tracker, &view);
        view_fini(&view);
        if (!ok)
            return EXIT_INTERNAL;
        bool taken = false;
        for (size_t i = 0; i < orders->count; i++)
            taken = taken || orders->list[i].kind == ORDER_TAKE;
        send_all(a, orders);
        if (!taken || !a->options.act)
            break;
    }
    return EXIT_SUCCESS;
}

static bool make_tracker(struct adapter *a)
{
    const struct tracker_options options = {.shadow = !a->options.act,
                                            .start_timeout_ms = a->options.start_timeout_ms,
                                            .requeue_wait_ms = a->options.requeue_wait_ms,
                                            .repeat_ms = 10000};
    const struct tracker_world world = {&a->config, &a->core, &a->facts, say, a};
    if (a->tracker == NULL)
        a->tracker = tracker_create(&options, &world, now_ms(), a->error);
    return a->tracker != NULL;
}

static int cycle(struct adapter *a)
{
    struct orders orders = {NULL, 0};
    if (!life_clock(&a->life, now_ms(), steady_ms(), a->error, sizeof a->error) || !make_tracker(a))
        return EXIT_INTERNAL;
    int status = observe(a, &orders);
    if (status == EXIT_SUCCESS && !tracker_decide(a->tracker, now_ms(), &orders, a->error))
        status = EXIT_INTERNAL;
    if (a->facts.log.error != 0) { /* nothing is carried out that the journal lacks */
        (void)snprintf(a->error, sizeof a->error, "%s: %s", a->life.log,
                       strerror(a->facts.log.error));
        orders_clear(&orders);
        status = EXIT_INTERNAL;
    }
    send_all(a, &orders);
    if (status == EXIT_SUCCESS && (!a->options.act || a->options.once))
        tracker_explain(a->tracker);
    if (a->options.sync_ms > 0)
        (void)fact_log_sync(&a->facts.log);
    if (!a->options.act) {
        tracker_destroy(a->tracker);
        a->tracker = NULL;
        clear(&a->before);
        a->before = a->said;
        a->said = (struct lines){NULL, 0};
    }
    return status;
}

/* ---- history ---- */

/* Closes a long section of the journal and begins another, like the next run would. On failure
 * everything stays in the current section. */
static void turn_the_page(struct adapter *a)
{
    if (a->tracker == NULL || !life_is_long(&a->life, a->tracker))
        return;
    if (!life_save(&a->life, a->tracker, now_ms(), a->error, sizeof a->error)) {
        complain("cannot save what the policy remembers", a->error);
        return;
    }
    tracker_destroy(a->tracker);
    a->tracker = NULL;
}

/* Saves the history at the end. The journal has it all, so nothing is lost on failure. */
static int save(struct adapter *a, int status)
{
    if (a->tracker == NULL || life_save(&a->life, a->tracker, now_ms(), a->error, sizeof a->error))
        return status;
    complain("cannot save what the policy remembers", a->error);
    return status == EXIT_SUCCESS ? EXIT_INTERNAL : status;
}

/* ---- the loop ---- */

static int64_t pause_ms(const struct adapter *a)
{
    int64_t pause = a->options.interval_ms;
    policy_time wakeup = a->tracker != NULL ? tracker_wakeup(a->tracker) : INT64_MAX;
    int64_t now = now_ms();
    if (wakeup < now + pause)
        pause = wakeup > now + 100 ? wakeup - now : 100;
    return pause;
}

/* Waits and returns the signal that arrived, possibly before the call, or 0. Signals are only
 * unblocked during the wait; otherwise one between check and wait would be missed. */
static int rest(int64_t ms)
{
    const struct timespec time = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, &before);
    if (ending_signal() == 0)
        (void)pselect(0, NULL, NULL, NULL, &time, &before);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return ending_signal();
}

/* Called in a handler: Slurm or the policy did not respond in time. */
static void last_word(int signal, int removed)
{
    struct ending_line line = {0};
    (void)removed;
    ending_put(&line, "fauxfleet-slurm: ended by ");
    ending_put_signal(&line, signal);
    ending_write(&line);
}

static int loop(struct adapter *a)
{
    ending_in_order();
    for (;;) {
        reload_if_asked(a);
        int status = cycle(a);
        if (status == EXIT_INTERNAL) {
            complain("ends", a->error);
            return status;
        }
        if (a->options.once)
            return save(a, status);
        turn_the_page(a);
        int signal = rest(pause_ms(a));
        if (signal != 0) {
            ending_keep();
            int code = save(a, EXIT_BY_SIGNAL + signal);
            ending_kept();
            return code;
        }
    }
}

/* Checks in a child: Slurm's library ends a process for which it finds no configuration, with its
 * own message and exit code 1. */
static bool slurm_is_configured(void)
{
    int status = 0;
    const char *path = getenv("SLURM_CONF");
    if (path != NULL && access(path, R_OK) != 0) { /* it would search for a minute */
        (void)fprintf(stderr, "fauxfleet-slurm: SLURM_CONF: %s: %s\n", path, strerror(errno));
        return false;
    }
    pid_t child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* it may search for minutes */
        slurm_init(NULL);
        _exit(EXIT_SUCCESS);
    }
    return child < 0 || waitpid(child, &status, 0) != child || status == 0;
}

/* For --check: reads without changing anything. */
static bool check(struct adapter *a, const struct life_options *files)
{
    return read_config(&a->config, &a->core, &a->options, a->error) &&
           life_check(files, a->error, sizeof a->error);
}

int main(int argc, char **argv)
{
    struct adapter a = {.answered = true, .facts = {.log = {.file = -1}}};
    ending_begin(last_word);
    int status = options_parse(&a.options, argc, argv);
    if (status >= 0)
        return status;
    const struct life_options files = {.journal = a.options.journal,
                                       .state = a.options.state,
                                       .sync_ms = a.options.sync_ms,
                                       .most_jump_ms = a.options.most_jump_ms,
                                       .chapter = CHAPTER};
    if (!check(&a, &files)) {
        refuse(a.error);
        status = EXIT_USAGE;
    } else if (a.options.check) {
        status = EXIT_SUCCESS;
    } else if (!slurm_is_configured()) {
        (void)fprintf(stderr,
                      "fauxfleet-slurm: Slurm is not configured here (see above): expected "
                      "SLURM_CONF to name its slurm.conf, or one where Slurm looks for it\n");
        status = EXIT_USAGE;
    } else if (!life_begin(&a.life, &files, a.config.policy, &a.facts, now_ms(), a.error,
                           sizeof a.error)) {
        refuse(a.error);
        status = EXIT_USAGE;
    } else {
        (void)setenv("SLURM_BITSTR_LEN", "0", 1); // full task lists of arrays
        slurm_init(NULL);
        expect_reloads(&a.options);
        status = loop(&a);
        slurm_fini();
    }
    tracker_destroy(a.tracker);
    life_end(&a.life);
    facts_close(&a.facts);
    clear(&a.said);
    clear(&a.before);
    config_fini(&a.config);
    return status;
}
