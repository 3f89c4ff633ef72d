/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are read at once; see file.h. */
#include "sim/base/file.h"

#include "sim/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum file_found open_file(const char *path, int *fd, struct err *err)
{
    do
        *fd = open(path, O_RDONLY | O_CLOEXEC);
    while (*fd < 0 && errno == EINTR);
    if (*fd >= 0)
        return FILE_FOUND;
    enum file_found found = errno == ENOENT || errno == ENOTDIR ? FILE_ABSENT : FILE_FAILED;
    (void)err_set(err, EXIT_INPUT, "cannot open '%s': %s", path, strerror(errno));
    return found;
}

/* Up to `room` bytes: fewer only at the end of the file. -1 with errno. */
static ssize_t fill(int fd, char *to, size_t room)
{
    size_t used = 0;
    while (used < room) {
        ssize_t n = read(fd, to + used, room - used);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        used += (size_t)n;
    }
    return (ssize_t)used;
}

/* All of it into *text, whose capacity doubles. */
static bool read_all(int fd, const char *path, size_t most, char **text, size_t *n, struct err *err)
{
    size_t capacity = 0;
    for (*n = 0; *n <= most;) {
        *text = mem_grow(*text, &capacity, *n + 4096, 1);
        size_t room = capacity - *n - 1;
        ssize_t got = fill(fd, *text + *n, room);
        if (got < 0)
            return err_set(err, EXIT_INPUT, "cannot read '%s': %s", path, strerror(errno));
        bool is_text = memchr(*text + *n, '\0', (size_t)got) == NULL;
        *n += (size_t)got;
        if ((size_t)got < room || !is_text)
            break;
    }
    if (*n > most)
        return err_set(err, EXIT_INPUT, "%s: larger than %zu MiB", path, most >> 20);
    (*text)[*n] = '\0';
    return true;
}

enum file_found file_read(const char *path, size_t most, char **text, size_t *n, struct err *err)
{
    int fd;
    size_t length = 0;
    *text = NULL;
    enum file_found found = open_file(path, &fd, err);
    if (found != FILE_FOUND)
        return found;
    if (!read_all(fd, path, most, text, &length, err)) {
        found = FILE_FAILED;
        free(*text);
        *text = NULL;
    }
    (void)close(fd);
    if (n != NULL)
        *n = length;
    return found;
}

enum file_found file_head(const char *path, char *text, size_t room, struct err *err)
{
    int fd;
    text[0] = '\0';
    enum file_found found = open_file(path, &fd, err);
    if (found != FILE_FOUND)
        return found;
    ssize_t n = fill(fd, text, room - 1);
    if (n < 0) {
        (void)err_set(err, EXIT_INPUT, "cannot read '%s': %s", path, strerror(errno));
        found = FILE_FAILED;
    }
    (void)close(fd);
    text[n > 0 ? n : 0] = '\0';
    return found;
}

enum file_found file_find(const char *path, struct err *err)
{
    int fd;
    enum file_found found = open_file(path, &fd, err);
    if (found == FILE_FOUND)
        (void)close(fd);
    return found;
}
