import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type ProfileParts, prepareProfile } from '../../src/engine/profiles/profileParts.ts';
import type { CallTree } from '../../src/model/domain/callTree.ts';
import { type FlameSide, type ProfileHead, type ProfilePart, pieceBytes } from '../../src/model/domain/flame.ts';
import { headOf } from './profileHead.ts';

const root = path.resolve(import.meta.dirname, '../..');
const nonce = 'flamehostnonce0123456789';

/** A recording that a page can ask for, parsed as the engine does it. */
export interface HostedProfile {
  parts: ProfileParts;
  head: ProfileHead;
}

/** A recording under `profileId`, with the parts of its head that are not in its tree. */
export function hostedProfile(profileId: string, tree: CallTree, more: Partial<ProfileHead> = {}): HostedProfile {
  const parts = prepareProfile(tree);
  return { parts, head: headOf(profileId, tree, parts, more) };
}

export interface FlameHost {
  /** Address of a page that opens side `a`, with the stub of VS Code in it: `window.sent`, `window.state`, `window.tell(message)`. */
  url(theme?: PageTheme): string;
  close(): Promise<void>;
}

export interface PageTheme {
  bodyClass: string;
  variables: Record<string, string>;
}

/**
 * Serves flame.js under the policy of its page in VS Code, with a stub of the extension that answers pieces from really parsed recordings.
 * `b` is opened when the page asks to compare. Messages of `extra` follow `open`.
 */
export async function serveFlame(profiles: Partial<Record<FlameSide, HostedProfile>>, extra: readonly object[] = []): Promise<FlameHost> {
  let theme: PageTheme = { bodyClass: 'vscode-dark', variables: {} };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/piece') {
      const side = url.searchParams.get('side') as FlameSide;
      const bytes = partOf(profiles[side], url.searchParams.get('part') as ProfilePart, url.searchParams.get('event') ?? '');
      const index = Number(url.searchParams.get('index'));
      const last = (index + 1) * pieceBytes >= bytes.length;
      response.writeHead(200, { 'x-last': String(last) }).end(bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes));
    } else if (url.pathname === '/flame.js' || url.pathname === '/flame.css') {
      const type = url.pathname.endsWith('.js') ? 'text/javascript' : 'text/css';
      response.writeHead(200, { 'content-type': type }).end(readFileSync(path.join(root, 'dist/webview', url.pathname)));
    } else if (url.pathname === '/') {
      const policy = `default-src 'none'; img-src 'self' data:; style-src 'self' 'nonce-${nonce}'; script-src 'nonce-${nonce}'; worker-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'`;
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(pageOf(profiles, extra, theme));
    } else response.writeHead(url.pathname === '/favicon.ico' ? 204 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (chosen) => {
      if (chosen !== undefined) theme = chosen;
      return `http://127.0.0.1:${port}/`;
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

function partOf(profile: HostedProfile | undefined, part: ProfilePart, event: string): Uint8Array {
  if (profile === undefined) return new Uint8Array();
  const { parts } = profile;
  return (part === 'tree' ? parts.packedTree() : part === 'samples' ? parts.packedSamples() : parts.skeleton(event)) ?? new Uint8Array();
}

const inline = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

function pageOf(profiles: Partial<Record<FlameSide, HostedProfile>>, extra: readonly object[], theme: PageTheme): string {
  const variables = Object.entries(theme.variables).map(([name, value]) => `--vscode-${name}: ${value};`);
  const heads = { a: profiles.a?.head ?? null, b: profiles.b?.head ?? null };
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta property="csp-nonce" content="${nonce}"><title>flame</title>
<style nonce="${nonce}">:root { ${variables.join(' ')} }</style><link rel="stylesheet" href="/flame.css"></head>
<body class="${theme.bodyClass}">
<script nonce="${nonce}">
  const heads = ${inline(heads)}, extra = ${inline(extra)};
  window.sent = []; window.violations = []; window.held = false;
  window.tell = (message) => window.postMessage(message, '*');
  document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.effectiveDirective + ' ' + (event.blockedURI || event.sample)));
  const open = (side) => heads[side] && (tell({ type: 'loading', side, title: heads[side].title }), tell({ type: 'open', side, head: heads[side] }));
  async function piece({ side, profileId, part, event, index }) {
    const answer = await fetch('/piece?' + new URLSearchParams({ side, part, event: event ?? '', index }));
    const data = new Uint8Array(await answer.arrayBuffer());
    while (window.held && part !== 'skeleton') await new Promise((resolve) => setTimeout(resolve, 20));
    tell({ type: 'piece', side, profileId, part, event, index, last: answer.headers.get('x-last') === 'true', data });
  }
  const kept = sessionStorage.getItem('state');
  window.held = new URLSearchParams(location.search).has('held');
  window.acquireVsCodeApi = () => ({
    getState: () => (kept === null ? undefined : JSON.parse(kept)),
    setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
    postMessage: (message) => {
      window.sent.push(message);
      if (message.type === 'ready') { open('a'); extra.forEach(tell); if (message.comparedWith) open('b'); }
      else if (message.type === 'retry') open('a');
      else if (message.type === 'compare') open('b');
      else if (message.type === 'stopComparing') tell({ type: 'close', side: 'b' });
      else if (message.type === 'readPiece') piece(message);
    },
  });
</script>
<script type="module" nonce="${nonce}" src="/flame.js"></script></body></html>`;
}
