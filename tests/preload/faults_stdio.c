/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fault library: streams. libc opens, reads and writes them by calls of its own that nothing
 * can replace, so each stream is made a cookie stream on the calls of this library.
 */
#include "tests/preload/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_STREAMS 1024

/* A free place has no stream. */
static struct place {
    _Atomic(FILE *) stream;
    atomic_bool taken;
    int fd;
} places[MOST_STREAMS];

static ssize_t read_cookie(void *cookie, char *to, size_t n)
{
    return read(((struct place *)cookie)->fd, to, n);
}

/* libc continues after a partial write, and so does this; 0 means an error. */
static ssize_t write_cookie(void *cookie, const char *from, size_t n)
{
    size_t done = 0;
    while (done < n) {
        ssize_t written = write(((struct place *)cookie)->fd, from + done, n - done);
        if (written < 0)
            break;
        done += (size_t)written;
    }
    return (ssize_t)done;
}

static int seek_cookie(void *cookie, off64_t *to, int whence)
{
    off_t at = lseek(((struct place *)cookie)->fd, *to, whence);
    if (at < 0)
        return -1;
    *to = at;
    return 0;
}

static int close_cookie(void *cookie)
{
    struct place *place = cookie;
    int fd = place->fd;
    atomic_store(&place->stream, NULL);
    atomic_store(&place->taken, false);
    return close(fd);
}

static FILE *stream_on(int fd, const char *mode)
{
    const cookie_io_functions_t calls = {
        .read = read_cookie, .write = write_cookie, .seek = seek_cookie, .close = close_cookie};
    const char plain[3] = {mode[0], strchr(mode, '+') != NULL ? '+' : '\0', '\0'};
    struct place *place = places;
    while (place < places + MOST_STREAMS && atomic_exchange(&place->taken, true))
        place++;
    if (place == places + MOST_STREAMS)
        abort();
    place->fd = fd;
    FILE *stream = fopencookie(place, plain, calls);
    atomic_store(&place->stream, stream);
    atomic_store(&place->taken, stream != NULL);
    return stream;
}

static int flags_of(const char *mode)
{
    int flags = strchr(mode, '+') != NULL ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    if (mode[0] != 'r')
        flags |= O_CREAT | (mode[0] == 'w' ? O_TRUNC : O_APPEND);
    if (strchr(mode, 'x') != NULL)
        flags |= O_EXCL;
    return strchr(mode, 'e') != NULL ? flags | O_CLOEXEC : flags;
}

FILE *fopen64(const char *restrict path, const char *restrict mode) __attribute__((alias("fopen")));

FILE *fopen(const char *restrict path, const char *restrict mode)
{
    if (!faults_wanted())
        return ((FILE * (*)(const char *, const char *)) faults_next("fopen"))(path, mode);
    int fd = open(path, flags_of(mode), 0666);
    return fd < 0 ? NULL : stream_on(fd, mode);
}

FILE *fdopen(int fd, const char *mode)
{
    if (!faults_wanted())
        return ((FILE * (*)(int, const char *)) faults_next("fdopen"))(fd, mode);
    return fcntl(fd, F_GETFD) < 0 ? NULL : stream_on(fd, mode);
}

FILE *tmpfile64(void) __attribute__((alias("tmpfile")));

FILE *tmpfile(void)
{
    if (!faults_wanted())
        return ((FILE * (*)(void)) faults_next("tmpfile"))();
    int fd = open("/tmp", O_RDWR | O_EXCL | O_TMPFILE, 0600);
    return fd < 0 ? NULL : stream_on(fd, "w+");
}

int fileno(FILE *stream)
{
    for (size_t i = 0; i < MOST_STREAMS; i++)
        if (atomic_load(&places[i].stream) == stream)
            return places[i].fd;
    return ((int (*)(FILE *))faults_next("fileno"))(stream);
}
int fileno_unlocked(FILE *stream) __attribute__((alias("fileno")));

__attribute__((constructor)) static void replace_streams(void)
{
    if (!faults_wanted())
        return;
    stdin = stream_on(STDIN_FILENO, "r");
    stdout = stream_on(STDOUT_FILENO, "w");
    stderr = stream_on(STDERR_FILENO, "w");
    (void)setvbuf(stdout, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
    (void)setvbuf(stderr, NULL, _IONBF, 0);
}
