/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The adapter's whole work with a made-up Slurm that outlives it, for tests that end it anywhere:
 *
 *     life FOLDER POLICY journal|state SEED
 *
 * FOLDER/slurm is the cluster, FOLDER/files/ has what the adapter writes: a state, with a journal
 * or without. Started anew it goes on. Exit code 0 when all jobs are over and none was released
 * twice, 70 when a file could not be written, 1 when something is wrong with the jobs.
 */
#include "policies/adapters/slurm/memory.h"
#include "tests/lib/harness.h"
#include "tests/lib/slurm/fake_slurm.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_STEPS 20000
#define TROUBLE_MS 1040000 /* until then; it begins at 1000000 */
#define EXIT_FILES 70

static struct fake *map(const char *path, int seed)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct stat info;
    struct fake *f = MAP_FAILED;
    if (file >= 0 && fstat(file, &info) == 0 && ftruncate(file, sizeof *f) == 0)
        f = mmap(NULL, sizeof *f, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (f == MAP_FAILED) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    if (info.st_size == 0)
        fake_init(f, seed);
    return f;
}

/* What the adapter does when a file cannot be written. */
static int end(const struct fake_bed *bed, const char *why)
{
    (void)fprintf(stderr, "%s\n", bed->facts.log.error != 0 ? strerror(bed->facts.log.error) : why);
    return EXIT_FILES;
}

static int work(struct fake_bed *bed)
{
    struct fake *f = bed->slurm;
    for (int steps = 0; !fake_all_over(f); steps++) {
        if (steps == MOST_STEPS) {
            (void)fputs("jobs are lost\n", stderr);
            return EXIT_FAILURE;
        }
        f->trouble = f->now < TROUBLE_MS;
        fake_step(f);
        fake_look(bed);
        if (bed->facts.log.error != 0)
            return end(bed, "");
        if (life_is_long(&bed->life, bed->tracker) && !fake_turn(bed))
            return end(bed, bed->error);
    }
    if (!life_save(&bed->life, bed->tracker, f->now, bed->error, sizeof bed->error))
        return end(bed, bed->error);
    if (f->again > 0)
        (void)fprintf(stderr, "%u jobs were released twice\n", (unsigned)f->again);
    return f->again > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* What check's tests cannot be given as arguments. */
static struct {
    struct fake_files files;
    const char *policy;
    int seed, code;
} job;

START_TEST(all_jobs_come_to_their_end)
{
    struct fake_bed *bed;
    bool ok = fake_try_open(&bed, job.policy, job.files, job.seed);
    job.code = ok ? work(bed) : end(bed, bed->error);
    fake_close(bed);
}
END_TEST

/* In this process, which is what is to be ended. */
static int run(void)
{
    Suite *suite = suite_create("life");
    TCase *tcase = tcase_create("life");
    tcase_add_test(tcase, all_jobs_come_to_their_end);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    if (failed > 0)
        srunner_print(runner, CK_NORMAL);
    srunner_free(runner);
    return failed > 0 ? EXIT_FAILURE : job.code;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        (void)fputs("usage: life FOLDER POLICY journal|state SEED\n", stderr);
        return EXIT_FAILURE;
    }
    char *journal = memory_format("%s/files/journal", argv[1]);
    char *state = memory_format("%s/files/state", argv[1]);
    char *slurm = memory_format("%s/slurm", argv[1]);
    job.policy = argv[2];
    job.seed = (int)strtol(argv[4], NULL, 10);
    job.files = (struct fake_files){.journal = strcmp(argv[3], "journal") == 0 ? journal : NULL,
                                    .state = state,
                                    .slurm = map(slurm, job.seed),
                                    .syncs = true};
    int code = run();
    free(journal);
    free(state);
    free(slurm);
    return code;
}
