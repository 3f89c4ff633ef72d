/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fault library: the settings in the environment, the counter shared by a process tree, and the
 * verdict on a call. Everything is done by system calls, since libc's functions are replaced by our
 * own.
 */
#include "tests/preload/faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *const families[FAULT_FAMILIES] = {
    [FAULT_ACCEPT] = "accept",   [FAULT_CHDIR] = "chdir",   [FAULT_CLOSE] = "close",
    [FAULT_DUP] = "dup",         [FAULT_EXEC] = "exec",     [FAULT_FORK] = "fork",
    [FAULT_FSYNC] = "fsync",     [FAULT_LINK] = "link",     [FAULT_LOCK] = "lock",
    [FAULT_MKDIR] = "mkdir",     [FAULT_MMAP] = "mmap",     [FAULT_OPEN] = "open",
    [FAULT_OPENDIR] = "opendir", [FAULT_PIPE] = "pipe",     [FAULT_READ] = "read",
    [FAULT_READDIR] = "readdir", [FAULT_RECV] = "recv",     [FAULT_RENAME] = "rename",
    [FAULT_SEEK] = "seek",       [FAULT_SEND] = "send",     [FAULT_SOCKET] = "socket",
    [FAULT_STAT] = "stat",       [FAULT_THREAD] = "thread", [FAULT_TRUNCATE] = "truncate",
    [FAULT_UNLINK] = "unlink",   [FAULT_WAIT] = "wait",     [FAULT_WRITE] = "write",
};

static const struct {
    const char *name;
    int number;
} errors[] = {
    {"E2BIG", E2BIG},
    {"EACCES", EACCES},
    {"EAGAIN", EAGAIN},
    {"EBADF", EBADF},
    {"EBUSY", EBUSY},
    {"ECHILD", ECHILD},
    {"ECONNABORTED", ECONNABORTED},
    {"ECONNRESET", ECONNRESET},
    {"EDQUOT", EDQUOT},
    {"EEXIST", EEXIST},
    {"EFBIG", EFBIG},
    {"EINTR", EINTR},
    {"EINVAL", EINVAL},
    {"EIO", EIO},
    {"EISDIR", EISDIR},
    {"ELOOP", ELOOP},
    {"EMFILE", EMFILE},
    {"ENFILE", ENFILE},
    {"ENOENT", ENOENT},
    {"ENOEXEC", ENOEXEC},
    {"ENOMEM", ENOMEM},
    {"ENOSPC", ENOSPC},
    {"ENOTDIR", ENOTDIR},
    {"EPERM", EPERM},
    {"EPIPE", EPIPE},
    {"EROFS", EROFS},
    {"ESTALE", ESTALE},
    {"EXDEV", EXDEV},
};

static const struct {
    const char *name;
    int number;
} signals[] = {{"SIGHUP", SIGHUP}, {"SIGINT", SIGINT}, {"SIGTERM", SIGTERM}, {"SIGUSR1", SIGUSR1}};

/* The settings in the environment, read once a program. */
static struct {
    bool ready, chosen[FAULT_FAMILIES], any, sticky, kills, spares;
    int fault, signal;
    uint64_t at, alone;
    const char *only, *log;
    _Atomic uint64_t *count;
    char **environment;
} settings;

static _Noreturn void refuse(const char *name, const char *value)
{
    char text[256];
    int n = snprintf(text, sizeof text, "faults.so: %s '%s' is unknown\n", name, value);
    (void)syscall(SYS_write, STDERR_FILENO, text, n);
    (void)syscall(SYS_exit_group, 125);
    abort();
}

static void choose(const char *list)
{
    for (const char *name = list; *name != '\0';) {
        size_t n = strcspn(name, ",");
        bool all = n == 3 && strncmp(name, "all", 3) == 0, known = all || n == 0;
        for (int i = 0; i < FAULT_FAMILIES; i++) {
            bool this = strlen(families[i]) == n && strncmp(families[i], name, n) == 0;
            settings.chosen[i] |= all || this;
            known |= this;
        }
        if (!known)
            refuse("FAULTS_CALLS", name);
        settings.any |= n > 0;
        name += n + (name[n] == ',');
    }
}

static void choose_fault(const char *name)
{
    settings.kills = strcmp(name, "kill") == 0;
    settings.spares = strcmp(name, "none") == 0;
    settings.fault = strcmp(name, "kill-after") == 0 ? FAULT_KILL_AFTER
                     : strcmp(name, "short") == 0    ? FAULT_SHORT
                     : strcmp(name, "partial") == 0  ? FAULT_PARTIAL
                                                     : FAULT_NONE;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strcmp(errors[i].name, name) == 0)
            settings.fault = errors[i].number;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (strcmp(signals[i].name, name) == 0)
            settings.signal = signals[i].number;
    if (!settings.kills && !settings.spares && settings.fault == FAULT_NONE && settings.signal == 0)
        refuse("FAULTS_DO", name);
}

