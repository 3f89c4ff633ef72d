/* SPDX-License-Identifier: MIT */
/* Names, locks and removal of temporary files; see temporary.h. */
#include "policies/adapters/ending/temporary.h"

#include "policies/adapters/ending/ending.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARKER       ".fauxfleet-"
#define SUFFIX       ".tmp"
#define RANDOM_CHARS 12
#define TAIL_CHARS   (sizeof MARKER - 1 + RANDOM_CHARS + sizeof SUFFIX - 1)
/* of the target within the name: file systems allow 255 bytes */
#define MOST_NAME  ((size_t)255 - TAIL_CHARS)
#define MOST_TRIES 100

static const char letters[] = "0123456789abcdefghijklmnopqrstuv";

static bool draw(char text[RANDOM_CHARS + 1])
{
    unsigned char bytes[RANDOM_CHARS];
    while (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        if (errno != EINTR)
            return false;
    for (size_t i = 0; i < RANDOM_CHARS; i++)
        text[i] = letters[bytes[i] % 32];
    text[RANDOM_CHARS] = '\0';
    return true;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static size_t kept_of(const char *name)
{
    size_t n = strlen(name);
    return n < MOST_NAME ? n : MOST_NAME;
}

/*
 * Between creation and locking, another process's sweep may mistake the file for a leftover: it
 * then holds the lock, or the file has lost its name. Either way another name is tried: EEXIST.
 */
static bool is_locked(int file)
{
    struct stat status;
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        bool taken = errno == EWOULDBLOCK; // otherwise there are no locks here, hence no sweeps
        errno = EEXIST;
        return !taken;
    }
    if (fstat(file, &status) != 0)
        return false;
    errno = EEXIST;
    return status.st_nlink > 0;
}

static char *path_with(const char *target, const char *some)
{
    const char *name = base_name(target);
    size_t n = (size_t)(name - target) + kept_of(name);
    char *path = malloc(n + TAIL_CHARS + 1);
    if (path == NULL)
        return NULL;
    memcpy(path, target, n);
    (void)snprintf(path + n, TAIL_CHARS + 1, MARKER "%s" SUFFIX, some);
    return path;
}

static bool create(struct temporary *t, const char *target, mode_t mode)
{
    *t = (struct temporary){.file = -1};
    char some[RANDOM_CHARS + 1];
    errno = EEXIST;
    for (int i = 0; i < MOST_TRIES && errno == EEXIST && draw(some); i++) {
        char *path = path_with(target, some);
        if (path == NULL)
            return false;
        int noted = ending_file(path); // before it exists: a signal may arrive at once
        int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (file >= 0 && is_locked(file)) {
            *t = (struct temporary){path, file, noted};
            return true;
        }
        int why = errno;
        if (file >= 0) {
            if (why != EEXIST)
                (void)unlink(path);
            (void)close(file);
        }
        ending_file_done(noted);
        free(path);
        errno = why;
    }
    return false;
}

bool temporary_create(struct temporary *t, const char *target)
{
    return create(t, target, 0666);
}

bool temporary_create_private(struct temporary *t, const char *target)
{
    return create(t, target, S_IRUSR | S_IWUSR);
}

static void forget(struct temporary *t)
{
    int why = errno;
    if (t->file >= 0)
        (void)close(t->file);
    free(t->path);
    ending_file_done(t->noted);
    *t = (struct temporary){.file = -1};
    errno = why;
}

bool temporary_rename(struct temporary *t, const char *target)
{
    if (rename(t->path, target) != 0) {
        temporary_remove(t);
        return false;
    }
    forget(t);
    return true;
}

int temporary_rename_open(struct temporary *t, const char *target)
{
    if (rename(t->path, target) != 0) {
        temporary_remove(t);
        return -1;
    }
    int file = t->file;
    t->file = -1;
    forget(t);
    return file;
}

bool temporary_unname(struct temporary *t)
{
    if (unlink(t->path) != 0)
        return false;
    free(t->path);
    ending_file_done(t->noted);
    t->path = NULL;
    t->noted = 0;
    return true;
}

void temporary_remove(struct temporary *t)
{
    int why = errno;
    if (t->path != NULL)
        (void)unlink(t->path);
    errno = why;
    forget(t);
}

/* ---- leftovers ---- */

/* Returns true if `file` is a temporary file of this target, or of any target if that is NULL. */
static bool is_temporary(const char *file, const char *target)
{
    size_t n = strlen(file);
    if (n <= TAIL_CHARS)
        return false;
    size_t head = n - TAIL_CHARS;
    const char *tail = file + head, *some = tail + sizeof MARKER - 1;
    return strncmp(tail, MARKER, sizeof MARKER - 1) == 0 && strspn(some, letters) == RANDOM_CHARS &&
           strcmp(some + RANDOM_CHARS, SUFFIX) == 0 &&
           (target == NULL || (head == kept_of(target) && memcmp(file, target, head) == 0));
}

static void sweep_one(int dir, const char *name)
{
    struct stat status;
    if (fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode) ||
        status.st_uid != geteuid())
        return;
    int file = openat(dir, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
        (void)unlinkat(dir, name, 0);
    (void)close(file);
}

static void sweep(const char *dir, const char *target)
{
    int why = errno;
    DIR *list = opendir(dir);
    for (struct dirent *entry = list != NULL ? readdir(list) : NULL; entry != NULL;
         entry = readdir(list))
        if (is_temporary(entry->d_name, target))
            sweep_one(dirfd(list), entry->d_name);
    if (list != NULL)
        (void)closedir(list);
    errno = why;
}

void temporary_sweep(const char *dir)
{
    sweep(dir, NULL);
}

void temporary_sweep_of(const char *target)
{
    const char *name = base_name(target);
    char *dir = name > target ? strndup(target, (size_t)(name - target)) : strdup(".");
    if (dir != NULL)
        sweep(dir, name);
    free(dir);
}
