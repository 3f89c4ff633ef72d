/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Child processes under watch; see children.h. */
#include "sim/base/children.h"

#include "sim/base/clock.h"
#include "sim/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define NOT_RESIDENT_MIB 256 /* of address space that a process has beside */
#define TICK_MS          100 /* between two looks at limits and signals */
/* a tick counts no more than this: the whole program may have been suspended */
#define STEP_MS   (2 * TICK_MS)
#define DISK_MS   60000 /* at least this long may a child wait for the disk: no fault of its own */
#define SAID_MOST 4096  /* bytes of standard error that are kept */
#define ROUNDS    1024  /* of reading from one child before the others have their turn */
#define DEAD_MS   5     /* between two questions whether a child without pipes is gone */
/* one that waits, and uses less than this part of the time, makes no progress */
#define IDLE_SHARE 100

enum { ANSWER, SAID, PIPES };

struct child {
    size_t number;
    pid_t pid; /* 0: this place is free */
    int pipes[PIPES];
    char *texts[PIPES];
    size_t counts[PIPES], capacities[PIPES];
    int64_t moved_ns;      /* CPU time when it last made progress */
    int64_t blocked_ms;    /* how long it has waited since, but for the disk */
    int64_t disk_ms;       /* and how long for the disk */
    int64_t peak_kib;      /* resident, 0: no more than another child before */
    enum child_end killed; /* CHILD_EXITED: not by us */
};

struct nursery {
    struct children *work;
    struct child *places;
    struct pollfd *polled;
    size_t place_count, next, running;
    int64_t ticked_ms;
};

/* ---- starting ---- */

static void free_texts(char **texts)
{
    for (size_t i = 0; texts != NULL && texts[i] != NULL; i++)
        free(texts[i]);
    free(texts);
}

/* Both ends are closed in other programs; the reading end never waits. */
static bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return true;
}

/* Returns an error number. */
static int spawn(const struct child_command *command, const int writing[PIPES], pid_t *pid)
{
    extern char **environ;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    (void)sigemptyset(&none);
    int failed = posix_spawn_file_actions_init(&files);
    if (failed != 0)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed == 0) {
        (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
        (void)posix_spawnattr_setsigmask(&attributes, &none);
        (void)posix_spawnattr_setpgroup(&attributes, 0);
        failed = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        for (int i = 0; i < PIPES && failed == 0; i++)
            failed = posix_spawn_file_actions_adddup2(&files, writing[i], i + STDOUT_FILENO);
        if (failed == 0)
            failed = posix_spawn(pid, command->program, &files, &attributes, command->words,
                                 command->environment != NULL ? command->environment : environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&files);
    return failed;
}

static bool start(struct child *child, const struct child_command *command, struct err *err)
{
    int ends[PIPES][2] = {{-1, -1}, {-1, -1}};
    int failed = 0;
    for (int i = 0; i < PIPES && failed == 0; i++)
        failed = open_pipe(ends[i]) ? 0 : errno;
    if (failed == 0)
        failed = spawn(command, (const int[PIPES]){ends[ANSWER][1], ends[SAID][1]}, &child->pid);
    for (int i = 0; i < PIPES; i++) {
        if (ends[i][1] >= 0)
            (void)close(ends[i][1]);
        if (failed != 0 && ends[i][0] >= 0)
            (void)close(ends[i][0]);
        child->pipes[i] = ends[i][0];
    }
    if (failed == 0)
        return true;
    child->pid = 0;
    return err_set(err, EXIT_INTERNAL, "cannot start a child process (%s): %s", command->program,
                   strerror(failed));
}

static bool start_next(struct nursery *n, struct err *err)
{
    struct child *child = n->places;
    while (child->pid != 0)
        child++;
    *child = (struct child){.number = n->next++};
    struct child_command command = {0};
    n->work->describe(n->work->self, child->number, &command);
    bool ok = start(child, &command, err);
    free_texts(command.words);
    free_texts(command.environment);
    n->running += ok;
    return ok;
}

/* ---- listening ---- */

/* Of an answer all is kept, of the rest the end. */
static void keep(struct child *child, int which, const char *bytes, size_t n)
{
    size_t *count = &child->counts[which];
    if (which == SAID && *count + n > SAID_MOST) {
        size_t rest = SAID_MOST - n, drop = *count > rest ? *count - rest : 0;
        memmove(child->texts[which], child->texts[which] + drop, *count - drop);
        *count -= drop;
    }
    child->texts[which] =
        mem_grow(child->texts[which], &child->capacities[which], *count + n + 1, 1);
    memcpy(child->texts[which] + *count, bytes, n);
    *count += n;
    child->texts[which][*count] = '\0';
}

/* Reads what is there, in at most ROUNDS pieces, so that a child that prints without end cannot
 * hold up its own limits. */
static void listen_to(struct child *child, int which)
{
    char bytes[SAID_MOST];
    for (int round = 0; child->pipes[which] >= 0 && round < ROUNDS; round++) {
        ssize_t n = read(child->pipes[which], bytes, sizeof bytes);
        if (n > 0) {
            keep(child, which, bytes, (size_t)n);
        } else if (n < 0 && errno == EINTR) {
            continue;
        } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        } else {
            (void)close(child->pipes[which]);
            child->pipes[which] = -1;
        }
    }
}