static void share(const char *path)
{
    long file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || syscall(SYS_ftruncate, file, sizeof *settings.count) != 0)
        refuse("FAULTS_COUNT", path);
    // A number on the stack has to be a long.
    long map = syscall(SYS_mmap, NULL, sizeof *settings.count, PROT_READ | PROT_WRITE, MAP_SHARED,
                       file, 0L);
    if (map == -1)
        refuse("FAULTS_COUNT", path);
    settings.count = (_Atomic uint64_t *)map;
    (void)syscall(SYS_close, file);
}

/* Constructors of other libraries may come before this one; their calls read the settings as well.
 */
__attribute__((constructor)) static void prepare(void)
{
    if (settings.ready)
        return;
    settings.ready = true;
    settings.environment = environ;
    const char *calls = getenv("FAULTS_CALLS"), *at = getenv("FAULTS_AT"),
               *act = getenv("FAULTS_DO");
    const char *count = getenv("FAULTS_COUNT"), *sticky = getenv("FAULTS_STICKY");
    const char *only = getenv("FAULTS_ONLY");
    if (calls == NULL || *calls == '\0')
        return;
    choose(calls);
    settings.only = only != NULL && *only != '\0' ? only : NULL;
    settings.log = getenv("FAULTS_LOG");
    settings.at = at != NULL ? strtoull(at, NULL, 10) : 0;
    settings.sticky = sticky != NULL && strcmp(sticky, "1") == 0;
    if (settings.at > 0)
        choose_fault(act != NULL ? act : "");
    if (count != NULL && *count != '\0')
        share(count);
    else
        settings.count = (_Atomic uint64_t *)&settings.alone;
}

bool faults_wanted(void)
{
    prepare();
    return settings.any;
}

const char *faults_entry(const char *start)
{
    for (char **entry = settings.environment; entry != NULL && *entry != NULL; entry++)
        if (strncmp(*entry, start, strlen(start)) == 0)
            return *entry;
    return NULL;
}

/* ISO C knows no cast from one to the other. */
fault_function *faults_next(const char *name)
{
    union {
        void *object;
        fault_function *function;
    } next = {.object = dlsym(RTLD_NEXT, name)};
    return next.function;
}

/* A path as the caller gave it, or in full. */
static bool is_meant(const char *path)
{
    char full[2 * PATH_MAX];
    if (path == NULL)
        return false;
    if (fnmatch(settings.only, path, 0) == 0)
        return true;
    long n = syscall(SYS_getcwd, full, PATH_MAX);
    if (path[0] == '/' || n <= 0 || strlen(path) >= PATH_MAX)
        return false;
    full[n - 1] = '/';
    strcpy(full + n, path);
    return fnmatch(settings.only, full, 0) == 0;
}

/* The path behind a descriptor, "" if unknown. */
static const char *path_of(int fd, char text[PATH_MAX])
{
    char link[64];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long n = fd >= 0 ? syscall(SYS_readlinkat, AT_FDCWD, link, text, PATH_MAX - 1) : 0;
    text[n > 0 ? n : 0] = '\0';
    return text;
}

static bool counts(enum fault_family family, struct fault_subject subject)
{
    char text[PATH_MAX];
    if (!settings.any || !settings.chosen[family])
        return false;
    return settings.only == NULL || is_meant(subject.path) || is_meant(subject.other) ||
           (subject.fd >= 0 && is_meant(path_of(subject.fd, text)));
}

static void note(enum fault_family family, struct fault_subject subject)
{
    char text[PATH_MAX], line[PATH_MAX + 64];
    long file = settings.log != NULL ? syscall(SYS_openat, AT_FDCWD, settings.log,
                                               O_WRONLY | O_APPEND | O_CREAT, 0600)
                                     : -1;
    if (file < 0)
        return;
    const char *path = subject.path != NULL ? subject.path : path_of(subject.fd, text);
    int n = snprintf(line, sizeof line, "%ld %s %s\n", syscall(SYS_getpid), families[family], path);
    (void)syscall(SYS_write, file, line, n);
    (void)syscall(SYS_close, file);
}

static _Noreturn void die(void)
{
    (void)syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    abort();
}

int faults_before(enum fault_family family, struct fault_subject subject)
{
    int error = errno;
    prepare();
    if (!counts(family, subject)) {
        errno = error;
        return FAULT_NONE;
    }
    uint64_t n = atomic_fetch_add(settings.count, 1) + 1;
    bool hit = settings.at > 0 && (settings.sticky ? n >= settings.at : n == settings.at);
    if (hit)
        note(family, subject);
    if (hit && settings.kills)
        die();
    if (hit && settings.signal != 0)
        (void)syscall(SYS_kill, syscall(SYS_getpid), settings.signal);
    errno = hit && settings.fault > 0 ? settings.fault : error;
    return hit ? settings.fault : FAULT_NONE;
}

long faults_after(int fault, long result)
{
    if (fault == FAULT_KILL_AFTER || fault == FAULT_SHORT)
        die();
    return result;
}

long faults_call(enum fault_family family, struct fault_subject subject, long number,
                 const long a[6])
{
    int fault = faults_before(family, subject);
    if (fault > 0)
        return -1;
    return faults_after(fault, syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}
