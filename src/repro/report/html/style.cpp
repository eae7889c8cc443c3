#include "repro/report/html/sections.h"

namespace repro::html {
namespace {

// Two palettes of the same names. Verdicts are told by words and signs as well, never by colour alone.
constexpr const char* colours = R"(
:root{color-scheme:light dark;--paper:#fff;--panel:#f6f7f9;--ink:#1c2024;--muted:#5d6670;
--line:#dfe3e8;--bar:#2f6db3;--mark:#b3371f;--good:#1a6b3c;--good-bg:#e6f4ec;--bad:#a3301a;
--bad-bg:#fbeae6;--open:#7a5600;--open-bg:#fbf1d9;
--s0:#2f6db3;--s1:#c25e12;--s2:#1f8a5b;--s3:#8a4fb0;--s4:#b03a5b;--s5:#4f7a1d;--s6:#0f8090;--s7:#7a6a55}
@media (prefers-color-scheme:dark){:root{--paper:#14171a;--panel:#1c2024;--ink:#e6e9ec;
--muted:#9aa4ae;--line:#30373e;--bar:#6aa9ec;--mark:#f08a72;--good:#7fd3a0;--good-bg:#16291e;
--bad:#f39a86;--bad-bg:#321a15;--open:#e6bf67;--open-bg:#2c2411;
--s0:#6aa9ec;--s1:#f0a060;--s2:#62c99a;--s3:#c39be0;--s4:#ee8ea8;--s5:#a5cc70;--s6:#5cc6d4;--s7:#c0b09a}}
)";

constexpr const char* page = R"(
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,
"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums;
-webkit-text-size-adjust:100%}
main{max-width:1120px;margin:0 auto;padding:24px 20px 64px}
header .kicker{color:var(--muted);font-size:13px;margin:0}
h1{font-size:26px;line-height:1.25;margin:2px 0 16px;overflow-wrap:anywhere}
h2{font-size:18px;margin:0 0 12px}
h3{font-size:15px;margin:20px 0 8px;overflow-wrap:anywhere}
section{margin-top:36px;padding-top:20px;border-top:1px solid var(--line)}
p{margin:6px 0}
.quiet{color:var(--muted);font-size:13px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
font-size:12.5px}
code{overflow-wrap:anywhere}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:10px 12px;
overflow:auto;max-height:480px;margin:8px 0}
.banner{border-radius:10px;padding:18px 20px;border:1px solid;display:flex;gap:16px;
align-items:flex-start}
.banner .sign{font-size:34px;line-height:1;font-weight:700;width:36px;text-align:center;flex:none}
.banner .word{font-size:24px;font-weight:700;line-height:1.2;margin:0}
.banner p{color:var(--ink)}
.banner div{min-width:0}
.banner.identical,.badge.identical{background:var(--good-bg);color:var(--good);border-color:var(--good)}
.banner.different,.badge.different{background:var(--bad-bg);color:var(--bad);border-color:var(--bad)}
.banner.inconclusive,.badge.inconclusive,.banner.not_comparable,.badge.not_comparable{
background:var(--open-bg);color:var(--open);border-color:var(--open)}
.badge{display:inline-block;border-radius:99px;padding:0 9px;font-size:12.5px;font-weight:600;
white-space:nowrap}
nav{display:flex;flex-wrap:wrap;gap:4px 14px;margin:14px 0 0;font-size:13px}
a{color:var(--bar)}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:8px;margin:8px 0}
table{border-collapse:collapse;width:100%;font-size:13.5px}
th,td{padding:6px 10px;text-align:left;vertical-align:top;white-space:nowrap}
th{font-weight:600;color:var(--muted);background:var(--panel);font-size:12.5px}
tbody tr+tr td{border-top:1px solid var(--line)}
td code,.words{display:inline-block;width:max-content;max-width:420px;max-height:7.5em;
overflow:auto;white-space:normal;overflow-wrap:anywhere;vertical-align:top}
.words{display:block;max-width:280px}
.n{text-align:right}
.none,.left-out{color:var(--muted)}
.warn{color:var(--bad);font-weight:600}
ul.notes{list-style:none;padding:0;margin:14px 0 0}
ul.notes li{padding:8px 12px;border-left:3px solid var(--line);margin:6px 0;background:var(--panel);
border-radius:0 6px 6px 0;overflow-wrap:anywhere}
ul.notes li.warning{border-color:var(--open)}
ul.notes li.failure{border-color:var(--bad)}
ul.notes li.divergence{border-color:var(--bar)}
ul.notes b{font-weight:600}
)";