/* Waits until some child has something to say, or for a tick. */
static void listen_all(struct nursery *n)
{
    size_t count = 0;
    int wait_ms = TICK_MS;
    for (size_t i = 0; i < n->place_count; i++) {
        const struct child *child = &n->places[i];
        for (int which = 0; child->pid != 0 && which < PIPES; which++)
            if (child->pipes[which] >= 0)
                n->polled[count++] = (struct pollfd){.fd = child->pipes[which], .events = POLLIN};
        if (child->pid != 0 && child->pipes[ANSWER] < 0 && child->pipes[SAID] < 0)
            wait_ms = DEAD_MS;
    }
    (void)poll(n->polled, (nfds_t)count, wait_ms);
    for (size_t i = 0; i < n->place_count; i++)
        for (int which = 0; n->places[i].pid != 0 && which < PIPES; which++)
            listen_to(&n->places[i], which);
}

/* ---- limits ---- */

static void end(struct child *child, enum child_end why)
{
    if (child->killed == CHILD_EXITED)
        child->killed = why;
    (void)kill(-child->pid, SIGKILL);
    (void)kill(child->pid, SIGKILL); /* it may have left its group */
}

static int64_t resident_mib(pid_t pid)
{
    char path[64];
    long long pages = 0;
    (void)snprintf(path, sizeof path, "/proc/%lld/statm", (long long)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*s %lld", &pages) != 1)
        pages = 0;
    (void)fclose(file);
    return pages * sysconf(_SC_PAGESIZE) >> 20;
}

/*
 * What the process is doing, as proc(5) has it. A stopped process (T) waits, and so does one whose
 * first thread has ended (Z) while others live; one that is runnable (R) or in a debugger (t) does
 * not. D is an uninterruptible wait, mostly for the disk.
 */
static char state_of(pid_t pid)
{
    char path[64], state = 'S';
    (void)snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    FILE *file = fopen(path, "re");
    if (file != NULL && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'S';
    if (file != NULL)
        (void)fclose(file);
    return state;
}

/* Adds up how long the child has made no progress. */
static void count_wait(struct child *child, int64_t cpu_ns, int64_t progress_ns, int64_t passed_ms)
{
    char state = state_of(child->pid);
    if (cpu_ns - child->moved_ns >= progress_ns || state == 'R' || state == 't') {
        child->moved_ns = cpu_ns;
        child->blocked_ms = child->disk_ms = 0;
    } else {
        *(state == 'D' ? &child->disk_ms : &child->blocked_ms) += passed_ms;
    }
}

static bool is_blocked(const struct child *child, int64_t limit_ms)
{
    return child->blocked_ms > limit_ms ||
           child->disk_ms > (limit_ms > DISK_MS ? limit_ms : DISK_MS);
}

static void check_limits(struct nursery *n, struct child *child, int64_t passed_ms)
{
    const struct child_limits *limits = &n->work->limits;
    clockid_t clock;
    if (clock_getcpuclockid(child->pid, &clock) != 0)
        return;
    int64_t cpu_ns = clock_ns(clock);
    count_wait(child, cpu_ns, limits->blocked_ms * 1000000 / IDLE_SHARE, passed_ms);
    if (limits->cpu_ms > 0 && cpu_ns / 1000000 > limits->cpu_ms)
        end(child, CHILD_OVER_TIME);
    else if (limits->blocked_ms > 0 && is_blocked(child, limits->blocked_ms))
        end(child, CHILD_WAS_BLOCKED);
    else if (limits->memory_mib > 0 && resident_mib(child->pid) > limits->memory_mib)
        end(child, CHILD_OVER_MEMORY);
}

static void tick(struct nursery *n)
{
    int64_t now_ms = clock_ns(CLOCK_MONOTONIC) / 1000000, passed_ms = now_ms - n->ticked_ms;
    if (passed_ms < TICK_MS)
        return;
    n->ticked_ms = now_ms;
    for (size_t i = 0; i < n->place_count; i++)
        if (n->places[i].pid != 0)
            check_limits(n, &n->places[i], passed_ms < STEP_MS ? passed_ms : STEP_MS);
}

/* ---- ending ---- */

static void forget(struct nursery *n, struct child *child)
{
    for (int which = 0; which < PIPES; which++) {
        if (child->pipes[which] >= 0)
            (void)close(child->pipes[which]);
        free(child->texts[which]);
    }
    *child = (struct child){0};
    n->running--;
}

/* A limit of the system's gives no reason: an allocation fails, or SIGXCPU comes. */
static enum child_end end_of(const struct children *work, const struct child *child, bool signaled,
                             int code)
{
    if (child->killed != CHILD_EXITED)
        return child->killed;
    if (signaled && code == SIGXCPU)
        return CHILD_OVER_TIME;
    bool near =
        work->limits.memory_mib > 0 && child->peak_kib > work->limits.memory_mib * 1024 / 4 * 3;
    if (near && (signaled || (code != 0 && child->counts[ANSWER] == 0)))
        return CHILD_OVER_MEMORY;
    return signaled ? CHILD_SIGNALED : CHILD_EXITED;
}

/* Hands over the result of a child that has ended. */
static bool take(struct nursery *n, struct child *child, int status, struct err *err)
{
    struct children *work = n->work;
    bool signaled = WIFSIGNALED(status), ok = true;
    int code = signaled ? WTERMSIG(status) : WEXITSTATUS(status);
    for (int which = 0; which < PIPES; which++) {
        listen_to(child, which);
        keep(child, which, "", 0);
    }
    struct child_result result = {.end = end_of(work, child, signaled, code),
                                  .code = code,
                                  .answer = child->texts[ANSWER],
                                  .answer_n = child->counts[ANSWER],
                                  .said = child->texts[SAID]};
    if (child->number < work->count)
        ok = work->done(work->self, child->number, &result, err);
    forget(n, child);
    return ok;
}

static bool has_ended(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

static bool reap(struct nursery *n, struct err *err)
{
    for (size_t i = 0; i < n->place_count; i++) {
        struct child *child = &n->places[i];
        int status;
        if (child->pid == 0 || !has_ended(child->pid))
            continue;
        (void)kill(-child->pid,
                   SIGKILL); /* what it left behind: the number of its group is still its own */
        struct rusage before, after;
        (void)getrusage(RUSAGE_CHILDREN, &before);
        if (waitpid(child->pid, &status, 0) != child->pid)
            continue;
        (void)getrusage(RUSAGE_CHILDREN, &after);
        child->peak_kib = after.ru_maxrss > before.ru_maxrss ? after.ru_maxrss : 0;
        if (!take(n, child, status, err))
            return false;
    }
    return true;
}

/* Those with a number that is not wanted any more. */
static void end_from(struct nursery *n, size_t first)
{
    for (size_t i = 0; i < n->place_count; i++)
        if (n->places[i].pid != 0 && n->places[i].number >= first)
            end(&n->places[i], CHILD_SIGNALED);
}

static void end_all(struct nursery *n)
{
    end_from(n, 0);
    for (size_t i = 0; i < n->place_count; i++) {
        if (n->places[i].pid == 0)
            continue;
        while (waitpid(n->places[i].pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        forget(n, &n->places[i]);
    }
}

bool children_run(struct children *work, struct err *err)
{
    struct nursery n = {.work = work, .place_count = work->most > 1 ? (size_t)work->most : 1};
    n.place_count = n.place_count < work->count ? n.place_count : work->count;
    n.places = mem_alloc(n.place_count + 1, sizeof *n.places);
    n.polled = mem_alloc(PIPES * n.place_count + 1, sizeof *n.polled);
    n.ticked_ms = clock_ns(CLOCK_MONOTONIC) / 1000000;
    bool ok = true, stopped = false;
    while (ok && !stopped && (n.next < work->count || n.running > 0)) {
        stopped = work->stop != NULL && work->stop(work->self);
        while (ok && !stopped && n.running < n.place_count && n.next < work->count)
            ok = start_next(&n, err);
        listen_all(&n);
        tick(&n);
        stopped |= work->stop != NULL && work->stop(work->self);
        ok = ok && (stopped || reap(&n, err));
        end_from(&n, work->count);
    }
    end_all(&n);
    free(n.places);
    free(n.polled);
    return ok;
}

/* ---- in the child ---- */

static struct rlimit lowered(struct rlimit now, int64_t most, int64_t slack)
{
    rlim_t soft = (rlim_t)most, hard = (rlim_t)(most + slack);
    if (now.rlim_max == RLIM_INFINITY || now.rlim_max > hard)
        now.rlim_max = hard;
    if (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > soft)
        now.rlim_cur = soft < now.rlim_max ? soft : now.rlim_max;
    return now;
}

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define RESERVES_MEMORY 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RESERVES_MEMORY 1
#endif
#endif
#ifndef RESERVES_MEMORY
#define RESERVES_MEMORY 0
#endif

void children_limit_self(const struct child_limits *limits)
{
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    struct pollfd answer = {.fd = STDOUT_FILENO};
    if (poll(&answer, 1, 0) == 1 && (answer.revents & POLLERR) != 0)
        _exit(EXIT_INTERNAL); /* nothing reads it: the parent ended before it could be asked to end
                                 this one */
    struct rlimit now;
    if (limits->cpu_ms > 0 &&
        getrlimit(RLIMIT_CPU, &now) == 0) { /* later than the parent, which knows the reason */
        now = lowered(now, limits->cpu_ms / 1000 + 2, 2);
        (void)setrlimit(RLIMIT_CPU, &now);
    }
    if (limits->memory_mib > 0 && !RESERVES_MEMORY && getrlimit(RLIMIT_AS, &now) == 0) {
        now = lowered(now, (limits->memory_mib + NOT_RESIDENT_MIB) << 20, 0);
        (void)setrlimit(RLIMIT_AS, &now);
    }
}
