/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables published for one cluster and used for others without published ones; each mix says which
 * tables are its own.
 */
#ifndef TRACES_MIXES_BORROWED_H
#define TRACES_MIXES_BORROWED_H

#include "traces/generate/mix.h"

// clang-format off

/* Hours of the day: all four clusters of Helios (Hu et al., SC 2021); days of the week: Venus, one
 * of them. */
#define HOURS_OF_HELIOS {0.904, 0.843, 0.681, 0.597, 0.564, 0.555, 0.547, 0.511, 0.56, 0.816, \
   1.12, 1.24, \
                         1.2, 1.22, 1.33, 1.43, 1.49, 1.33, 1.1, 1.2, 1.31, 1.22, 1.14, 1.09}
#define DAYS_OF_VENUS {1.06, 1.1, 1.27, 1.19, 0.94, 0.68, 0.77}

/* Run times of the GPU jobs of Helios: vertices of the cumulative curve in Hu et al., NSDI 2024. */
#define RUN_TIMES_OF_HELIOS { \
    {1, 4}, {2, 4.94}, {4, 6.35}, {8, 7.7}, {16, 10.72}, {32, 16.15}, \
    {64, 24.88}, {128, 37.81}, {256, 56.57}, {512, 67.58}, {1024, 75.25}, {2048, 84.1}, \
    {4096, 87.53}, {8192, 90.75}, {16384, 94.36}, {32768, 96.26}, {65536, 97.77}, {131072, 98.9}, \
    {262144, 99.55}, {524288, 99.86}, {1048576, 99.96}, {2097152, 100}}

/* Argonne's ThetaGPU in 2023, Chicago time. */
#define HOURS_OF_THETAGPU {0.89, 0.68, 0.6, 0.7, 0.66, 0.55, 0.55, 0.67, 0.99, 1.3, 1.3, 1.49, \
                           1.27, 1.47, 1.4, 1.34, 1.23, 0.94, 0.92, 0.94, 1, 0.95, 1.18, 0.99}
#define DAYS_OF_THETAGPU {0.77, 1.19, 1.25, 1.22, 1.14, 0.65, 0.77}

// clang-format on

#endif
