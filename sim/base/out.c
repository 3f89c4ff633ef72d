/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The buffered writer behind all output files. A file is written as a temporary file beside its own
 * and renamed when everything arrived. Targets that cannot be renamed over (devices, pipes) are
 * written directly.
 */
#include "sim/base/out.h"

#include "policies/adapters/ending/temporary.h"
#include "sim/base/digits.h"
#include "sim/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)128 * 1024)

/*
 * Three kinds share the buffer: a file of ours (stream, path; temporary unless it is a device),
 * somebody's stream (stream, no path), memory (no stream). `error` holds the first errno; from then
 * on nothing is written.
 */
struct out {
    char *buffer;
    size_t used, capacity;
    FILE *stream;
    char *path;
    struct temporary temporary;
    int error;
    bool syncs;
    out_filter *filter;
};

static struct out *create(FILE *stream)
{
    struct out *out = mem_alloc(1, sizeof *out);
    out->stream = stream;
    out->temporary.file = -1;
    out->capacity = BUFFER_BYTES;
    out->buffer = mem_resize(NULL, out->capacity, 1);
    return out;
}

static bool is_below(const char *path, const char *folder)
{
    return strncmp(path, folder, strlen(folder)) == 0;
}

/*
 * Devices, pipes, and links in /dev and /proc such as /dev/stdout, which name something that is
 * open already and not a place in a folder. /dev/shm is a folder like any other.
 */
static bool is_direct(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return true;
    return is_below(path, "/proc/") || (is_below(path, "/dev/") && !is_below(path, "/dev/shm/"));
}

/* A second descriptor for the stream, so that closing the stream shows its errors while the first
 * keeps the lock. */
static FILE *open_temporary(struct temporary *t, const char *path)
{
    if (!temporary_create(t, path))
        return NULL;
    int file = fcntl(t->file, F_DUPFD_CLOEXEC, 3);
    FILE *stream = file >= 0 ? fdopen(file, "wb") : NULL;
    if (stream == NULL) {
        int why = errno;
        if (file >= 0)
            (void)close(file);
        temporary_remove(t);
        errno = why;
    }
    return stream;
}

static FILE *open_direct(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0666);
    FILE *stream = file >= 0 ? fdopen(file, "wb") : NULL;
    if (stream == NULL && file >= 0)
        (void)close(file);
    return stream;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static struct out *open_file(const char *path, struct err *err)
{
    struct temporary temporary = {.file = -1};
    FILE *stream = NULL;
    if (is_direct(path))
        stream = open_direct(path);
    else if (is_folder(path))
        errno = EISDIR;
    else
        stream = open_temporary(&temporary, path);
    if (stream == NULL) {
        err_set(err, EXIT_INPUT, "%s: cannot write: %s", path, strerror(errno));
        return NULL;
    }
    // The buffer is here; a second one in stdio would only cost a copy.
    (void)setvbuf(stream, NULL, _IONBF, 0);
    struct out *out = create(stream);
    out->path = mem_text(path);
    out->temporary = temporary;
    return out;
}

struct out *out_open(const char *path, struct err *err)
{
    temporary_sweep_of(path);
    return open_file(path, err);
}

struct out *out_open_in(const char *dir, const char *name, struct err *err)
{
    char *path = mem_format("%s/%s", dir, name);
    struct out *out = open_file(path, err);
    free(path);
    return out;
}

struct out *out_stream(FILE *stream)
{
    return create(stream);
}

struct out *out_memory(void)
{
    return create(NULL);
}

static void send(struct out *out, const char *bytes, size_t n)
{
    if (out->error || n == 0)
        return;
    errno = 0;
    if (fwrite(bytes, 1, n, out->stream) != n)
        out->error = errno ? errno : EIO;
}

static void send_shown(struct out *out, const char *bytes, size_t n)
{
    if (out->filter == NULL || n == 0) {
        send(out, bytes, n);
        return;
    }
    size_t length;
    struct out *shown = out_memory();
    out->filter(shown, bytes, n);
    const char *text = out_memory_text(shown, &length);
    send(out, text, length);
    out_discard(shown);
}

static void flush(struct out *out)
{
    send_shown(out, out->buffer, out->used);
    out->used = 0;
}

