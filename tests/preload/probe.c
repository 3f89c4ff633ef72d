/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls for the fault library's own test, one set a word; each prints its result on stderr,
 * by write() and so without streams: "ok" or the name of the call and its error.
 *
 *     probe file PATH     opens, writes "12345678", syncs, closes, renames to PATH.2, reads that,
 *                         unlinks it
 *     probe stream PATH   the same eight bytes through stdio and its buffer, then read back by
 *                         getc()
 *     probe child         three children, of fork(), posix_spawn() and popen(), each with one write
 *                         to stdout
 *     probe print         eight bytes to stdout, flushed by exit()
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reports a result; returns the exit status of the process: 0 for "ok". */
static int say(const char *what)
{
    char text[128];
    int n = snprintf(text, sizeof text, "%s\n", what);
    return write(STDERR_FILENO, text, (size_t)n) != n || strcmp(what, "ok") != 0;
}

static int fail(const char *call)
{
    char text[96];
    (void)snprintf(text, sizeof text, "%s: %s", call, strerror(errno));
    return say(text);
}

static int file(const char *path)
{
    char second[512], bytes[16];
    (void)snprintf(second, sizeof second, "%s.2", path);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0)
        return fail("open");
    ssize_t n = write(fd, "12345678", 8);
    if (n != 8)
        return n < 0 ? fail("write") : say("write: half");
    if (fsync(fd) != 0)
        return fail("fsync");
    if (close(fd) != 0)
        return fcntl(fd, F_GETFD) < 0 && errno == EBADF ? say("close: failed, closed")
                                                        : say("close: open");
    if (rename(path, second) != 0)
        return fail("rename");
    fd = open(second, O_RDONLY);
    if (fd < 0 || read(fd, bytes, sizeof bytes) != 8)
        return fail("read");
    (void)close(fd);
    return unlink(second) != 0 ? fail("unlink") : say("ok");
}

static int stream(const char *path)
{
    FILE *to = fopen(path, "w");
    if (to == NULL)
        return fail("fopen");
    (void)fprintf(to, "%d", 12345678);
    if (fileno(to) < 3)
        return say("fileno");
    if (fclose(to) != 0)
        return fail("fclose");
    FILE *from = fopen(path, "r");
    if (from == NULL)
        return fail("fopen");
    int n = 0;
    while (getc(from) != EOF)
        n++;
    if (ferror(from))
        return fail("getc");
    (void)fclose(from);
    return say(n == 8 ? "ok" : "getc: not all");
}

static int children(void)
{
    int status = 0;
    pid_t child = fork();
    if (child < 0)
        return fail("fork");
    if (child == 0)
        _exit(write(STDOUT_FILENO, "a", 1) != 1);
    (void)waitpid(child, &status, 0);
    if (status != 0)
        return say("fork: failed inside");
    char *const arguments[] = {(char *)(size_t) "sh", (char *)(size_t) "-c",
                               (char *)(size_t) "echo b", NULL};
    char *const nothing[] = {NULL}; // the library is loaded all the same
    errno = posix_spawnp(&child, "sh", NULL, NULL, arguments, nothing);
    if (errno != 0)
        return fail("posix_spawnp");
    (void)waitpid(child, &status, 0);
    if (status != 0)
        return say("posix_spawnp: failed inside");
    FILE *pipe = popen("echo c >&2", "r");
    if (pipe == NULL)
        return fail("popen");
    return pclose(pipe) == 0 ? say("ok") : say("popen: failed inside");
}

static int print(void)
{
    (void)printf("%d", 12345678);
    return 0;
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "file") == 0)
        return file(words[2]);
    if (count == 3 && strcmp(words[1], "stream") == 0)
        return stream(words[2]);
    if (count == 2 && strcmp(words[1], "child") == 0)
        return children();
    return count == 2 && strcmp(words[1], "print") == 0
               ? print()
               : say("probe: file, stream, child or print");
}
