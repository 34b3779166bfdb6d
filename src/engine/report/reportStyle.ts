import { hueClassesCss, paletteCss } from '../../model/presentation/palette.ts';

/** The look of the HTML report: quiet, one accent, hairlines, light and dark by the reader's system, plain on paper. */
export const reportStyle = `
:root {
  color-scheme: light dark;
  --text: #3b3b3b; --strong: #1f1f1f; --muted: #616161; --page: #ffffff; --card: #f8f8f8; --line: #e5e5e5; --line-strong: #c8c8c8;
  --accent: #005fb8; --good: #1a7f37; --warning: #875f00; --bad: #b3261e; --tint: #ebf3ec; --hatch: rgba(0, 0, 0, .045);
  ${paletteCss('light')}
  --bs-fg: var(--text); --bs-bg: var(--page); --bs-muted: var(--muted); --bs-line: var(--line); --bs-card: var(--card);
  --bs-grid: color-mix(in srgb, var(--text) 10%, transparent); --bs-band: 12%; --bs-good: var(--good); --bs-warning: var(--warning); --bs-bad: var(--bad);
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #cccccc; --strong: #e8e8e8; --muted: #9d9d9d; --page: #1f1f1f; --card: #181818; --line: #2f2f2f; --line-strong: #454545;
    --accent: #4daafc; --good: #7fce94; --warning: #dcb25a; --bad: #f48a80; --tint: #29302a; --hatch: rgba(255, 255, 255, .05);
    ${paletteCss('dark')}
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 13px/1.5 system-ui, -apple-system, "Segoe UI", Ubuntu, "Droid Sans", sans-serif; }
main { max-width: 1280px; margin: 0 auto; padding: 28px 32px 48px; }
.subtitle { margin-right: 8px; } h1 { display: inline; margin: 0 8px 0 0; font-size: 19px; line-height: 1.3; color: var(--strong); overflow-wrap: anywhere; }
h2 { margin: 32px 0 8px; font-size: 13px; color: var(--strong); }
p { margin: 0 0 8px; }
.subtitle, .note, .muted { color: var(--muted); }
.subtitle, .note { font-size: 12px; }
.chip { display: inline-block; margin-right: 8px; padding: 0 9px; border: 1px solid currentColor; border-radius: 9px; font-size: 12px; line-height: 18px; }
.good { color: var(--good); } .plain { color: var(--muted); } .warning { color: var(--warning); } .bad { color: var(--bad); }
a.chip { text-decoration: none; } a.chip:hover { text-decoration: underline; }
.answerEvidence { margin: 0 0 8px; grid-template-columns: max-content 1fr; } .answerEvidence dt span { color: var(--muted); }
.answerEvidence dt.for span { color: var(--good); } .answerEvidence dt.against span { color: var(--warning); }
.answers { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(340px, 100%), 1fr)); gap: 16px; margin-top: 20px; }
.answer { padding: 14px 16px 8px; background: var(--card); border: 1px solid var(--line); border-left: 3px solid var(--hue, var(--line-strong)); border-radius: 3px; overflow-wrap: anywhere; }
.answer .headline { margin: 4px 0 6px; font-size: 19px; line-height: 1.3; font-weight: 600; color: var(--strong); }
.answer .headline.good { color: var(--good); } .answer .headline.bad { color: var(--bad); }
.answer .headline span { font-size: 13px; font-weight: 400; color: var(--muted); }
.answer strong { color: var(--strong); }
.mark { width: 10px; height: 10px; margin-right: 7px; vertical-align: -1px; fill: var(--hue, var(--muted)); }
${hueClassesCss()}
.scroll { overflow-x: auto; background: linear-gradient(to right, var(--page) 50%, transparent) left / 32px 100% no-repeat local, linear-gradient(to left, var(--page) 50%, transparent) right / 32px 100% no-repeat local, linear-gradient(to right, var(--muted), transparent) left / 10px 100% no-repeat scroll, linear-gradient(to left, var(--muted), transparent) right / 10px 100% no-repeat scroll; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 10px; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
th { color: var(--strong); font-weight: 600; white-space: normal; vertical-align: bottom; border-bottom-color: var(--line-strong); }
caption { padding-bottom: 4px; text-align: left; color: var(--muted); }
.number { text-align: right; }
.remarks details { margin: 2px 0 4px; } .remarks summary { cursor: pointer; color: var(--muted); }
td:first-child { max-width: 22em; overflow: hidden; text-overflow: ellipsis; }
tr.recommended { background: var(--tint); } tr.unsure { background: color-mix(in srgb, var(--warning) 12%, transparent); }
tr.invalid { color: var(--muted); background: repeating-linear-gradient(135deg, var(--hatch) 0 4px, transparent 4px 9px); }
tr.invalid td:last-child:not(.number) { color: var(--bad); }
.remarks { margin: 16px 0 0; padding: 0; list-style: none; }
.remarks li { padding: 4px 0 4px 12px; border-left: 2px solid var(--line-strong); overflow-wrap: anywhere; }
.remarks li + li { margin-top: 4px; }
.remarks li.problem { border-left-color: var(--bad); }
.remarks b { color: var(--strong); font-weight: 600; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr)); gap: 0 40px; }
dl { display: grid; grid-template-columns: minmax(9em, max-content) 1fr; gap: 4px 16px; margin: 0; }
dt { color: var(--muted); max-width: 16em; overflow-wrap: anywhere; } dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: 0; padding: 10px 12px; background: var(--card); border: 1px solid var(--line); border-radius: 3px; font: 12px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
footer { margin-top: 36px; padding-top: 10px; border-top: 1px solid var(--line); font-size: 12px; color: var(--muted); }
#charts:empty { display: none; }
#charts { margin-top: 24px; }
@media (max-width: 600px) { main { padding: 16px; } }
@media print {
  :root {
    color-scheme: light; --text: #222; --strong: #000; --muted: #555; --page: #fff; --card: #fff; --line: #ccc; --line-strong: #888; --tint: #f0f0f0; --good: #1a7f37; --warning: #875f00; --bad: #b3261e;
    ${paletteCss('light')}
  }
  main { max-width: none; padding: 0 8px 0 14px; }
  body { font-size: 11px; }
  th, td { padding: 3px 6px; }
  .scroll { overflow: visible; background: none; }
  .answer, tr, pre, li { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`;
