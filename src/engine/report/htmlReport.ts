import { bytesPhrase } from '../../model/domain/format.ts';
import { runDocument } from '../../model/presentation/documents/runDocument.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import { cspHash, escapeHtml, jsonForScript, scriptText, sha256, styleText } from './html.ts';
import { htmlOf } from './htmlDocument.ts';
import { reportStyle } from './reportStyle.ts';

/** What draws the charts. Empty texts give a report without charts that is whole otherwise. */
interface ReportAssets {
  /**
   * JavaScript; it reads the record from `script#run-record` (JSON) and draws into `div#charts`. Style elements that it adds
   * must carry the nonce in `<meta property="csp-nonce">`.
   */
  script: string;
  styles: string;
}

/** The run as one self-contained page. Names in the record are untrusted and are in the page as text only. */
export function htmlReport(run: RunRecord, assets: ReportAssets = { script: '', styles: '' }): string {
  const files =
    run.files.length === 0 ? '' : ` · ${run.files.length} files, ${bytesPhrase(run.files.reduce((sum, file) => sum + file.bytes, 0))}`;
  return htmlPage({
    title: run.title,
    body: `${htmlOf(runDocument(run))}
<footer>Benchside ${escapeHtml(run.environment.benchside)} · run ${escapeHtml(run.id)}${files}</footer>`,
    charts: { ...assets, data: assets.script === '' ? '' : jsonForScript(run) },
  });
}

/** What a page holds: its body is HTML already, its title is not. */
interface HtmlPage {
  title: string;
  body: string;
  /** What draws charts, with its styles, and the JSON that it reads from `script#run-record`. */
  charts?: { script: string; styles: string; data: string };
}

/**
 * One self-contained page: no request leaves it, and nothing in it runs but the given script (Content-Security-Policy with
 * the hashes of exactly these texts).
 */
export function htmlPage({ title, body, charts = { script: '', styles: '', data: '' } }: HtmlPage): string {
  const style = styleText(`${reportStyle}${charts.styles}`);
  const script = scriptText(charts.script);
  const data = script === '' ? '' : charts.data;
  // Scripts run by hash alone. The nonce is for styles only; names in the record cannot foresee it, since it is a hash over all of them.
  const nonce = sha256(`${data}${script}${style}`);
  const scripts = script === '' ? "'none'" : cspHash(script);
  const styles = script === '' ? cspHash(style) : `${cspHash(style)} 'nonce-${nonce}'`;
  const policy = `default-src 'none'; script-src ${scripts}; style-src ${styles}; img-src data:; base-uri 'none'; form-action 'none'`;
  const drawing = script === '' ? '' : `<script type="application/json" id="run-record">${data}</script>\n<script>${script}</script>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${script === '' ? '' : `<meta property="csp-nonce" content="${nonce}">\n`}<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
${drawing}</body>
</html>
`;
}
