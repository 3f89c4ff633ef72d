/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gavel's and Shockwave's lines in their three variants. */
#include "tests/traces/formats/told.h"

#define SHOCKWAVE                                                                                  \
    "ResNet-18 (batch size 32)\tpython3 "                                                          \
    "main.py\timage_classification/"                                                               \
    "cifar10\t--num_steps\t1\t328885\t2\tgns\t1\t-1.000000\t7876\t2\n"
#define GAVEL                                                                                      \
    "Transformer (batch size 128)\tcd %s && python3 "                                              \
    "train.py\t-step\t1\t15486530\t336541.500000\t8"
#define PHYSICAL                                                                                   \
    "Transformer (batch size 128)\tpython3 "                                                       \
    "train.py\ttranslation\t-step\t1\t346\t2\t1\t-1.000000\t7\r\n"

// clang-format off
static const struct told_row rows[] = {
    {"gavel", SHOCKWAVE "\n" SHOCKWAVE, NULL, NULL,
     "job_id=0 submit_s=2 duration_s=7876 gpus=2 queue=default model=ResNet-18 (batch size "
     "32)\n"
     "job_id=1 submit_s=2 duration_s=7876 gpus=2 queue=default model=ResNet-18 (batch size "
     "32)\n"},
    {"gavel", GAVEL, "run_time", "1h",
     "job_id=0 submit_s=336541.5 duration_s=3600 gpus=8 queue=default "
     "model=Transformer (batch size 128)\n"},
    {"gavel", PHYSICAL, "run_time", "10m",
     "job_id=0 submit_s=7 duration_s=600 gpus=2 queue=default "
     "model=Transformer (batch size 128)\n"},
};
// clang-format on

START_TEST(what_is_read)
{
    told_check(&rows[_i]);
}
END_TEST

// clang-format off
static const struct told_row wrong[] = {
    {"gavel", "a\tb\tc\n", NULL, NULL, "t:1:3: the line has 3 fields, expected 7, 10 or 12"},
    {"gavel", "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\n", NULL, NULL, "more than 12 fields"},
    {"gavel", GAVEL "x\n", NULL, NULL, "t:1:7: GPUs: '8x' is not valid"},
    {"gavel", GAVEL, NULL, NULL, "progress models are not supported yet; option run_time=TIME"},
    {"gavel", PHYSICAL, NULL, NULL, "progress models are not supported yet; option run_time=TIME"},
    {"gavel", "\tcd\t-step\t1\t1\t0\t1\n", NULL, NULL, "t:1:1: model: '' is not valid"},
};
// clang-format on

START_TEST(what_is_refused)
{
    told_refuse(&wrong[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gavel");
    TCase *tcase = tcase_create("gavel");
    tcase_add_loop_test(tcase, what_is_read, 0, ROWS(rows));
    tcase_add_loop_test(tcase, what_is_refused, 0, ROWS(wrong));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
