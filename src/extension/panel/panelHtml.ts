/** Where a page's parts are and which scripts may run; `cspSource` and the URIs come from the webview. */
export interface HtmlParts {
  cspSource: string;
  nonce: string;
  scriptUri: string;
  styleUri: string;
}

/** The only sources a page may use. Nothing inline without the nonce, nothing from the network. */
export function contentSecurityPolicy(cspSource: string, nonce: string): string {
  return [
    `default-src 'none'`,
    `img-src ${cspSource} data:`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    'worker-src blob:',
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

/** The page of the Workbench panel. `flameScriptUri`: the flame graph's bundle, which is loaded when a flame graph is first shown. */
export function panelHtml({ flameScriptUri, ...parts }: HtmlParts & { flameScriptUri: string }): string {
  const head = `<meta name="benchside-flame" content="${flameScriptUri}">\n`;
  return pageHtml(parts, 'Benchside', head, '<benchside-workbench></benchside-workbench>\n');
}

/** The page of a flame graph. Its script puts the graph into the empty body. */
export function flameHtml(parts: HtmlParts): string {
  return pageHtml(parts, 'Flame Graph', '', '');
}

function pageHtml({ cspSource, nonce, scriptUri, styleUri }: HtmlParts, title: string, head: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(cspSource, nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${nonce}">
${head}<link rel="stylesheet" href="${styleUri}">
<title>${title}</title>
</head>
<body>
${body}<script type="module" nonce="${nonce}" src="${scriptUri}"></script>
</body>
</html>
`;
}
