"""The colours and letters of a drawing; each colour has a light and a dark value."""

STYLE = """
.lineagegraph { --paper:#ffffff; --ink:#1c2430; --soft:#667085; --flow:#98a2b3; --frame:#f7f8fa;
  --frame-line:#d9dee7; --job:#f3effd; --job-line:#7a5bd0; --data:#e9f3fb; --data-line:#2b7bb9;
  --good:#1f9d55; --bad:#d33a3a; --busy:#2b7bb9; --odd:#c77d0a; --idle:#98a2b3;
  font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif }
@media (prefers-color-scheme: dark) { .lineagegraph { --paper:#11151c; --ink:#e6eaf1;
  --soft:#98a2b3; --flow:#667085; --frame:#171c25; --frame-line:#323b4a; --job:#272040;
  --job-line:#a78bfa; --data:#152a3c; --data-line:#5aa9e6; --good:#4cc38a; --bad:#f16a6a;
  --busy:#5aa9e6; --odd:#e5a344; --idle:#667085 } }
.lineagegraph .paper { fill:var(--paper) }
.lineagegraph .frame rect { fill:var(--frame); stroke:var(--frame-line) }
.lineagegraph .frame text { fill:var(--soft); font-size:13px; font-weight:600 }
.lineagegraph .box { stroke-width:1.3 }
.lineagegraph .root .box { stroke-width:3 }
.lineagegraph .job .box { fill:var(--job); stroke:var(--job-line) }
.lineagegraph .dataset .box { fill:var(--data); stroke:var(--data-line) }
.lineagegraph .other .box { fill:var(--frame); stroke:var(--flow) }
.lineagegraph .job .icon { fill:var(--job-line) }
.lineagegraph .job .mark { fill:var(--job) }
.lineagegraph .dataset .icon, .lineagegraph .line { fill:none; stroke:var(--data-line);
  stroke-width:1.6 }
.lineagegraph .rule { stroke:var(--data-line); stroke-opacity:.4 }
.lineagegraph .name { fill:var(--ink); font-size:13px; font-weight:600 }
.lineagegraph .place { fill:var(--soft); font-size:11px }
.lineagegraph .column { fill:var(--ink); font-size:12px }
.lineagegraph .type { fill:var(--soft); font-size:11px; text-anchor:end }
.lineagegraph .flow { fill:none; stroke:var(--flow); stroke-width:1.6 }
.lineagegraph path.column { fill:none; stroke:var(--data-line); stroke-width:1.3;
  stroke-opacity:.75 }
.lineagegraph path.indirect { stroke:var(--flow); stroke-dasharray:4 4 }
.lineagegraph .type-of { fill:var(--soft); font-size:10px; text-anchor:middle;
  paint-order:stroke; stroke:var(--paper); stroke-width:3px }
.lineagegraph .tip { fill:var(--flow) }
.lineagegraph .state { fill:var(--idle) }
.lineagegraph .completed, .lineagegraph .fresh_skip { fill:var(--good) }
.lineagegraph .failed { fill:var(--bad) }
.lineagegraph .running { fill:var(--busy) }
.lineagegraph .killed { fill:var(--odd) }
"""