constexpr const char* figures = R"(
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,440px),1fr));gap:20px}
figure{margin:0;min-width:0}
figcaption{font-size:13px;margin-bottom:4px;overflow-wrap:anywhere}
figcaption .quiet{display:block}
svg.chart{display:block;width:100%;max-width:600px;height:auto;font:12px system-ui,-apple-system,
"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.grid{stroke:var(--line);fill:none}.zero{stroke:var(--muted);fill:none}
.tick{fill:var(--muted);font-variant-numeric:tabular-nums}.axis-title{fill:var(--ink)}
.bar{fill:var(--bar)}.mark{fill:var(--mark)}
.series{fill:none;stroke-width:1.4;stroke-linejoin:round}
.series.first{stroke-width:4.5;stroke-opacity:.45}
.dot{stroke:var(--paper);stroke-width:1}
.s0{stroke:var(--s0)}.s1{stroke:var(--s1)}.s2{stroke:var(--s2)}.s3{stroke:var(--s3)}
.s4{stroke:var(--s4)}.s5{stroke:var(--s5)}.s6{stroke:var(--s6)}.s7{stroke:var(--s7)}
.f0{fill:var(--s0)}.f1{fill:var(--s1)}.f2{fill:var(--s2)}.f3{fill:var(--s3)}
.f4{fill:var(--s4)}.f5{fill:var(--s5)}.f6{fill:var(--s6)}.f7{fill:var(--s7)}
.legend{display:flex;flex-wrap:wrap;gap:2px 14px;font-size:12.5px;color:var(--muted);
padding-left:12px}
.legend svg{width:22px;height:10px;margin-right:5px;vertical-align:middle}
td.gauge{width:40%;min-width:120px}
td.gauge i,.cell-bar i{display:block;height:12px;background:var(--bar);border-radius:2px;min-width:2px;
margin-top:4px;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.cell-bar i{height:4px;min-width:1px;margin-left:auto}
.pictures{display:grid;gap:6px;align-items:center;max-width:860px}
.pictures img{width:100%;image-rendering:pixelated;display:block;border-radius:3px;
border:1px solid var(--line)}
.pictures span{font-size:12.5px;color:var(--muted)}
dl.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:2px 14px;margin:8px 0;
font-size:13.5px}
dl.facts dt{color:var(--muted)}
dl.facts dd{margin:0;overflow-wrap:anywhere}
.place{font-weight:600;overflow-wrap:anywhere}
.neighbours .mark-equal{color:var(--muted)}
.neighbours .mark-different,.neighbours .mark-one-sided{color:var(--bad);font-weight:600}
.neighbours b{display:inline-block;width:1em;font-family:ui-monospace,Menlo,Consolas,monospace}
.neighbours .here td{background:var(--bad-bg);font-weight:600}
.neighbours .here td:first-child{box-shadow:inset 4px 0 var(--mark)}
section figure{margin-top:14px}
svg.strip{display:block;font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.strip .label{fill:var(--ink)}.strip .first{font-weight:700}
.strip .parting{stroke:var(--mark);fill:none;stroke-dasharray:2 2}
.differs{stroke:var(--mark);stroke-width:12;fill:none}
.equals{stroke:var(--muted);stroke-opacity:.4;stroke-width:2;fill:none}
.strip path{shape-rendering:crispEdges}
details{margin:8px 0}
summary{cursor:pointer;font-weight:600;font-size:14px;padding:4px 0}
@media (max-width:560px){main{padding:16px 12px 48px}.banner{padding:14px;gap:10px}
.banner .sign{font-size:26px;width:26px}.banner .word{font-size:20px}h1{font-size:21px}
th,td{padding:5px 8px}.pictures .wide{display:none}}
@media print{:root{color-scheme:light}main{max-width:none;padding:0}nav{display:none}
section{break-inside:auto}figure,tr,.banner,ul.notes li{break-inside:avoid}
.scroll{overflow:visible}pre{max-height:none;white-space:pre-wrap}th,td{white-space:normal}}
)";

}  // namespace

std::string style_sheet() { return std::string(colours) + page + figures; }

}  // namespace repro::html