/* Makes room in the buffer. Shown output is flushed in whole lines if there are any, so that no
 * character is cut in two. */
static void flush_some(struct out *out)
{
    size_t n = out->used;
    if (out->filter != NULL)
        while (n > 0 && out->buffer[n - 1] != '\n')
            n--;
    if (n == 0 || n == out->used) {
        flush(out);
        return;
    }
    send_shown(out, out->buffer, n);
    memmove(out->buffer, out->buffer + n, out->used - n);
    out->used -= n;
}

void out_set_filter(struct out *out, out_filter *filter)
{
    if (out->filter != filter)
        flush(out);
    out->filter = filter;
}

void out_flush(struct out *out)
{
    if (!out->stream)
        return;
    flush(out);
    if (fflush(out->stream) != 0 && !out->error)
        out->error = errno;
}

/* Room for n more bytes, n at most BUFFER_BYTES unless the writer is in memory. */
static char *reserve(struct out *out, size_t n)
{
    if (out->capacity - out->used < n) {
        if (out->stream)
            flush_some(out);
        if (out->stream && out->capacity - out->used < n)
            flush(out);
        if (!out->stream)
            out->buffer = mem_grow(out->buffer, &out->capacity, out->used + n, 1);
    }
    return out->buffer + out->used;
}

void out_bytes(struct out *out, const void *bytes, size_t n)
{
    if (out->stream && n > out->capacity) {
        flush(out);
        send_shown(out, bytes, n);
        return;
    }
    if (n == 0)
        return;
    memcpy(reserve(out, n), bytes, n);
    out->used += n;
}

void out_text(struct out *out, const char *text)
{
    out_bytes(out, text, strlen(text));
}

void out_char(struct out *out, char c)
{
    *reserve(out, 1) = c;
    out->used++;
}

void out_u64(struct out *out, uint64_t value)
{
    char *to = reserve(out, DIGITS_MOST);
    out->used += (size_t)(digits_u64(to, value) - to);
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

void out_i64(struct out *out, int64_t value)
{
    if (value < 0)
        out_char(out, '-');
    out_u64(out, magnitude(value));
}

/* The decimals of a fraction that is not 0, without trailing zeros. */
static void put_fraction(struct out *out, uint64_t fraction, int digits)
{
    while (fraction % 10 == 0) {
        fraction /= 10;
        digits--;
    }
    char text[24];
    char *end = text + sizeof text;
    char *first = digits_before(end, fraction);
    while (end - first < digits)
        *--first = '0';
    *--first = '.';
    out_bytes(out, first, (size_t)(end - first));
}

void out_fixed(struct out *out, int64_t value, int digits)
{
    BUG_ON(digits < 0 || digits > 18);
    uint64_t rest = magnitude(value), unit = 1;
    for (int i = 0; i < digits; i++)
        unit *= 10;
    if (value < 0)
        out_char(out, '-');
    out_u64(out, rest / unit);
    if (rest % unit != 0)
        put_fraction(out, rest % unit, digits);
}

void out_milli(struct out *out, int64_t value)
{
    char *to = reserve(out, DIGITS_MOST);
    out->used += (size_t)(digits_milli(to, value) - to);
}

char *out_room(struct out *out, size_t n)
{
    return reserve(out, n);
}

void out_advance(struct out *out, const char *end)
{
    out->used = (size_t)(end - out->buffer);
}

void out_format(struct out *out, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    BUG_ON(length < 0);
    size_t n = (size_t)length;
    if (n < sizeof text) {
        out_bytes(out, text, n);
        return;
    }
    char *large = mem_resize(NULL, n + 1, 1);
    va_start(arguments, format);
    (void)vsnprintf(large, n + 1, format, arguments);
    va_end(arguments);
    out_bytes(out, large, n);
    free(large);
}

/*
 * Most numbers, at a tenth of what printf takes. Times a power of ten, which is exact, a number
 * below 2^40 is off by less than 2^-12, so the nearest integer is certain unless two are about
 * equally near. False where it is not, or the number is larger.
 */
static bool to_units(double value, int digits, int64_t *units)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    if (digits >= (int)(sizeof powers / sizeof *powers))
        return false;
    double scaled = fabs(value) * powers[digits];
    if (!(scaled < 0x1p40))
        return false;
    int64_t whole = (int64_t)scaled;
    double rest = scaled - (double)whole;
    if (fabs(rest - 0.5) < 0x1p-10)
        return false;
    whole += rest > 0.5;
    *units = value < 0 ? -whole : whole;
    return true;
}

