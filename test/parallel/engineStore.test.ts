import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { processStat } from '../../src/engine/supervise/identity.ts';
import { appTarget, commandLine, failureOf, removeTemporaryFolders, temporaryFolder, TestEngine } from '../support/engine.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const slow = 60_000;
const request = { targets: ['app'], load: 'brief', rounds: 1 };
const file = { targets: [appTarget('app', 'steadyService.mjs')] };
let engine: TestEngine;

afterEach(() => engine.dispose());
afterAll(removeTemporaryFolders);

/** Root needs no user namespace to mount. */
const namespaces = process.getuid?.() === 0 ? '-m' : '-r -m';
const canMount =
  spawnSync('sh', ['-c', `unshare ${namespaces} mount -t tmpfs -o size=1m tmpfs ${tmpdir()}`], { stdio: 'ignore' }).status === 0;

describe('a run that cannot be written', () => {
  it(
    'because the disk is full says so, leaves nothing half-written, and keeps the runs before it',
    { timeout: slow, ...slowHalf },
    async () => {
      const workspaceDir = temporaryFolder('full');
      if (!canMount) {
        // Where nothing may be mounted, something that is in the way has to do: the run must end in the same manner.
        writeFileSync(path.join(workspaceDir, '.benchside'), 'in the way');
        engine = await TestEngine.start({ workspaceDir, file });
        expect((await failureOf(engine.measure({ kind: 'run', ...request }))).code).toMatch(/^store-/);
        expect(engine.processes()).toEqual([]);
        return;
      }
      // The engine runs in a mount namespace of its own, in which the store is on a file system of 1 MiB.
      const store = path.join(workspaceDir, '.benchside');
      mkdirSync(store);
      const node = path.join(temporaryFolder('node'), 'node');
      writeFileSync(
        node,
        `#!/bin/sh\nexec unshare ${namespaces} sh -c 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"' '${store}' '${process.execPath}' "$@"\n`,
      );
      chmodSync(node, 0o755);
      engine = await TestEngine.start({ nodeProgram: node, workspaceDir, file });
      const before = await engine.run(request);
      const inside = path.join('/proc', String(engine.client.pid), 'root', store);
      const free = statfsSync(inside);
      writeFileSync(path.join(inside, 'ballast'), Buffer.alloc((free.bavail - 3) * free.bsize));

      const failure = await failureOf(engine.measure({ kind: 'run', ...request }));
      expect(failure).toMatchObject({ code: 'disk-full', cure: expect.stringContaining('Free some space') as string });
      expect(readdirSync(path.join(inside, 'runs'))).toEqual([before.id]);
      expect((await engine.request('runs/list', {})).runs).toMatchObject([{ kind: 'run', id: before.id }]);
      expect(engine.events.at(-1)).toMatchObject({ type: 'finished', outcome: 'failed', stored: false, failure: { code: 'disk-full' } });
      expect(engine.processes()).toEqual([]);
      rmSync(path.join(inside, 'ballast'));
      expect((await engine.run(request)).state).toBe('complete');
    },
  );
});

describe('stored runs', () => {
  it('that are damaged or of a later version are listed as such, and the others are whole', { timeout: slow, ...longTest }, async () => {
    engine = await TestEngine.start({ file });
    const record = await engine.run(request);
    const whole = record.id;
    const [damaged, newer] = [`mb2k9x1a-${'0'.repeat(24)}`, `mb2k9x1b-${'0'.repeat(24)}`];
    const store = (id: string, text: string): void => {
      mkdirSync(path.join(engine.workspaceDir, '.benchside', 'runs', id));
      writeFileSync(path.join(engine.workspaceDir, '.benchside', 'runs', id, 'run.json'), text);
    };
    store(damaged, JSON.stringify({ ...record, id: damaged }).slice(0, 500));
    store(newer, JSON.stringify({ ...record, id: newer, schemaVersion: 99, novelty: true }));
    const { runs: list } = await engine.request('runs/list', {});
    expect(list).toMatchObject([
      { kind: 'run', id: whole },
      { kind: 'unreadable', id: newer, problem: 'newer' },
      { kind: 'unreadable', id: damaged, problem: 'damaged' },
    ]);
    expect(await failureOf(engine.request('runs/get', { id: damaged }))).toMatchObject({ code: 'run-damaged' });
    expect(await failureOf(engine.request('runs/get', { id: newer }))).toMatchObject({ code: 'run-newer' });
    expect(await failureOf(engine.request('runs/report', { id: damaged, format: 'html' }))).toMatchObject({ code: 'run-damaged' });
    expect((await engine.request('runs/get', { id: whole })).run.state).toBe('complete');
    // What cannot be read can be deleted, and brought back.
    await engine.request('runs/delete', { id: damaged });
    expect((await engine.request('runs/list', {})).runs).toHaveLength(2);
    await engine.request('runs/restore', { id: damaged });
    expect((await engine.request('runs/list', {})).runs).toHaveLength(3);
  });

  it('hold no password, although the app has printed it', { timeout: slow, ...longTest }, async () => {
    engine = await TestEngine.start({
      file: {
        targets: [
          appTarget('app', 'steadyService.mjs', {
            postgres: { env: { url: 'DATABASE_URL', password: 'DATABASE_WORD' }, database: 'secrets_test' },
          }),
        ],
      },
    });
    const run = await engine.run(request);
    const folder = path.join(engine.workspaceDir, '.benchside', 'runs', run.id);
    const texts = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'latin1'));
    const slots = readdirSync(process.env['BENCHSIDE_POSTGRES_HOME'] ?? '').filter((name) => name.startsWith('cluster-'));
    expect(slots.length).toBeGreaterThan(0);
    for (const slot of slots) {
      const password = readFileSync(path.join(process.env['BENCHSIDE_POSTGRES_HOME'] ?? '', slot, 'password'), 'utf8');
      for (const text of texts) expect(text.includes(password)).toBe(false);
    }
    expect(texts.join('\n')).toContain('signing in with [redacted]');
    expect(texts.join('\n')).toContain('database postgres://[redacted]@127.0.0.1');
  });
});

describe('an engine that cannot be set up', () => {
  it('because its storage is no folder says why, and does not stay', { timeout: slow }, async () => {
    engine = await TestEngine.start();
    const storageDir = path.join(temporaryFolder('storage'), 'file');
    writeFileSync(storageDir, 'not a folder');
    expect(await failureOf(TestEngine.start({ storageDir }))).toMatchObject({
      code: 'storage-not-usable',
      message: expect.stringContaining(storageDir) as string,
    });
    const engines = readdirSync('/proc').filter(
      (name) => processStat(Number(name))?.ppid === process.pid && commandLine(Number(name)).includes('engine.cjs'),
    );
    expect(engines.map(Number)).toEqual([engine.client.pid]);
  });
});
