/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fault library: calls on descriptors.
 */
#include "tests/preload/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define TWIN(name) __attribute__((alias(name)))

/* --- bytes --- */

/* A call (descriptor, address, bytes, ...), with half of the bytes if it is to be cut. A single
 * byte is not cut. */
static ssize_t transfer(enum fault_family family, long number, int fd, size_t n, const long a[6])
{
    int fault = faults_before(family, ON_FD(fd));
    if (fault > 0)
        return -1;
    if (fault == FAULT_SHORT || (fault == FAULT_PARTIAL && n > 1))
        n /= 2;
    return faults_after(fault, syscall(number, fd, a[1], n, a[3], a[4], a[5]));
}

ssize_t read(int fd, void *to, size_t n)
{
    return transfer(FAULT_READ, SYS_read, fd, n, ARGS(0, (long)to));
}

ssize_t pread(int fd, void *to, size_t n, off_t at)
{
    return transfer(FAULT_READ, SYS_pread64, fd, n, ARGS(0, (long)to, 0, at));
}
ssize_t pread64(int fd, void *to, size_t n, off64_t at) TWIN("pread");

ssize_t write(int fd, const void *from, size_t n)
{
    return transfer(FAULT_WRITE, SYS_write, fd, n, ARGS(0, (long)from));
}

ssize_t pwrite(int fd, const void *from, size_t n, off_t at)
{
    return transfer(FAULT_WRITE, SYS_pwrite64, fd, n, ARGS(0, (long)from, 0, at));
}
ssize_t pwrite64(int fd, const void *from, size_t n, off64_t at) TWIN("pwrite");

/* Of several pieces only half of the first is transferred. */
static ssize_t transfer_all(enum fault_family family, long number, int fd,
                            const struct iovec *pieces, int n)
{
    int fault = faults_before(family, ON_FD(fd));
    if (fault > 0)
        return -1;
    if (n > 0 && (fault == FAULT_SHORT || fault == FAULT_PARTIAL)) {
        struct iovec half = {.iov_base = pieces[0].iov_base,
                             .iov_len = (pieces[0].iov_len + 1) / 2};
        return faults_after(fault, syscall(number, fd, &half, 1));
    }
    return faults_after(fault, syscall(number, fd, pieces, n));
}

ssize_t readv(int fd, const struct iovec *pieces, int n)
{
    return transfer_all(FAULT_READ, SYS_readv, fd, pieces, n);
}

ssize_t writev(int fd, const struct iovec *pieces, int n)
{
    return transfer_all(FAULT_WRITE, SYS_writev, fd, pieces, n);
}

ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t n,
                        unsigned flags)
{
    return faults_call(FAULT_WRITE, ON_FD(to), SYS_copy_file_range,
                       ARGS(from, (long)from_at, to, (long)to_at, (long)n, flags));
}

/* The names that _FORTIFY_SOURCE gives them. */
ssize_t __read_chk(int fd, void *to, size_t n, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t n, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t n, off_t at, size_t room) TWIN("__pread_chk");

ssize_t __read_chk(int fd, void *to, size_t n, size_t room)
{
    return read(fd, to, n < room ? n : room);
}

ssize_t __pread_chk(int fd, void *to, size_t n, off_t at, size_t room)
{
    return pread(fd, to, n < room ? n : room, at);
}

/* --- files --- */

/* As Linux does it: the descriptor is gone whatever close() says. */
int close(int fd)
{
    int fault = faults_before(FAULT_CLOSE, ON_FD(fd));
    long result = syscall(SYS_close, fd);
    if (fault > 0)
        errno = fault;
    return fault > 0 ? -1 : (int)faults_after(fault, result);
}

int fsync(int fd)
{
    return (int)faults_call(FAULT_FSYNC, ON_FD(fd), SYS_fsync, ARGS(fd));
}

