/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers of the test programs: running a suite, optional data, temporary files. */
#include "tests/lib/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int harness_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int harness_thin(void)
{
    const char *text = getenv("FAUXFLEET_THIN");
    long n = text != NULL ? strtol(text, NULL, 10) : 1;
    return n < 1 ? 1 : n > 1000 ? 1000 : (int)n;
}

bool harness_whole(void)
{
    return harness_thin() == 1;
}

int harness_repeats(int n)
{
    int part = n / harness_thin();
    return part < 1 ? 1 : part;
}

void harness_reached(const char *file, int line)
{
    static bool seen[4096]; /* by line only: places with equal lines count as one */
    int place = line % ROWS(seen);
    if (seen[place])
        return;
    seen[place] = true;
    _mark_point(file, line);
}

bool harness_exists(const char *path)
{
    return access(path, R_OK) == 0;
}

bool harness_shared(char *path, size_t size, const char *relative)
{
    const char *folder = getenv("FAUXFLEET_SHARED");
    int n = snprintf(path, size, "%s/%s", folder && *folder ? folder : "../shared", relative);
    ck_assert_msg(n > 0 && (size_t)n < size, "path of %s does not fit", relative);
    if (harness_exists(path))
        return true;
    (void)printf("skipped: %s is not here (see FAUXFLEET_SHARED)\n", relative);
    return false;
}

/* Creates an empty temporary file, open for writing. */
static FILE *create(char *path, size_t size, const char *suffix)
{
    const char *folder = getenv("TMPDIR");
    int n = snprintf(path, size, "%s/fauxfleet-test-XXXXXX%s", folder && *folder ? folder : "/tmp",
                     suffix);
    ck_assert_msg(n > 0 && (size_t)n < size, "temporary name does not fit");
    // mkstemps is not POSIX: create a name without the suffix, then append the suffix.
    size_t stem = (size_t)n - strlen(suffix);
    path[stem] = '\0';
    int fd = mkstemp(path);
    ck_assert_msg(fd >= 0, "cannot create %s", path);
    if (*suffix) {
        char *plain = strdup(path);
        ck_assert_ptr_nonnull(plain);
        memcpy(path + stem, suffix, strlen(suffix) + 1);
        ck_assert_int_eq(rename(plain, path), 0);
        free(plain);
    }
    FILE *file = fdopen(fd, "wb");
    ck_assert_ptr_nonnull(file);
    return file;
}

void harness_file(char *path, size_t size, const char *suffix, const void *bytes, size_t n)
{
    FILE *file = create(path, size, suffix);
    ck_assert_uint_eq(fwrite(bytes, 1, n, file), n);
    ck_assert_int_eq(fclose(file), 0);
}

void harness_name(char *path, size_t size, const char *suffix)
{
    ck_assert_int_eq(fclose(create(path, size, suffix)), 0);
    harness_forget(path);
}

char *harness_read(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "cannot read %s", path);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    ck_assert_int_ge(size, 0);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(fread(text, 1, (size_t)size, file), (size_t)size);
    (void)fclose(file);
    text[size] = '\0';
    if (n)
        *n = (size_t)size;
    return text;
}

void harness_forget(const char *path)
{
    (void)remove(path);
}

void harness_contains(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "'%s' does not contain '%s'", text, part);
}