void out_f64(struct out *out, double value, int digits)
{
    BUG_ON(digits < 0 || digits > 18);
    if (!isfinite(value))
        return;
    int64_t units;
    if (to_units(value, digits, &units)) {
        out_fixed(out, units, digits);
        return;
    }
    char text[352]; // The largest double has 309 digits before the point.
    int length = snprintf(text, sizeof text, "%.*f", digits, value);
    BUG_ON(length < 0 || (size_t)length >= sizeof text);
    size_t n = (size_t)length;
    if (digits > 0) {
        while (text[n - 1] == '0')
            n--;
        if (text[n - 1] == '.')
            n--;
    }
    bool minus_zero = n == 2 && text[0] == '-' && text[1] == '0';
    out_bytes(out, text + minus_zero, n - minus_zero);
}

/* Readers strip blanks around a bare field, so those have to be quoted as well. */
static bool wants_quotes(const char *text, size_t n)
{
    if (n == 0)
        return false;
    return strpbrk(text, ",\"\r\n") || text[0] == ' ' || text[0] == '\t' || text[n - 1] == ' ' ||
           text[n - 1] == '\t';
}

void out_csv(struct out *out, const char *text)
{
    size_t n = strlen(text);
    if (!wants_quotes(text, n)) {
        out_bytes(out, text, n);
        return;
    }
    out_char(out, '"');
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"')
            out_char(out, '"');
        out_char(out, text[i]);
    }
    out_char(out, '"');
}

const char *out_memory_text(struct out *out, size_t *n)
{
    BUG_ON(out->stream);
    *reserve(out, 1) = '\0';
    if (n)
        *n = out->used;
    return out->buffer;
}

static void destroy(struct out *out)
{
    free(out->buffer);
    free(out->path);
    free(out);
}

char *out_memory_take(struct out *out)
{
    char *text = mem_text(out_memory_text(out, NULL));
    destroy(out);
    return text;
}

void out_sync(struct out *out)
{
    out->syncs = true;
}

/* A file system that cannot sync has nothing to sync. */
static bool is_synced(int file)
{
    return fsync(file) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

/* The new name of the file is in its folder, which is a file of its own; one that may not be read
 * is left to the system. */
static bool sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash != NULL ? mem_text_n(path, (size_t)(slash - path) + 1) : mem_text(".");
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (file < 0)
        return errno == EACCES;
    bool ok = is_synced(file);
    int why = errno;
    (void)close(file);
    errno = why;
    return ok;
}

/* Everything to the kernel; a file of ours is closed, since some errors show only then. */
static void finish(struct out *out)
{
    if (!out->stream)
        return;
    flush(out);
    errno = 0;
    bool failed = fflush(out->stream) != 0;
    if (!failed && out->syncs && out->temporary.path)
        failed = !is_synced(fileno(out->stream));
    if (out->path && fclose(out->stream) != 0)
        failed = true;
    if (failed && !out->error)
        out->error = errno ? errno : EIO;
}

bool out_close(struct out *out, struct err *err)
{
    if (!out)
        return true;
    finish(out);
    bool ok = out->error == 0;
    if (ok && out->temporary.path &&
        (!temporary_rename(&out->temporary, out->path) ||
         (out->syncs && !sync_folder(out->path)))) {
        out->error = errno;
        ok = false;
    }
    if (!ok) {
        err_set(err, EXIT_INPUT, "%s: cannot write: %s",
                out->path               ? out->path
                : out->stream == stdout ? "standard output"
                                        : "temporary file",
                strerror(out->error));
        temporary_remove(&out->temporary);
    }
    destroy(out);
    return ok;
}

void out_discard(struct out *out)
{
    if (!out)
        return;
    if (out->path) {
        (void)fclose(out->stream);
        temporary_remove(&out->temporary);
    }
    destroy(out);
}

bool out_write_in(const char *dir, const char *name, const char *text, struct err *err)
{
    struct out *out = out_open_in(dir, name, err);
    if (!out)
        return false;
    out_text(out, text);
    return out_close(out, err);
}
