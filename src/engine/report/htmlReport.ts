import { bytesPhrase } from '../../model/format.ts';
import { runDocument } from '../../model/documents/runDocument.ts';
import type { RunRecord } from '../../model/run.ts';
import { cspHash, escapeHtml, jsonForScript, scriptText, sha256, styleText } from './html.ts';
import { htmlOf } from './htmlDocument.ts';
import { reportStyle } from './reportStyle.ts';

/** What draws the charts. Empty texts give a report without charts that is whole otherwise. */
export interface ReportAssets {
  /**
   * JavaScript; it reads the record from `script#run-record` (JSON) and draws into `div#charts`. Style elements that it adds
   * must carry the nonce in `<meta property="csp-nonce">`.
   */
  script: string;
  /** CSS of the charts. */
  styles: string;
}

/**
 * The run as one self-contained page: no request leaves it, and nothing in it runs but the given script (Content-Security-Policy with the hashes of exactly
 * these texts). Every name in the record is untrusted and is in the page as text only.
 */
export function htmlReport(run: RunRecord, assets: ReportAssets = { script: '', styles: '' }): string {
  const style = styleText(`${reportStyle}${assets.styles}`);
  const script = scriptText(assets.script);
  const data = script === '' ? '' : jsonForScript(run);
  // Scripts run by hash alone. The nonce is for styles only; names in the record cannot foresee it, since it is a hash over all of them.
  const nonce = sha256(`${data}${script}${style}`);
  const scripts = script === '' ? "'none'" : cspHash(script);
  const styles = script === '' ? cspHash(style) : `${cspHash(style)} 'nonce-${nonce}'`;
  const policy = `default-src 'none'; script-src ${scripts}; style-src ${styles}; img-src data:; base-uri 'none'; form-action 'none'`;
  const charts = script === '' ? '' : `<script type="application/json" id="run-record">${data}</script>\n<script>${script}</script>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${script === '' ? '' : `<meta property="csp-nonce" content="${nonce}">\n`}<title>${escapeHtml(run.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${htmlOf(runDocument(run))}
<footer>Benchside ${escapeHtml(run.environment.benchside)} · run ${escapeHtml(run.id)}${run.files.length === 0 ? '' : ` · ${run.files.length} files, ${bytesPhrase(run.files.reduce((sum, file) => sum + file.bytes, 0))}`}</footer>
</main>
${charts}</body>
</html>
`;
}
