#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The pages in a real browser: headless Chromium, light and dark, wide and narrow, and printed.
# Checks that figures are present with whole labels, nothing overflows, the page follows the colour
# scheme, the console is silent, and printed pages have no blank gaps. Prints TAP; leaves
# screenshots and PDFs in $B/browser for a look. Skipped without Chromium or gnuplot. Environment:
# BIN, the program; B, the build folder; CHROMIUM, the browser (found in PATH unless given).
set -u

here=$(dirname "$0")
out=${B:?}/browser
number=0
failed=0

for name in ${CHROMIUM:-} chromium chromium-browser google-chrome; do
    CHROMIUM=$(command -v "$name") && break
done
if [ -z "$CHROMIUM" ]; then
    echo '1..0 # SKIP no Chromium is installed'
    exit 0
fi
if ! command -v gnuplot >/dev/null; then
    echo '1..0 # SKIP gnuplot is not installed'
    exit 0
fi
rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)

verdict() {
    number=$((number + 1))
    if [ -n "$2" ]; then
        printf '%s\n' "$2" | sed 's/^/# /'
        echo "not ok $number - $1"
        failed=1
    else
        echo "ok $number - $1"
    fi
}

# Root cannot use Chromium's own sandbox; the pages are ours.
chromium() {
    timeout 60 "$CHROMIUM" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --no-first-run \
        --user-data-dir="$out/profile" --enable-logging=stderr --virtual-time-budget=2000 "$@" 2>"$out/log"
}

# wrapper PAGE WIDTH DARK: the page in a frame of that width (a window of Chromium is never narrower
# than 500).
wrapper() {
    printf '<!DOCTYPE html><html><head><meta charset="utf-8"><style>:root{color-scheme:light dark}body{margin:0}'
    printf 'iframe{border:0;display:block;width:%spx;height:900px}</style></head><body><iframe id="page" srcdoc="' "$2"
    sed 's/&/\&amp;/g; s/"/\&quot;/g' "$1"
    printf '"></iframe><pre id="result" hidden></pre><script>\n'
    cat "$here/browser_probe.js"
    printf "addEventListener('load', () => { const frame = document.getElementById('page');\n"
    printf "document.getElementById('result').textContent = probe(frame, %s);\n" "$3"
    printf "frame.style.height = frame.contentDocument.documentElement.scrollHeight + 'px'; });\n"
    printf '</script></body></html>\n'
}

# look PAGE NAME FIGURES: all checks of one page, which has at least so many figures.
look() {
    for scheme in light dark; do
        [ $scheme = dark ] && flag=0 dark=true || flag=1 dark=false
        for width in 400 1280; do
            shown="$out/$2-$scheme-$width"
            wrapper "$1" $width $dark >"$shown.html"
            result=$(chromium --blink-settings=preferredColorScheme=$flag --window-size=$width,900 --dump-dom \
                "file://$shown.html" | sed -n 's/^.*<pre[^>]*>//; s/<\/pre>.*//; /^WRONG/p; /^PROBED/p')
            wrong=$(printf '%s\n' "$result" | grep -v '^PROBED' | sed 's/^WRONG //')
            figures=$(printf '%s\n' "$result" | sed -n 's/^PROBED \([0-9]*\) figures.*/\1/p')
            [ "${figures:-0}" -ge "$3" ] || wrong="$wrong
${figures:-no} figures, expected $3 or more"
            verdict "$2, $scheme, $width pixels wide" "$wrong"
            chromium --blink-settings=preferredColorScheme=$flag --window-size=$width,9000 --screenshot="$shown.png" \
                "file://$shown.html" >/dev/null
            rm -f "$shown.html"
        done
    done
    chromium --print-to-pdf="$out/$2.pdf" --no-pdf-header-footer "file://$1" >/dev/null
    verdict "$2: the console is silent" "$(grep CONSOLE "$out/log")"
    pages=$(grep -a -c '/Type /Page$' "$out/$2.pdf" 2>/dev/null)
    [ "${pages:-0}" -ge 1 ] && wrong= || wrong="${pages:-no} pages"
    verdict "$2 is printed" "$wrong"
    if command -v pdftoppm >/dev/null; then
        verdict "$2 is printed without blank gaps" "$(python3 "$here/print_gaps.py" "$out/$2.pdf" 0.4 2>&1)"
    fi
}

run() {
    "$BIN" run --quiet "$@" >/dev/null || exit 1
}

