#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Blank gaps of a printed page: print_gaps.py FILE.pdf SHARE

Prints a line for each page except the last with a blank band higher than that share of the page.
Needs pdftoppm.
"""
import subprocess
import sys


def pages(path):
    """The pages in grey, as (width, height, bytes)."""
    data = subprocess.run(["pdftoppm", "-gray", "-r", "20", path], check=True, capture_output=True).stdout
    at = 0
    while at < len(data):
        fields, start = [], at
        while len(fields) < 4:
            end = start
            while not chr(data[end]).isspace():
                end += 1
            fields.append(data[start:end])
            start = end + 1
        width, height = int(fields[1]), int(fields[2])
        yield width, height, data[start:start + width * height]
        at = start + width * height


def widest_gap(width, height, grey):
    """First and last row of the highest white band."""
    best, since = (0, 0), 0
    for y in range(height + 1):
        row = grey[y * width:(y + 1) * width]
        if y == height or min(row) < 250:
            if y - since > best[1] - best[0]:
                best = (since, y)
            since = y + 1
    return best


def main():
    path, share = sys.argv[1], float(sys.argv[2])
    all_pages = list(pages(path))
    for number, (width, height, grey) in enumerate(all_pages[:-1], 1):
        begin, end = widest_gap(width, height, grey)
        if end - begin > share * height:
            print(f"page {number} of {len(all_pages)} is blank from {100 * begin // height}% to {100 * end // height}%")


main()
