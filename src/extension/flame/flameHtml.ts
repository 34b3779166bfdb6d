import { contentSecurityPolicy } from '../panel/panelHtml.ts';

/** Where a flame graph's parts are and which scripts may run; `cspSource` and the URIs come from the webview. */
export interface FlameHtmlParts {
  cspSource: string;
  nonce: string;
  scriptUri: string;
  styleUri: string;
}

/** The page of a flame graph. Its script puts the graph into the empty body. */
export function flameHtml(parts: FlameHtmlParts): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(parts.cspSource, parts.nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${parts.nonce}">
<link rel="stylesheet" href="${parts.styleUri}">
<title>Flame Graph</title>
</head>
<body>
<script type="module" nonce="${parts.nonce}" src="${parts.scriptUri}"></script>
</body>
</html>
`;
}