int fdatasync(int fd)
{
    return (int)faults_call(FAULT_FSYNC, ON_FD(fd), SYS_fdatasync, ARGS(fd));
}

int ftruncate(int fd, off_t length)
{
    return (int)faults_call(FAULT_TRUNCATE, ON_FD(fd), SYS_ftruncate, ARGS(fd, length));
}
int ftruncate64(int fd, off64_t length) TWIN("ftruncate");

off_t lseek(int fd, off_t to, int whence)
{
    return faults_call(FAULT_SEEK, ON_FD(fd), SYS_lseek, ARGS(fd, to, whence));
}
off64_t lseek64(int fd, off64_t to, int whence) TWIN("lseek");

int flock(int fd, int how)
{
    return (int)faults_call(FAULT_LOCK, ON_FD(fd), SYS_flock, ARGS(fd, how));
}

/* Memory without a file is not ours to refuse: allocation failures have their own tests. */
void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
    const long arguments[6] = {(long)at, (long)n, protection, flags, fd, offset};
    if (fd >= 0)
        return (void *)faults_call(FAULT_MMAP, ON_FD(fd), SYS_mmap, arguments);
    return (void *)syscall(SYS_mmap, at, n, protection, flags, (long)fd, offset);
}
void *mmap64(void *at, size_t n, int protection, int flags, int fd, off64_t offset) TWIN("mmap");

int dup(int fd)
{
    return (int)faults_call(FAULT_DUP, ON_FD(fd), SYS_dup, ARGS(fd));
}

int dup2(int fd, int to)
{
    if (fd == to) // which dup3() refuses
        return fcntl(fd, F_GETFD) < 0 ? -1 : to;
    return (int)faults_call(FAULT_DUP, ON_FD(fd), SYS_dup3, ARGS(fd, to, 0));
}

int dup3(int fd, int to, int flags)
{
    return (int)faults_call(FAULT_DUP, ON_FD(fd), SYS_dup3, ARGS(fd, to, flags));
}

int pipe2(int ends[2], int flags)
{
    return (int)faults_call(FAULT_PIPE, ON_NOTHING, SYS_pipe2, ARGS((long)ends, flags));
}

int pipe(int ends[2])
{
    return pipe2(ends, 0);
}

/* --- sockets --- */

int socket(int domain, int type, int protocol)
{
    return (int)faults_call(FAULT_SOCKET, ON_NOTHING, SYS_socket, ARGS(domain, type, protocol));
}

int accept4(int fd, __SOCKADDR_ARG address, socklen_t *restrict n, int flags)
{
    return (int)faults_call(FAULT_ACCEPT, ON_FD(fd), SYS_accept4,
                            ARGS(fd, (long)address.__sockaddr__, (long)n, flags));
}

int accept(int fd, __SOCKADDR_ARG address, socklen_t *restrict n)
{
    return accept4(fd, address, n, 0);
}

ssize_t sendto(int fd, const void *from, size_t n, int flags, __CONST_SOCKADDR_ARG to,
               socklen_t length)
{
    return transfer(FAULT_SEND, SYS_sendto, fd, n,
                    ARGS(0, (long)from, 0, flags, (long)to.__sockaddr__, length));
}

ssize_t send(int fd, const void *from, size_t n, int flags)
{
    return transfer(FAULT_SEND, SYS_sendto, fd, n, ARGS(0, (long)from, 0, flags));
}

ssize_t recvfrom(int fd, void *restrict to, size_t n, int flags, __SOCKADDR_ARG from,
                 socklen_t *restrict length)
{
    return transfer(FAULT_RECV, SYS_recvfrom, fd, n,
                    ARGS(0, (long)to, 0, flags, (long)from.__sockaddr__, (long)length));
}

ssize_t recv(int fd, void *to, size_t n, int flags)
{
    return transfer(FAULT_RECV, SYS_recvfrom, fd, n, ARGS(0, (long)to, 0, flags));
}
