/** Where the panel's parts are and which scripts may run; `cspSource` and the URIs come from the webview. */
export interface PanelHtmlParts {
  cspSource: string;
  nonce: string;
  scriptUri: string;
  styleUri: string;
  /** The flame graph's bundle, which is loaded when a flame graph is first shown. */
  flameScriptUri: string;
}

/** The only sources the panel may use. Nothing inline without the nonce, nothing from the network. */
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

/** The page of the Workbench panel. */
export function panelHtml(parts: PanelHtmlParts): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(parts.cspSource, parts.nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${parts.nonce}">
<meta name="benchside-flame" content="${parts.flameScriptUri}">
<link rel="stylesheet" href="${parts.styleUri}">
<title>Benchside</title>
</head>
<body>
<benchside-workbench></benchside-workbench>
<script type="module" nonce="${parts.nonce}" src="${parts.scriptUri}"></script>
</body>
</html>
`;
}
