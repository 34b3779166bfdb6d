import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { HtmlParts } from './panelHtml.ts';

/** Lets a page run its bundle, `name.js` with `name.css`. `uriOf` gives the address of another file next to them. */
export function pageBundle(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  name: string,
): HtmlParts & { uriOf: (file: string) => string } {
  const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const uriOf = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  return {
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('hex'),
    scriptUri: uriOf(`${name}.js`),
    styleUri: uriOf(`${name}.css`),
    uriOf,
  };
}
