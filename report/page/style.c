/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The style sheet. One text colour, one colour for rules, one accent for links; figures follow the
 * text colour through currentColor. On wide screens each figure has its question and answer on its
 * left; on narrow ones tables and figures scroll in their box.
 */
#include "report/figures/palette.h"
#include "report/page/html.h"

/* Lines of CSS. */
static const char *const lines[] = {
    "*{box-sizing:border-box}\n",
    "html{-webkit-text-size-adjust:100%}\n",
    "body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 "
    "system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif}\n",
    "main{max-width:1180px;margin:0 auto;padding:2.5rem 1.25rem 4rem}\n",
    "h1{font-size:1.85rem;line-height:1.2;margin:0 0 "
    ".5rem;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere}\n",
    "h2{font-size:1.06rem;line-height:1.35;margin:0 0 .5rem;font-weight:650}\n",
    "p{margin:0 0 .6rem}\n",
    "a{color:var(--link);text-decoration:none}a:hover,a:focus{text-decoration:underline}\n",
    "code{font:.86em/1.4 "
    "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}\n",
    ".kind{color:var(--soft);font-size:.82rem;margin:0 0 .35rem}\n",
    ".about{color:var(--soft);margin:0 0 .8rem;max-width:46rem}\n",
    ".facts{display:flex;flex-wrap:wrap;gap:.2rem 1.6rem;margin:0 0 1.8rem;font-size:.88rem}\n",
    ".facts div{display:flex;gap:.45rem}.facts dt{color:var(--soft)}.facts dd{margin:0}\n",
    ".keys{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:1.1rem "
    "1.5rem;margin:0 0 2.6rem;padding:1.1rem 0;border-top:2px solid var(--ink);border-bottom:1px "
    "solid var(--rule)}\n",
    ".keys dt{color:var(--soft);font-size:.82rem}\n",
    ".keys "
    "dd{margin:0;font-size:1.6rem;line-height:1.3;font-weight:600;font-variant-numeric:tabular-"
    "nums;white-space:nowrap}\n",
    ".keys "
    "small{display:block;font-size:.8rem;font-weight:400;line-height:1.35;color:var(--soft);white-"
    "space:normal}\n",
    ".verdict{margin:0 0 1.6rem;padding:1rem 1.2rem;border:1px solid var(--rule);border-left:4px "
    "solid var(--link);border-radius:4px}.verdict dl{margin:0}.verdict dl "
    "div{display:grid;grid-template-columns:7rem minmax(0,1fr);gap:0 1rem;padding:.22rem "
    "0}.verdict dt{color:var(--soft)}.verdict dd{margin:0;overflow-wrap:anywhere}.verdict .alarm "
    "dt,.verdict .alarm dt span{color:var(--alarm);font-weight:650}\n",
    ".question{font-size:1.25rem;line-height:1.4;max-width:46rem;margin:0 0 "
    "1.4rem;overflow-wrap:anywhere}\n",
    ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(16rem,1fr));gap:1rem;margin:"
    "0 "
    "0 1.6rem}.card{border:1px solid var(--rule);border-radius:4px;padding:1rem "
    "1.2rem;break-inside:avoid}.card h2 span{color:var(--soft);margin-right:.35rem}.card "
    "h2{overflow-wrap:anywhere}.card dl{margin:0}.card dl "
    "div{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 .8rem;padding:.2rem "
    "0;border-top:1px solid var(--rule)}.card dt{color:var(--soft);font-size:.88rem}.card "
    "dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}.card "
    "small{display:block;font-weight:400;color:var(--soft)}.card "
    "small.harm{color:var(--alarm)}.card "
    "small.gain{color:var(--good)}.details{font-size:1.3rem;margin:1.6rem 0 .8rem}\n",
    "figure,.block{margin:0;padding:1.7rem 0;border-top:1px solid var(--rule)}\n",
    ".keys+figure,.keys+.block,.note+figure,.note+.block{border-top:0;padding-top:0}\n",
    "figcaption{max-width:46rem}\n",
    ".fine{color:var(--soft);font-size:.82rem}\n",
    ".note{color:var(--soft);border-left:3px solid var(--rule);padding:.1rem 0 .1rem "
    ".8rem;margin:0 0 1.8rem}\n",
    "figure .note{margin:0}\n",
    ".scroll{overflow-x:auto}\n",
    "figure svg{display:block;width:100%;min-width:640px;height:auto}\n",
    ".lines{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font:.82rem/1.45 "
    "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}\n",
    "details summary{cursor:pointer}details summary h2{display:inline}details[open] "
    "summary{margin:0 0 "
    ".5rem}\n",
    "svg text{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica "
    "Neue\",Arial,sans-serif;font-variant-numeric:tabular-nums}\n",
    "table{border-collapse:collapse;font-size:.88rem;width:100%}\n",
    "th,td{padding:.32rem .55rem;text-align:left;vertical-align:baseline;border-bottom:1px solid "
    "var(--rule)}\n",
    "th:first-child,td:first-child{padding-left:0}th:last-child,td:last-child{padding-right:0}\n",
    "thead "
    "th{color:var(--soft);font-weight:500;border-bottom-color:var(--soft);white-space:nowrap;"
    "vertical-align:bottom}\n",
    "thead tr:not(:last-child) th{border-bottom:0;padding-bottom:0}thead "
    ".span{text-align:center}\n",
    "tbody th{font-weight:500;min-width:7rem;overflow-wrap:break-word}tbody th "
    "code,td.unit{white-space:nowrap}\n",
    ".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n",
    ".none{color:var(--soft)}\n",
    "td.text{min-width:17rem;color:var(--soft)}\n",
    "tr.sum th,tr.sum td{font-weight:650;border-top:1px solid var(--soft)}\n",
    "tr.part th{font-weight:400;padding-left:1rem}\n",
    ".bar{width:38%;min-width:7rem}\n",
    ".fill{display:block;height:.72rem;min-width:1px}\n",
    ".good{background:var(--good)}.lost{background:var(--lost)}.idle{background:var(--idle)}.gone{"
    "background:repeating-linear-gradient(135deg,var(--idle) 0 2px,transparent 2px 5px)}\n",
    ".maps{display:flex;flex-wrap:wrap;gap:1rem 2rem;margin:.4rem 0 "
    ".6rem}.map{break-inside:avoid}.map p{margin:0}.heat{width:auto}.heat td{min-width:4.6rem;"
    "padding:.4rem .55rem;background:color-mix(in srgb,var(--c4) var(--h,0%),var(--bg));"
    "print-color-adjust:exact;-webkit-print-color-adjust:exact}.heat td:last-child{padding-right:"
    ".55rem}.heat .best{outline:2px solid var(--good);outline-offset:-2px;font-weight:650}\n",
    ".stack{display:flex;height:1.5rem;margin:0 0 .5rem;gap:1px}\n",
    ".legend{display:flex;flex-wrap:wrap;gap:.2rem 1.3rem;margin:0 0 "
    "1.1rem;padding:0;list-style:none;font-size:.88rem}\n",
    ".legend "
    "i{display:inline-block;width:.8rem;height:.8rem;margin-right:.4rem;vertical-align:-.08rem}\n",
    "@media(min-width:1000px){figure{display:grid;grid-template-columns:18rem minmax(0,1fr);gap:0 "
    "2.5rem;align-items:start}}\n",
    "@media(max-width:480px){main{padding:1.4rem .9rem "
    "3rem}h1{font-size:1.5rem}.keys{grid-template-columns:1fr 1fr}.keys dd{font-size:1.35rem}}\n",
    "@media(max-width:640px){.verdict dl div{grid-template-columns:minmax(0,1fr);padding:.35rem "
    "0}.bar,.words thead{display:none}.words,.words tbody,.words td.text{display:block}"
    ".words th{display:inline}.words tr{display:block;padding:.45rem 0;border-bottom:1px solid "
    "var(--rule)}.words th,.words "
    "td{border:0;"
    "padding:0}.words .n,.words td{display:inline;margin-left:.6rem}.words "
    "td.text{margin:0;min-width:0}}\n",
    "@media "
    "print{:root{--bg:#fff;--ink:#000;--soft:#444;--rule:#ccc;--link:#000;--alarm:#000}body{font-"
    "size:10pt}main{max-width:none;padding:0}figure,tr,.keys,.verdict "
    "div{break-inside:avoid}h2{break-after:avoid}.details{margin:.8rem 0 "
    ".4rem}.cards{grid-template-"
    "columns:1fr 1fr}.card{padding:.4rem .8rem}.card dl div{padding:0}.block{padding:.6rem "
    "0}.verdict{padding:.4rem .8rem;margin:0 0 .6rem}.card "
    "small{display:inline}figure{display:grid;grid-template-columns:4.4cm minmax(0,1fr);gap:0 "
    ".6cm;align-items:start;padding:.6rem 0}figure "
    "svg{max-height:17cm}details:not([open]){display:none}.keys{margin:0 0 1rem;padding:.5rem "
    "0;gap:.5rem 1rem;grid-template-columns:repeat(4,1fr)}#by-class,#by-size{break-"
    "inside:avoid}table{font-size:8pt}th,td{padding:.2rem .3rem}thead "
    "th,#points .n{white-space:normal}.scroll{overflow:visible}figure "
    "svg{min-width:0}.fill,.legend i,.stack "
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n",
};

/* Sets what differs between light and dark pages; printed pages are light. */
static void put_colors(struct out *out, const char *inks, bool dark)
{
    out_format(out, ":root{%s;", inks);
    palette_variables(out, dark);
    out_text(out, "--good:var(--c2);--lost:var(--c0)}");
}

void html_style(struct out *out)
{
    put_colors(out,
               "color-scheme:light "
               "dark;--bg:#fff;--ink:#1b1f24;--soft:#59636e;--rule:#dfe3e8;--link:#0061a4;--alarm:#"
               "b3261e;--idle:#6d6d6d",
               false);
    out_text(out, "\n@media screen and (prefers-color-scheme:dark){");
    put_colors(out,
               "--bg:#14171b;--ink:#e4e7eb;--soft:#9aa4af;--rule:#2c323a;--link:#6cb6ff;--alarm:#"
               "ff8a80;--idle:#838383",
               true);
    out_text(out, "}\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        out_text(out, lines[i]);
}
