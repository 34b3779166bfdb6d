import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { InspectorClient } from '../../../src/engine/record/node/inspectorClient.ts';
import { freePort } from '../../../src/engine/services/freePort.ts';
import { toFailure } from '../../../src/model/domain/failure.ts';
import type { RunRecord } from '../../../src/model/domain/run.ts';
import { appTarget, briefLoad, repositoryDir, temporaryFolder, TestEngine } from '../../support/engine.ts';

/** Runs that stay stored: with more of them the list of runs itself would grow. */
const keptRuns = 10;

const fixtures = path.join(repositoryDir, 'test', 'fixtures', 'profiles');

/** With them compiled code is there whole from a function's first call on, and stays as it is. */
export const steadyCodeFlags = ['--no-lazy-feedback-allocation', '--no-flush-bytecode', '--no-opt'];

/** A file that gives these flags to the Node that loads it: NODE_OPTIONS may not have them itself. */
function writeFlags(): string {
  const file = path.join(temporaryFolder('flags'), 'flags.cjs');
  const lines = steadyCodeFlags.map((flag) => `require('node:v8').setFlagsFromString('${flag}');`);
  writeFileSync(file, lines.join('\n'));
  return file;
}

/** An engine that measures, records nothing, and opens profiles, one after the other; its heap can be looked at. */
export class SoakedEngine {
  readonly #runs: string[] = [];

  private constructor(
    readonly engine: TestEngine,
    private readonly inspectorPort: number,
  ) {}

  static async start(steadyCode: boolean): Promise<SoakedEngine> {
    const port = await freePort();
    const env: Record<string, string> = steadyCode ? { NODE_OPTIONS: `--require ${writeFlags()}` } : {};
    process.env['BENCHSIDE_INSPECT_ENGINE'] = String(port);
    try {
      const engine = await TestEngine.start({ env, file: { targets: [appTarget('steady', 'steadyService.mjs')] } });
      return new SoakedEngine(engine, port);
    } finally {
      delete process.env['BENCHSIDE_INSPECT_ENGINE'];
    }
  }

  /** One run of two settings, and what every client asks for after it; null where the run failed, as it may on a machine that is busy with other things. */
  async run(): Promise<RunRecord | null> {
    this.engine.events.length = 0;
    let run: RunRecord;
    try {
      run = await this.engine.run({ targets: ['steady'], settings: { pool: [2, 4] }, load: briefLoad.name });
    } catch (error) {
      const { code, message } = toFailure(error);
      if (!/^(?:load-generator-stuck|target-not-ready)$/.test(code)) throw error;
      console.error(message);
      return null;
    }
    this.#runs.push(run.id);
    if (this.#runs.length > keptRuns) await this.engine.request('runs/delete', { id: this.#runs.shift() ?? '' });
    await this.engine.request('runs/list', {});
    await this.engine.request('catalog/get', {});
    return run;
  }

  /** Opens recordings as a flame graph does, reads a piece of each, and closes them. */
  async openProfiles(): Promise<void> {
    for (const name of readdirSync(fixtures)) {
      const { profileId } = await this.engine.request('profile/open', { source: { kind: 'file', path: path.join(fixtures, name) } });
      await this.engine.request('profile/piece', { profileId, part: 'skeleton', event: null, index: 0 });
      await this.engine.request('profile/close', { profileId });
    }
  }

  /** MB of the engine's heap after a collection, and its descriptors without those of the inspector, which is only here while it is asked. */
  async held(): Promise<{ heapMb: number; descriptors: number }> {
    const descriptors = readdirSync(`/proc/${this.engine.client.pid}/fd`).length;
    return this.#inspected(async (inspector) => {
      for (let times = 0; times < 2; times += 1) await inspector.send('HeapProfiler.collectGarbage', {}, 60_000);
      const { usedSize } = await inspector.send('Runtime.getHeapUsage');
      return { heapMb: Number(usedSize) / 2 ** 20, descriptors };
    });
  }

  /** The engine's heap, as Chromium's tools read it. */
  snapshot(): Promise<string> {
    return this.#inspected(async (inspector) => {
      const chunks: string[] = [];
      inspector.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void chunks.push(String(chunk)));
      await inspector.send('HeapProfiler.takeHeapSnapshot', {}, 120_000);
      return chunks.join('');
    });
  }

  async #inspected<T>(work: (inspector: InspectorClient) => Promise<T>): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${this.inspectorPort}/json/list`, { headers: { connection: 'close' } });
    const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
    if (target === undefined) throw new Error('The engine has no inspector.');
    const inspector = await InspectorClient.connect(target.webSocketDebuggerUrl);
    try {
      return await work(inspector);
    } finally {
      await inspector.close();
    }
  }
}
