# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the figures of a text with those of the runs that they come from.
#
#     awk -v claims=FILE -v exempt=FILE [-v update=FILE] -f figures.awk TEXT
#
# A line of claims is a passage with {} for each figure, and the figures, all separated by tabs;
# line breaks count as blanks. A line of exempt is the reason why no run gives a passage's figures,
# a tab, and the passage; if the reason names a script of tests/e2e, the script must contain the
# figures; " ... " in a passage matches anything, {} any figure. If the reason is `make figures`,
# the line does not count with `all`. Prints one line for each passage that differs or is missing,
# and for each figure covered by neither; with `update` the text with the right figures is written
# there. Ignored: code blocks (pages.sh runs them), inline code, and names such as H100 or p95.

function flat(text,    lines, count, i, out, inside, fence) {
    count = split(text, lines, "\n")
    for (i = 1; i <= count; i++) {
        fence = lines[i] ~ /^ *```/
        if (fence) inside = !inside
        if (fence || inside) gsub(/./, " ", lines[i])
        if (lines[i] ~ /^[0-9][.] /) lines[i] = "#" substr(lines[i], 2) # a numbered item
        if (lines[i] ~ /^  [^ ]/ && !inside) lines[i] = "  " substr(lines[i], 3)
        out = out (i > 1 ? " " : "") lines[i]
    }
    return out
}

# Hides the figures of text[from, from + length).
function hide(from, n,    middle) {
    middle = substr(rest, from, n)
    gsub(/[0-9]/, "#", middle)
    rest = substr(rest, 1, from - 1) middle substr(rest, from + n)
}

# The first place from `from` on where the text has the first piece of the passage (the second, if
# the passage begins with a figure): returns where the passage begins, 0 without such a place, or,
# if the other pieces do not follow with short gaps, minus that place. The gaps are in gap_at,
# gap_n.
function follow(pieces, count, from,    i, n, at, begin, tried) {
    if (pieces[1] == "") { # a passage that begins with a figure
        at = index(substr(whole, from), pieces[2])
        if (!at) return 0
        tried = at + from - 1
        for (at = tried - 1; at > 0 && substr(whole, at, 1) != " "; at--)
            ;
        begin = ++at
    } else {
        at = index(substr(whole, from), pieces[1])
        if (!at) return 0
        tried = begin = from + at - 1
        at = begin + length(pieces[1])
    }
    for (i = 2; i <= count; i++) {
        n = pieces[i] == "" ? match(substr(whole, at), /[ |),;]/) : index(substr(whole, at), pieces[i])
        if (!n || n > 24) return -tried
        gap_at[i - 1] = at
        gap_n[i - 1] = n - 1
        at += n - 1 + length(pieces[i])
    }
    passage_end = at
    return begin
}

# The first place from `from` on where they do follow, or 0.
function found_at(pieces, count, from,    begin) {
    for (; (begin = follow(pieces, count, from)) < 0; from = -begin + 1)
        ;
    return begin
}

# Every occurrence of the passage must have the same figures.
function claim(line,    fields, count, pieces, k, i, said, should, begin, new, from) {
    count = split(line, fields, "\t")
    k = split(fields[1], pieces, "[{][}]")
    if (k != count) { print "a passage with " k - 1 " figures got " count - 1 ": " line; return }
    should = pieces[1]
    for (i = 2; i <= k; i++) should = should fields[i] pieces[i]
    if (!found_at(pieces, k, 1)) { print "no page says: " fields[1]; return }
    for (from = 1; begin = found_at(pieces, k, from); from = passage_end) {
        said = substr(whole, begin, passage_end - begin)
        hide(begin, passage_end - begin)
        if (said == should) continue
        print "a page says: " said
        print "       runs: " should
        if (!update) continue
        for (i = k - 1; i >= 1; i--) {
            new = fields[i + 1]
            text = substr(text, 1, gap_at[i] - 1) new substr(text, gap_at[i] + gap_n[i])
            rest = substr(rest, 1, gap_at[i] - 1) sprintf("%" length(new) "s", "") substr(rest, gap_at[i] + gap_n[i])
        }
        whole = flat(text)
    }
}

# Figures of the passage that the script does not contain.
function absent(script, passage,    line, has, words, count, i, figure) {
    while ((getline line <script) > 0) { gsub(/,/, "", line); has = has " " line }
    close(script)
    count = split(passage, words, /[ |();]+/)
    for (i = 1; i <= count; i++) {
        figure = words[i]
        gsub(/,/, "", figure)
        gsub(/[.:%]$/, "", figure)
        if (figure ~ /^[0-9]/ && !index(has, figure)) print script " has no " figure ": " passage
    }
}

function excuse(line,    tab, passage, at, found, ends, n) {
    tab = index(line, "\t")
    passage = substr(line, tab + 1)
    if (passage !~ /[0-9]|[{][}]/) { print "an exemption without figures: " passage; return }
    if (index(passage, "{}")) {
        found = found_at(ends, split(passage, ends, "[{][}]"), 1)
        if (found) hide(found, passage_end - found)
    } else if (split(passage, ends, / [.][.][.] /) == 2) { # from here to there
        at = index(rest, ends[1])
        n = index(substr(rest, at), ends[2])
        found = at && n
        if (found) hide(at, n - 1 + length(ends[2]))
    } else while (at = index(rest, passage)) { # hiding what is found makes it another one
        hide(at, length(passage))
        found = 1
    }
    if (!found) print "no page says what is exempt: " passage
    if (line ~ /^tests\/[^\t]*\.sh\t/) absent(substr(line, 1, tab - 1), passage)
}

# The rest: figures that begin a word, outside of inline code.
function leftover(    parts, count, i, words, k, w, left) {
    count = split(rest, parts, "`")
    for (i = 1; i <= count; i += 2) {
        left = left " " parts[i]
    }
    k = split(left, words, /[ |(),;\/]+/)
    for (w = 1; w <= k; w++)
        if (words[w] ~ /^[-+]?[0-9]/)
            print "no run and no exemption: " words[w - 2] " " words[w - 1] " " words[w] " " words[w + 1] " " words[w + 2]
}

{ text = text (NR > 1 ? "\n" : "") $0 }

END {
    whole = rest = flat(text)
    while ((getline line <claims) > 0) if (line != "") claim(line)
    while ((getline line <exempt) > 0)
        if (line != "" && line !~ /^#/ && !(all && line ~ /^make figures\t/)) excuse(line)
    leftover()
    if (update) print text >update
}