run scenarios/examples/demo.json -o "$out/demo"
run scenarios/examples/demo.json --policy runai --set faults.profile=h100 --set 'checkpoint={}' -o "$out/faults"
run scenarios/studies/services.json -o "$out/services"
run scenarios/examples/demo.json --replicas 20 --no-report -o "$out/a"
run scenarios/examples/demo.json --policy runai --replicas 20 --no-report -o "$out/b"
"$BIN" compare "$out/a" "$out/b" -o "$out/compare.html" >/dev/null || exit 1
"$BIN" whatif scenarios/examples/demo.json --policy runai --replicas 20 --quiet -o "$out/whatif.html" >/dev/null || exit 1
"$BIN" plan scenarios/examples/demo.json --target 'p95(wait) <= 2h' --replicas 4 --quiet -o "$out/plan" >/dev/null
[ -s "$out/plan/plan.html" ] || exit 1
rm -f "$out/mine.json"
"$BIN" init --from scenarios/examples/slurm/sacct.txt --option queue=account -o "$out/mine.json" 2>/dev/null || exit 1
"$BIN" calibrate "$out/mine.json" --quiet -o "$out/calibrate.html" >/dev/null || exit 1
run "$out/mine.json" -o "$out/dated"
run scenarios/examples/demo.json --replicas 5 --no-report -o "$out/a5"
run scenarios/examples/demo.json --policy runai --replicas 5 --no-report -o "$out/b5"
"$BIN" compare "$out/a5" "$out/b5" -o "$out/compare5.html" >/dev/null || exit 1
printf '{"fauxfleet_sweep": 1, "scenario": "%s", "grid": {%s}, "seeds": 5, "metrics": ["wait_s.p95", "utilization.fleet_goodput"]}' \
    "$PWD/scenarios/examples/demo.json" '"workload.generate.load": [0.6, 0.7, 0.9]' >"$out/one.json"
"$BIN" sweep "$out/one.json" --quiet -o "$out/one" || exit 1
"$BIN" sweep tests/e2e/data/sweep.json --quiet -o "$out/three" || exit 1
printf '{"fauxfleet_gate": 1, "name": "small", "scenarios": [{"scenario": "%s", "set": {"workload.generate.horizon": "4d", "window.horizon": "4d"}}], "metrics": [{"metric": "wait_s.mean", "margin": 0.5}, {"metric": "jct_s.mean", "margin": 0.3}], "looks": [6, 20]}' \
    "$PWD/scenarios/ci/quota.json" >"$out/suite.json"
regressions=tests/e2e/data/regressions
"$BIN" gate "$out/suite.json" --base $regressions/line-base.json --candidate $regressions/line-backfill-off.json --quiet -o "$out/gate" >/dev/null
[ -s "$out/gate/gate.html" ] || exit 1
"$BIN" trace generate philly --set jobs=5000 -o "$out/trace.csv" >/dev/null || exit 1
"$BIN" trace stats "$out/trace.csv" -o "$out/trace.html" >/dev/null || exit 1

look "$out/demo/report.html" demo 7
look "$out/faults/report.html" faults 8
look "$out/services/report.html" services 7
look "$out/compare.html" compare 2
look "$out/compare5.html" compare5 2
look "$out/dated/report.html" dated 6
look "$out/whatif.html" whatif 1
look "$out/plan/plan.html" plan 1
look "$out/one/report.html" sweep-line 2
look "$out/three/report.html" sweep-maps 0
look "$out/gate/gate.html" gate 0
look "$out/trace.html" trace 3
look "$out/calibrate.html" calibrate 1
# explore NAME JOB DIR...: the explorer, used like a person would, and printed.
explore() {
    name=$1 job=$2
    shift 2
    "$BIN" report "$@" --explore -o "$out/$name.html" >/dev/null || exit 1
    mkdir -p "$out/$name"
    python3 "$here/explore_browser.py" "$out/$name.html" "$job" "$out/$name" >"$out/$name.tap"
    wrong=$(grep '^not ok' "$out/$name.tap")
    grep '^ok.*\(ready\|frames\)' "$out/$name.tap" | sed 's/^ok [0-9]* - /# /'
    [ -s "$out/$name.tap" ] || wrong="no answer"
    verdict "explorer of $name" "$wrong"
    chromium --print-to-pdf="$out/$name.pdf" --no-pdf-header-footer "file://$out/$name.html" >/dev/null
    if command -v pdftoppm >/dev/null; then
        verdict "explorer of $name is printed without blank gaps" "$(python3 "$here/print_gaps.py" "$out/$name.pdf" 0.4 2>&1)"
    fi
}
job_at() { sed -n "$2s/,.*//p" "$1/jobs.csv"; } # DIR LINE
# Venus is measured if its trace is available.
if command -v chromedriver >/dev/null && command -v python3 >/dev/null; then
    explore explorer "$(job_at "$out/faults" 9)" "$out/faults"
    explore two-explorers "$(job_at "$out/faults" 9)" "$out/faults" "$out/demo"
    venus=../shared/traces/venus-sept/jobs.csv.gz
    if [ -r "$venus" ]; then
        run scenarios/studies/venus-sept.json --trace "$venus" --no-report -o "$out/venus"
        explore venus-explorer "$(job_at "$out/venus" 5000)" "$out/venus"
    fi
else
    echo "# the explorer is not used: no chromedriver or no python3"
fi

rm -rf "$out/profile" "$out/log"
echo "1..$number"
echo "# screenshots and PDFs are in $out"
exit $failed
