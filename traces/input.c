/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Input in three layers: a source of raw bytes (descriptor or memory), a decoder (none, zlib, zstd)
 * that turns them into chunks, and the digest of the chunks returned.
 */
#include "traces/input.h"

#include "sim/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* Small enough that a chunk and the rows made from it stay in the second-level cache. */
#define CHUNK_BYTES ((size_t)32 * 1024)

struct decoder {
    const char *name;
    bool (*matches)(const unsigned char *head, size_t n);
    void (*start)(struct input *);
    /* Decodes a step from raw[raw_at..raw_end) into chunk; false with err set if the data is
     * corrupt. */
    bool (*step)(struct input *, size_t *made, struct err *err);
    void (*stop)(struct input *);
};

/*
 * raw[raw_at..raw_end) was read and not yet decoded. `open_frame`: the decoder is inside a member
 * or frame, so the end of the raw bytes would be a truncation.
 */
struct input {
    char *name;
    int fd;                      /* -1: reads from memory */
    const unsigned char *memory; /* the unread part */
    size_t memory_left;
    bool ended; /* the source has ended */
    unsigned char *raw;
    size_t raw_at, raw_end;
    const struct decoder *decoder; /* NULL before the first bytes */
    bool open_frame;
    z_stream gzip;
    ZSTD_DStream *zstd;
    unsigned char *chunk;
    const char *peeked;
    size_t peeked_n;
    struct digest digest;
};

static struct input *create(const char *name)
{
    struct input *input = mem_alloc(1, sizeof *input);
    input->name = mem_text(name);
    input->fd = -1;
    input->raw = mem_resize(NULL, CHUNK_BYTES, 1);
    input->chunk = mem_resize(NULL, CHUNK_BYTES, 1);
    digest_init(&input->digest);
    return input;
}

struct input *input_open(const char *path, struct err *err)
{
    if (strcmp(path, "-") == 0) {
        struct input *input = create("standard input");
        input->fd = STDIN_FILENO;
        return input;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
        err_set(err, EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
        if (fd >= 0)
            (void)close(fd);
        return NULL;
    }
    if (S_ISDIR(status.st_mode)) {
        err_set(err, EXIT_INPUT, "%s: is a directory, expected a file", path);
        (void)close(fd);
        return NULL;
    }
    struct input *input = create(path);
    input->fd = fd;
    return input;
}

struct input *input_memory(const char *name, const void *bytes, size_t n)
{
    struct input *input = create(name);
    input->memory = bytes;
    input->memory_left = n;
    return input;
}

/* Reads raw bytes to raw_end, after moving the unread ones to the front. */
static bool fetch(struct input *input, struct err *err)
{
    if (input->raw_at > 0 && input->raw_end > input->raw_at)
        memmove(input->raw, input->raw + input->raw_at, input->raw_end - input->raw_at);
    input->raw_end -= input->raw_at;
    input->raw_at = 0;
    size_t room = CHUNK_BYTES - input->raw_end;
    if (input->fd < 0) {
        size_t n = input->memory_left < room ? input->memory_left : room;
        if (n)
            memcpy(input->raw + input->raw_end, input->memory, n);
        input->memory_left -= n;
        input->memory = n ? input->memory + n : input->memory;
        input->raw_end += n;
        input->ended = input->memory_left == 0;
        return true;
    }
    while (room > 0 && !input->ended) {
        ssize_t n = read(input->fd, input->raw + input->raw_end, room);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, EXIT_INPUT, "cannot read: %s", strerror(errno));
        input->ended = n == 0;
        input->raw_end += (size_t)n;
        room -= (size_t)n;
    }
    return true;
}

