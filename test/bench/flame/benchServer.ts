import { type ChildProcess, fork } from 'node:child_process';
import { createReadStream, statSync } from 'node:fs';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import path from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** Our page as VS Code would show it, with the host behind `fetch` instead of behind the editor. */
const ourPage = `<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" href="/dist/webview/flame.css">
<style>html, body { margin: 0; height: 100%; }</style></head><body class="vscode-dark" data-vscode-theme-kind="vscode-dark"
 style="background: #1f1f1f; color: #ccc; font: 13px sans-serif; --vscode-foreground: #ccc; --vscode-editor-background: #1f1f1f; --vscode-font-family: sans-serif; --vscode-font-size: 13px;">
<script>
let head;
const give = (message) => window.postMessage(message, '*');
const told = (window.benchTold = []);
window.acquireVsCodeApi = () => ({
  getState: () => undefined,
  setState: () => undefined,
  async postMessage(message) {
    told.push({ ...message, at: performance.now() });
    if (message.type === 'ready') {
      give({ type: 'loading', side: 'a', title: 'benchmark' });
      head = await (await fetch('/host/head')).json();
      told.push({ type: 'head', at: performance.now() });
      give({ type: 'open', side: 'a', head });
    }
    if (message.type === 'readPiece') {
      const { side, profileId, part, event, index } = message;
      const response = await fetch('/host/piece?' + new URLSearchParams({ part, event: event ?? '', index }));
      const data = new Uint8Array(await response.arrayBuffer());
      give({ type: 'piece', side, profileId, part, event, index, last: response.headers.get('x-last') === 'true', data });
    }
  },
});
</script><script type="module" src="/dist/webview/flame.js"></script></body></html>`;

interface Answer {
  id: number;
  result: { data: Uint8Array; last: boolean };
}

/** One fresh process that has parsed, or is parsing, one file. */
class ParseHost {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  readonly head: Promise<unknown>;
  #nextId = 1;

  constructor(program: string, args: readonly string[]) {
    this.#child = fork(program, args, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.head = new Promise((resolve) => this.#waiting.set(0, resolve));
    this.#child.on('message', ({ id, result }: Answer) => {
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  piece(part: string, event: string | null, index: number): Promise<Answer['result']> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve as (result: unknown) => void);
      this.#child.send({ id, part, event, index });
    });
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** Serves viewers and files to the browser, on this machine only. */
export class BenchServer {
  #server: Server | null = null;
  #host: ParseHost | null = null;
  url = '';

  constructor(
    private readonly root: string,
    private readonly parseHost: string,
    /** What `/input` is at present. */
    public file = '',
  ) {}

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    this.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    this.#server = server;
  }

  async stop(): Promise<void> {
    await this.endHost();
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async endHost(): Promise<void> {
    await this.#host?.end();
    this.#host = null;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    // Isolated, so that the browser reports how much memory the page and its workers take.
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    if (pathname === '/ours.html') {
      // The editor opens file and page at the same time, so the reading begins here, in a fresh process.
      await this.endHost();
      this.#host = new ParseHost(this.parseHost, [this.file, this.root, path.join(this.root, 'dist', 'profileWorker.cjs')]);
      response.setHeader('content-type', 'text/html').end(ourPage);
    } else if (pathname === '/host/head') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(await this.#host?.head));
    } else if (pathname === '/host/piece') {
      const event = searchParams.get('event') ?? '';
      const piece = await this.#host?.piece(searchParams.get('part') ?? '', event === '' ? null : event, Number(searchParams.get('index')));
      if (piece === undefined) return void response.writeHead(404).end();
      response.setHeader('x-last', String(piece.last)).end(piece.data);
    } else if (pathname === '/input') {
      sendFile(response, this.file);
    } else {
      sendFile(response, path.join(this.root, path.posix.normalize(pathname)));
    }
  }
}

function sendFile(response: ServerResponse, file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return void response.writeHead(404).end();
  response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream').setHeader('content-length', stats.size);
  createReadStream(file).pipe(response);
}
