// How long until the whole stack is ready, with a data folder that is seeded already: PostgreSQL, the Node sample, the Java sample.
// Prints each part's median of five starts; the goal is 3 s for the whole.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareDatabase } from '../../src/engine/services/prepareDatabase.ts';
import { PostgresServer } from '../../src/engine/services/postgresServer.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { findTarget, readDeclarations } from '../../src/engine/targets/catalog.ts';
import { completeSettings, databaseWants, launchTarget } from '../../src/engine/targets/launchTarget.ts';
import { Toolchain } from '../../src/engine/targets/toolchain.ts';

const repetitions = 5;
const assetsDir = process.cwd();
const storageDir = mkdtempSync(path.join(tmpdir(), 'benchside-bench-'));
const parts = new Map<string, number[]>();

async function timed<T>(part: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  parts.set(part, [...(parts.get(part) ?? []), performance.now() - started]);
  return result;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

try {
  const declarations = await readDeclarations(assetsDir, null);
  const toolchain = new Toolchain({ nodePath: null, javaPath: null });
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    // The first time seeds the data folder and is not counted.
    if (repetition === 1) parts.clear();
    const supervisor = new Supervisor();
    await timed('all, one after the other', async () => {
      const server = await timed('PostgreSQL started', () => PostgresServer.start(supervisor, { assetsDir, storageDir }));
      for (const id of ['node', 'java']) {
        const declared = findTarget(declarations, id);
        const wants = databaseWants(declared);
        if (wants !== null) await timed('schema and seed checked', () => prepareDatabase(server.address, wants, () => undefined));
        const settings = completeSettings(id, declared.target.settings, {});
        await timed(`${id} ready`, () =>
          launchTarget(declared, settings, { supervisor, toolchain, cookieEnvironment: {}, database: server.address, name: id }),
        );
      }
    });
    await supervisor.stopAll();
  }
  console.log('part                      median ms   goal ms');
  for (const [part, values] of parts)
    console.log(`${part.padEnd(25)} ${median(values).toFixed(0).padStart(9)}${part.startsWith('all') ? '      3000' : ''}`);
} finally {
  rmSync(storageDir, { recursive: true, force: true });
}
