/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fault library: calls on paths. The 64-bit names are other names of the same functions.
 */
#include "tests/preload/faults.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TWIN(name) __attribute__((alias(name)))

/* --- open --- */

static int open_at(int folder, const char *path, int flags, mode_t mode)
{
    return (int)faults_call(FAULT_OPEN, ON_PATH(path), SYS_openat,
                            ARGS(folder, (long)path, flags, mode));
}

/* The third argument exists if a file may be made. */
static mode_t mode_of(int flags, va_list arguments)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t)
                                                                      : 0;
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) TWIN("open");

int openat(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_at(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) TWIN("openat");

int creat(const char *path, mode_t mode)
{
    return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
int creat64(const char *path, mode_t mode) TWIN("creat");

/* The name that _FORTIFY_SOURCE gives open() without a mode. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags) TWIN("__open_2");
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags) TWIN("__openat_2");

int __open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

int __openat_2(int folder, const char *path, int flags)
{
    return open_at(folder, path, flags, 0);
}

int mkstemp(char *name)
{
    int (*next)(char *) = (int (*)(char *))faults_next("mkstemp");
    int fault = faults_before(FAULT_OPEN, ON_PATH(name));
    return fault > 0 ? -1 : (int)faults_after(fault, next(name));
}
int mkstemp64(char *name) TWIN("mkstemp");

int mkostemp(char *name, int flags)
{
    int (*next)(char *, int) = (int (*)(char *, int))faults_next("mkostemp");
    int fault = faults_before(FAULT_OPEN, ON_PATH(name));
    return fault > 0 ? -1 : (int)faults_after(fault, next(name, flags));
}
int mkostemp64(char *name, int flags) TWIN("mkostemp");

/* --- folders --- */

int mkdirat(int folder, const char *path, mode_t mode)
{
    return (int)faults_call(FAULT_MKDIR, ON_PATH(path), SYS_mkdirat,
                            ARGS(folder, (long)path, mode));
}

int mkdir(const char *path, mode_t mode)
{
    return mkdirat(AT_FDCWD, path, mode);
}

char *mkdtemp(char *name)
{
    char *(*next)(char *) = (char *(*)(char *))faults_next("mkdtemp");
    int fault = faults_before(FAULT_MKDIR, ON_PATH(name));
    return fault > 0 ? NULL : (char *)faults_after(fault, (long)next(name));
}

DIR *opendir(const char *path)
{
    DIR *(*next)(const char *) = (DIR * (*)(const char *)) faults_next("opendir");
    int fault = faults_before(FAULT_OPENDIR, ON_PATH(path));
    return fault > 0 ? NULL : (DIR *)faults_after(fault, (long)next(path));
}

DIR *fdopendir(int fd)
{
    DIR *(*next)(int) = (DIR * (*)(int)) faults_next("fdopendir");
    int fault = faults_before(FAULT_OPENDIR, ON_FD(fd));
    return fault > 0 ? NULL : (DIR *)faults_after(fault, (long)next(fd));
}

struct dirent *readdir(DIR *dir)
{
    struct dirent *(*next)(DIR *) = (struct dirent * (*)(DIR *)) faults_next("readdir");
    int fault = faults_before(FAULT_READDIR, ON_FD(dirfd(dir)));
    return fault > 0 ? NULL : (struct dirent *)faults_after(fault, (long)next(dir));
}
struct dirent64 *readdir64(DIR *dir) TWIN("readdir");

int closedir(DIR *dir)
{
    int (*next)(DIR *) = (int (*)(DIR *))faults_next("closedir");
    int fault = faults_before(FAULT_CLOSE, ON_FD(dirfd(dir)));
    int result = next(dir);
    if (fault > 0)
        errno = fault;
    return fault > 0 ? -1 : (int)faults_after(fault, result);
}

int chdir(const char *path)
{
    return (int)faults_call(FAULT_CHDIR, ON_PATH(path), SYS_chdir, ARGS((long)path));
}

/* --- names --- */

static int rename_at(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags)
{
    struct fault_subject subject = {.path = to, .other = from, .fd = -1};
    return (int)faults_call(FAULT_RENAME, subject, SYS_renameat2,
                            ARGS(from_folder, (long)from, to_folder, (long)to, flags));
}

int rename(const char *from, const char *to)
{
    return rename_at(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    return rename_at(from_folder, from, to_folder, to, 0);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    return rename_at(from_folder, from, to_folder, to, flags);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    struct fault_subject subject = {.path = to, .other = from, .fd = -1};
    return (int)faults_call(FAULT_LINK, subject, SYS_linkat,
                            ARGS(from_folder, (long)from, to_folder, (long)to, flags));
}

int link(const char *from, const char *to)
{
    return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int symlink(const char *target, const char *path)
{
    return (int)faults_call(FAULT_LINK, ON_PATH(path), SYS_symlinkat,
                            ARGS((long)target, AT_FDCWD, (long)path));
}

int unlinkat(int folder, const char *path, int flags)
{
    return (int)faults_call(FAULT_UNLINK, ON_PATH(path), SYS_unlinkat,
                            ARGS(folder, (long)path, flags));
}

int unlink(const char *path)
{
    return unlinkat(AT_FDCWD, path, 0);
}

int rmdir(const char *path)
{
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int remove(const char *path)
{
    if (unlinkat(AT_FDCWD, path, 0) == 0)
        return 0;
    return errno == EISDIR ? (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR) : -1;
}

int truncate(const char *path, off_t length)
{
    return (int)faults_call(FAULT_TRUNCATE, ON_PATH(path), SYS_truncate, ARGS((long)path, length));
}
int truncate64(const char *path, off64_t length) TWIN("truncate");

/* --- status --- */

int fstatat(int folder, const char *restrict path, struct stat *restrict status, int flags)
{
    return (int)faults_call(FAULT_STAT, ON_PATH(path), SYS_newfstatat,
                            ARGS(folder, (long)path, (long)status, flags));
}
int fstatat64(int folder, const char *restrict path, struct stat64 *restrict status, int flags)
    TWIN("fstatat");

int stat(const char *restrict path, struct stat *restrict status)
{
    return fstatat(AT_FDCWD, path, status, 0);
}
int stat64(const char *restrict path, struct stat64 *restrict status) TWIN("stat");

int lstat(const char *restrict path, struct stat *restrict status)
{
    return fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}
int lstat64(const char *restrict path, struct stat64 *restrict status) TWIN("lstat");

int fstat(int fd, struct stat *status)
{
    return (int)faults_call(FAULT_STAT, ON_FD(fd), SYS_fstat, ARGS(fd, (long)status));
}
int fstat64(int fd, struct stat64 *status) TWIN("fstat");

int access(const char *path, int how)
{
    return (int)faults_call(FAULT_STAT, ON_PATH(path), SYS_faccessat,
                            ARGS(AT_FDCWD, (long)path, how));
}
