/* SPDX-License-Identifier: MIT */
/*
 * Signal handlers and the state that they share with the program; see ending.h. Handlers take no
 * context argument, so this state is a mutable static object, which this project otherwise avoids.
 * All of it is atomic, or written before an atomic announces it.
 */
#include "policies/adapters/ending/ending.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define EXIT_BY_SIGNAL 128
#define TICK_MS        50
#define LAST_WORD_MS   100
#define FILES          256
#define LONGEST        1024 /* bytes of a path; longer ones are not recorded */

enum { FREE, BUSY, NOTED };

static struct {
    void (*last)(int signal, int removed);
    pid_t
        process; /* forked children remove no files and print nothing: they belong to the parent */
    const char *_Atomic held;
    atomic_bool orderly; /* the first signal is only recorded */
    atomic_bool ends;    /* some thread is ending the process */
    atomic_int signal;   /* the recorded one */
    atomic_int echo; /* the same signal again since the last tick does not count as a second one */
    atomic_int keeping; /* number of open keep/kept pairs */
    atomic_int ticks;   /* of the grace period, elapsed */
    struct {
        atomic_int state;
        char path[LONGEST];
    } files[FILES];
} ending;

/* ---- files ---- */

int ending_file(const char *path)
{
    size_t n = strlen(path);
    while (atomic_load(&ending.ends)) /* create nothing new while another thread ends the process */
        (void)pause();
    for (int i = 0; n < LONGEST && i < FILES; i++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&ending.files[i].state, &expected, BUSY))
            continue;
        memcpy(ending.files[i].path, path, n + 1);
        atomic_store(&ending.files[i].state, NOTED);
        return i + 1;
    }
    return 0;
}

void ending_file_done(int number)
{
    if (number > 0 && number <= FILES)
        atomic_store(&ending.files[number - 1].state, FREE);
}

int ending_remove_files(void)
{
    int removed = 0;
    for (int i = 0; i < FILES; i++)
        if (atomic_load(&ending.files[i].state) == NOTED && unlink(ending.files[i].path) == 0)
            removed++;
    return removed;
}

/* ---- the end ---- */

static void set_timer(int first_ms, int then_ms)
{
    const struct itimerval time = {{0, then_ms * 1000}, {0, first_ms * 1000}};
    (void)setitimer(ITIMER_REAL, &time, NULL);
}

static sigset_t ours(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    sigset_t set;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        (void)sigaddset(&set, signals[i]);
    return set;
}

/* The last word may block on a full pipe: a timer, or another signal, ends that too. */
static void end(int signal)
{
    if (!atomic_exchange(&ending.ends, true) && getpid() == ending.process) {
        sigset_t set = ours();
        int removed = ending_remove_files();
        atomic_store(&ending.signal, signal);
        set_timer(LAST_WORD_MS, LAST_WORD_MS);
        (void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
        if (ending.last != NULL)
            ending.last(signal, removed);
        (void)ending_remove_files(); /* other threads were about to create these */
    }
    _exit(EXIT_BY_SIGNAL + signal);
}

static void on_signal(int signal)
{
    int error = errno, none = 0;
    if (atomic_exchange(&ending.echo, signal) == signal && getpid() == ending.process)
        return;
    if (!atomic_load(&ending.orderly) ||
        !atomic_compare_exchange_strong(&ending.signal, &none, signal))
        end(signal);
    set_timer(TICK_MS, TICK_MS);
    errno = error;
}

static void on_tick(int alarm)
{
    int error = errno, signal = atomic_load(&ending.signal);
    (void)alarm;
    if (atomic_load(&ending.ends))
        _exit(EXIT_BY_SIGNAL + signal);
    atomic_store(&ending.echo, 0);
    if (atomic_load(&ending.keeping) > 0)
        atomic_store(&ending.ticks, 0);
    else if (signal != 0 && atomic_fetch_add(&ending.ticks, 1) + 1 >= ENDING_GRACE_MS / TICK_MS)
        end(signal);
    errno = error;
}

static bool is_ignored(int signal)
{
    struct sigaction now;
    return sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void ending_begin(void (*last)(int signal, int removed))
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_mask = ours(), .sa_flags = SA_RESTART};
    ending.last = last;
    ending.process = getpid();
    atomic_store(&ending.echo, 0);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i] != SIGHUP || !is_ignored(SIGHUP))
            (void)sigaction(signals[i], &action, NULL);
    action.sa_handler = on_tick;
    (void)sigaction(SIGALRM, &action, NULL);
    (void)pthread_sigmask(SIG_UNBLOCK, &action.sa_mask,
                          NULL); /* the parent process may have blocked them */
}

/* ---- the three states ---- */

void ending_in_order(void)
{
    atomic_store(&ending.orderly, true);
}

void ending_at_once(void)
{
    atomic_store(&ending.orderly, false);
    int signal = ending_signal();
    if (signal != 0)
        end(signal);
}

void ending_holds(const char *what)
{
    atomic_store(&ending.held, what);
}

const char *ending_held(void)
{
    return atomic_load(&ending.held);
}

int ending_signal(void)
{
    return atomic_load(&ending.signal);
}

void ending_keep(void)
{
    atomic_fetch_add(&ending.keeping, 1);
}

void ending_kept(void)
{
    atomic_store(&ending.ticks, 0);
    atomic_fetch_sub(&ending.keeping, 1);
}

/* ---- lines ---- */

void ending_put(struct ending_line *line, const char *text)
{
    /* One byte is reserved for the newline. Control characters in names must not reach the
     * terminal. */
    for (; *text != '\0' && line->length + 1 < sizeof line->text; text++)
        line->text[line->length++] =
            (char)((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
}

void ending_put_number(struct ending_line *line, long long value)
{
    char digits[24];
    char *at = digits + sizeof digits;
    unsigned long long rest = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    *--at = '\0';
    do
        *--at = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (value < 0)
        *--at = '-';
    ending_put(line, at);
}

void ending_put_signal(struct ending_line *line, int signal)
{
    static const struct {
        int signal;
        const char *name;
    } rows[] = {
        {SIGINT, "SIGINT"},   {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGSEGV, "SIGSEGV"},
        {SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"},   {SIGBUS, "SIGBUS"}, {SIGILL, "SIGILL"},
        {SIGTRAP, "SIGTRAP"}, {SIGSYS, "SIGSYS"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].signal == signal) {
            ending_put(line, rows[i].name);
            return;
        }
    ending_put(line, "signal ");
    ending_put_number(line, signal);
}

void ending_write(struct ending_line *line)
{
    line->text[line->length] = '\n';
    (void)!write(STDERR_FILENO, line->text, line->length + 1);
}
