import { cspHash, escapeHtml, scriptText, sha256, styleText } from './html.ts';
import { reportStyle } from './reportStyle.ts';

/** What a page holds: its body is HTML already, its title is not. */
export interface HtmlPage {
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