static bool gzip_matches(const unsigned char *head, size_t n)
{
    return n >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

static void gzip_start(struct input *input)
{
    int result = inflateInit2(&input->gzip, 15 + 16); // largest window, gzip framing only
    BUG_ON(result != Z_OK);
}

static bool gzip_step(struct input *input, size_t *made, struct err *err)
{
    const unsigned char *from = input->raw + input->raw_at;
    size_t left = input->raw_end - input->raw_at;
    if (!input->open_frame && !gzip_matches(from, left))
        return err_set(err, EXIT_INPUT, "bytes after the end of the gzip data that are not gzip");
    z_stream *gzip = &input->gzip;
    gzip->next_in = input->raw + input->raw_at;
    gzip->avail_in = (unsigned)left;
    gzip->next_out = input->chunk;
    gzip->avail_out = (unsigned)CHUNK_BYTES;
    input->open_frame = true;
    int result = inflate(gzip, Z_NO_FLUSH);
    input->raw_at = input->raw_end - gzip->avail_in;
    *made = CHUNK_BYTES - gzip->avail_out;
    if (result == Z_STREAM_END) {
        input->open_frame = false;
        (void)inflateReset(gzip); // fails only for a stream that was never set up
        return true;
    }
    /*
     * Z_BUF_ERROR only says that this step needs more raw bytes. Bytes decoded before an error are
     * returned first, so that its place is known; zlib repeats the error at the next step.
     */
    if (result == Z_OK || result == Z_BUF_ERROR || *made > 0)
        return true;
    return err_set(err, EXIT_INPUT, "corrupt gzip data: %s", gzip->msg ? gzip->msg : "invalid");
}

static void gzip_stop(struct input *input)
{
    (void)inflateEnd(&input->gzip);
}

/* A frame, or a skippable frame before it (RFC 8878, sections 3.1.1 and 3.1.2). */
static bool zstd_matches(const unsigned char *head, size_t n)
{
    if (n < 4)
        return false;
    uint32_t magic = (uint32_t)head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16 |
                     (uint32_t)head[3] << 24;
    return magic == ZSTD_MAGICNUMBER ||
           (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

static void zstd_start(struct input *input)
{
    input->zstd = ZSTD_createDStream();
    BUG_ON(!input->zstd);
}

static bool zstd_step(struct input *input, size_t *made, struct err *err)
{
    ZSTD_inBuffer in = {input->raw + input->raw_at, input->raw_end - input->raw_at, 0};
    ZSTD_outBuffer out = {input->chunk, CHUNK_BYTES, 0};
    size_t result = ZSTD_decompressStream(input->zstd, &out, &in);
    if (ZSTD_isError(result))
        return err_set(err, EXIT_INPUT, "corrupt zstd data: %s", ZSTD_getErrorName(result));
    input->raw_at += in.pos;
    input->open_frame = result != 0;
    *made = out.pos;
    return true;
}

static void zstd_stop(struct input *input)
{
    (void)ZSTD_freeDStream(input->zstd);
}

static bool plain_matches(const unsigned char *head, size_t n)
{
    (void)head;
    (void)n;
    return true;
}

static const struct decoder decoders[] = {
    {"gzip", gzip_matches, gzip_start, gzip_step, gzip_stop},
    {"zstd", zstd_matches, zstd_start, zstd_step, zstd_stop},
    {"plain", plain_matches, NULL, NULL, NULL}, // accepts anything
};

static bool start(struct input *input, struct err *err)
{
    if (!fetch(input, err))
        return false;
    const struct decoder *decoder = decoders;
    while (!decoder->matches(input->raw, input->raw_end))
        decoder++;
    input->decoder = decoder;
    if (decoder->start)
        decoder->start(input);
    return true;
}

static int plain_chunk(struct input *input, const char **bytes, size_t *n, struct err *err)
{
    if (input->raw_at == input->raw_end && !input->ended && !fetch(input, err))
        return -1;
    *bytes = (const char *)input->raw + input->raw_at;
    *n = input->raw_end - input->raw_at;
    input->raw_at = input->raw_end;
    return *n > 0;
}

static int decoded_chunk(struct input *input, const char **bytes, size_t *n, struct err *err)
{
    for (;;) {
        size_t at = input->raw_at;
        size_t left = input->raw_end - at, made = 0;
        // A decoder may hold back output, so it is called once more after the last raw byte.
        if ((left > 0 || input->open_frame) && !input->decoder->step(input, &made, err))
            return -1;
        if (made > 0) {
            *bytes = (const char *)input->chunk;
            *n = made;
            return 1;
        }
        if (input->ended && input->raw_at == input->raw_end) {
            if (!input->open_frame)
                return 0;
            err_set(err, EXIT_INPUT, "truncated %s data", input->decoder->name);
            return -1;
        }
        // Without progress the same bytes would be tried forever.
        if (input->raw_at == at && (input->ended || left == CHUNK_BYTES)) {
            err_set(err, EXIT_INPUT, "corrupt %s data", input->decoder->name);
            return -1;
        }
        if (!input->ended && !fetch(input, err))
            return -1;
    }
}

static int chunk(struct input *input, const char **bytes, size_t *n, struct err *err)
{
    if (!input->decoder && !start(input, err))
        return -1;
    return input->decoder->step ? decoded_chunk(input, bytes, n, err)
                                : plain_chunk(input, bytes, n, err);
}

int input_peek(struct input *input, const char **bytes, size_t *n, struct err *err)
{
    if (!input->peeked) {
        int got = chunk(input, &input->peeked, &input->peeked_n, err);
        if (got <= 0) {
            input->peeked = NULL;
            return got;
        }
    }
    *bytes = input->peeked;
    *n = input->peeked_n;
    return 1;
}

int input_read(struct input *input, const char **bytes, size_t *n, struct err *err)
{
    int got = 1;
    if (input->peeked) {
        *bytes = input->peeked;
        *n = input->peeked_n;
        input->peeked = NULL;
    } else {
        got = chunk(input, bytes, n, err);
    }
    if (got > 0)
        digest_add(&input->digest, *bytes, *n);
    return got;
}

const char *input_name(const struct input *input)
{
    return input->name;
}

void input_digest(const struct input *input, char hex[DIGEST_HEX])
{
    digest_hex(&input->digest, hex);
}

void input_close(struct input *input)
{
    if (!input)
        return;
    if (input->decoder && input->decoder->stop)
        input->decoder->stop(input);
    if (input->fd > STDIN_FILENO)
        (void)close(input->fd);
    free(input->raw);
    free(input->chunk);
    free(input->name);
    free(input);
}
