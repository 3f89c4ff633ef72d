# SPDX-License-Identifier: GPL-3.0-or-later
# A trace of a population of users, for the evidence that plans are right about weeks that they have not seen: every seed has other
# users and other weeks of the same kind.
#
#     users     sessions a week log-normal (sigma 0.9, so that all of them submit some 400), typical run time and size of their own; half of their weeks are quiet
#     weeks     busier or quieter for all, log-normal (sigma 0.1)
#     hours     three times as many by day (8 to 20 o'clock) on five days of seven
#     sessions  one to six jobs within minutes, of like run times (log-normal)
#
# awk -v seed=1 -v users=400 -v weeks=8 -f superpopulation.awk | sort: jobs as a native CSV without the header, unsorted.

function uniform() { # L'Ecuyer's combination of two generators, CACM 31, 1988: exact in doubles
    s1 = (40014 * s1) % 2147483563
    s2 = (40692 * s2) % 2147483399
    return ((s1 - s2 + 2147483562) % 2147483562 + 0.5) / 2147483562
}
function normal() { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()) }
function poisson(mean,   n, p) { n = -1; p = 1; do { p *= uniform(); n++ } while (p > exp(-mean)); return n }
function hour_of_week(   h, busy) { # busy hours count 3
    do { h = int(uniform() * 168); busy = h % 24 >= 8 && h % 24 < 20 && int(h / 24) < 5 } while (!busy && uniform() > 1 / 3)
    return h
}
function session(u, w,   at, k, jobs) {
    at = w * 604800 + hour_of_week() * 3600 + int(uniform() * 3600)
    jobs = 1
    while (jobs < 6 && uniform() < 0.4)
        jobs++
    for (k = 0; k < jobs; k++) {
        printf "j%d,%d,%d,%d,u%d\n", ++n, at, 60 + int(typical * exp(0.8 * normal())), gpus, u
        at += int(120 * uniform())
        if (at >= weeks * 604800)
            at = weeks * 604800 - 1
    }
}
BEGIN {
    s1 = 1 + (seed * 7919) % 2147483562
    s2 = 1 + (seed * 104729) % 2147483398
    for (k = 0; k < 20; k++)
        uniform()
    for (w = 0; w < weeks; w++)
        level[w] = exp(0.1 * normal())
    for (u = 1; u <= users; u++) {
        rate = 275 / users * exp(0.9 * normal())
        typical = 7200 * exp(0.5 * normal())
        x = uniform()
        gpus = x < 0.6 ? 1 : x < 0.9 ? 2 : 4
        for (w = 0; w < weeks; w++)
            for (k = poisson(rate * level[w] * (uniform() < 0.5 ? 0.4 : 1.6)); k > 0; k--)
                session(u, w)
    }
}
