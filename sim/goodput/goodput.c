/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shares of goodput.h. */
#include "sim/goodput/goodput.h"

double goodput_runtime(double ran, double lost, double waited, double resumed)
{
    return (ran - lost) / (ran + waited + resumed);
}

double goodput_overall(double scheduling, double runtime, double program)
{
    return scheduling * runtime * program;
}

double goodput_cluster(double productive, double devices, double wall)
{
    double installed = devices * wall;
    return installed > 0 ? productive / installed : 0;
}
