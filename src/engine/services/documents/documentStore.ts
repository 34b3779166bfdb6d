import path from 'node:path';
import { failure } from '../../../model/domain/failure.ts';
import { childEnvironment } from '../../supervise/environment.ts';
import { exitPhrase } from '../../../model/domain/exitWords.ts';
import type { Child, ChildSpec, Supervisor } from '../../supervise/supervisor.ts';
import { startReady } from '../startReady.ts';

export interface DocumentStoreOptions {
  nodePath: string;
  /** The folder that holds `samples/`: the extension's, or the repository's. */
  assetsDir: string;
  /** How long each document is held back before it is answered, in ms, 0–10,000. */
  latencyMs?: number;
  /** Documents `doc-1` … that are there from the start; 1,000 unless said otherwise. */
  documents?: number;
  /** What the environment must hold besides, such as ELECTRON_RUN_AS_NODE or the engine's cookie. */
  env?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

const readyTimeoutMs = 10_000;

/** A document store that speaks CouchDB's protocol as far as the samples use it, in memory, on loopback only. */
export class DocumentStore {
  readonly pid: number;

  private constructor(
    readonly child: Child,
    readonly port: number,
  ) {
    this.pid = child.pid;
  }

  static async start(supervisor: Supervisor, options: DocumentStoreOptions): Promise<DocumentStore> {
    const { nodePath, assetsDir, latencyMs = 20, documents = 1_000, env = {}, signal } = options;
    let port: number | null = null;
    const spec: ChildSpec = {
      name: 'document store',
      kind: 'tool',
      argv: [nodePath, 'server.mjs', '--port', '0', '--documents', String(documents), '--latency-ms', String(latencyMs)],
      cwd: path.join(assetsDir, 'samples', 'lab', 'documents'),
      env: childEnvironment({ ...env }),
      captureLines: (stream, line) => {
        const found = stream === 'stdout' ? /listening on http:\/\/127\.0\.0\.1:(\d+)$/.exec(line)?.[1] : undefined;
        if (found !== undefined) port = Number(found);
      },
    };
    const { child, ready, late } = await startReady(supervisor, spec, () => port, { timeoutMs: readyTimeoutMs, signal });
    if (ready !== null) return new DocumentStore(child, ready);
    const how = late ? `did not listen within ${readyTimeoutMs / 1000} s` : exitPhrase(await child.exited);
    throw failure('document-store-failed', `The document store ${how}.`, 'Look at its output below; run it again.', child.log.tail(20));
  }

  /** What an app needs in DOCUMENT_STORE_URL; the database is called "documents". */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    await this.child.stop();
  }
}
