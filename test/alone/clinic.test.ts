import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeTiers } from '../../src/model/domain/callTree.ts';
import { FailureError } from '../../src/model/domain/failure.ts';
import { parseJsonDocument } from '../../src/engine/calltree/jsonDocument.ts';
import { openProfile } from '../../src/engine/calltree/openProfile.ts';
import { eventTotal, functionTable } from '../../src/calltree/totals.ts';
import { clinicFolder, clinicInstalled } from '../../src/engine/record/clinic/clinicPackage.ts';
import type { ClinicResult, ClinicRun } from '../../src/engine/record/clinic/clinicRun.ts';
import { readDoctorHint } from '../../src/engine/record/clinic/doctorHint.ts';
import { installClinic } from '../../src/engine/record/clinic/installClinic.ts';
import { readClinicFlame } from '../../src/engine/record/clinic/readClinicFlame.ts';
import { runClinic } from '../../src/engine/record/clinic/runClinic.ts';
import { childEnvironment, cookieName } from '../../src/engine/supervise/environment.ts';
import { processIdentity } from '../../src/engine/supervise/identity.ts';
import { Journal } from '../../src/engine/supervise/journal.ts';
import { processesMarked } from '../../src/engine/supervise/marked.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const root = path.resolve(import.meta.dirname, '../..');
const storageDir = path.join(root, '.cache', 'clinic');
const fixtureDir = path.join(root, 'test', 'fixtures', 'clinic');
let scratch: string;
const cookie = `clinic-test-${process.pid}`;
let supervisor: Supervisor;

const clinicLeftovers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('benchside-clinic-'));
const before = new Set(clinicLeftovers());

beforeAll(async () => {
  const self = processIdentity(process.pid);
  if (self === null) throw new Error('This process cannot be identified.');
  scratch = mkdtempSync(path.join(tmpdir(), 'clinic-test-'));
  supervisor = new Supervisor(new Journal(path.join(scratch, 'journals'), cookie, self));
  await installClinic({ assetsDir: root, storageDir, nodePath: process.execPath, supervisor, signal: new AbortController().signal });
}, 300_000);

afterAll(async () => {
  await supervisor.stopAll({ hurryMs: 0 });
  rmSync(scratch, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  return await new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

interface Trial {
  result: ClinicResult;
  outputDir: string;
  answers: string[];
}

/** Records the fixture under a load of so many requests, four at a time. */
async function record(tool: ClinicRun['tool'], work: string, requests: number, more: Partial<ClinicRun> = {}): Promise<Trial> {
  const port = await freePort();
  const outputDir = mkdtempSync(path.join(scratch, 'out-'));
  const answers: string[] = [];
  const url = `http://127.0.0.1:${port}/`;
  const result = await runClinic({
    tool,
    command: {
      argv: ['node', 'busyService.mjs', 'one', 'two'],
      cwd: fixtureDir,
      env: childEnvironment({ PORT: String(port), WORK: work }),
    },
    untilReady: async (seen) => {
      expect(seen).toBe(port);
      await waitFor(async () => (await fetch(url)).ok, { timeoutMs: 20_000 });
    },
    load: async () => {
      let left = requests;
      const connection = async (): Promise<void> => {
        while ((left -= 1) >= 0) answers.push(await (await fetch(url)).text());
      };
      await Promise.all([connection(), connection(), connection(), connection()]);
    },
    outputDir,
    seconds: 5,
    supervisor,
    assetsDir: root,
    storageDir,
    nodePath: process.execPath,
    signal: new AbortController().signal,
    ...more,
  });
  return { result, outputDir, answers };
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FailureError)) throw new Error('It did not fail as it should.', { cause: error });
  return `${error.failure.code}: ${error.failure.message}`;
}

function expectNothingLeft(): void {
  expect(supervisor.children.size).toBe(0);
  expect(processesMarked(cookieName, cookie)).toEqual([]);
  expect(clinicLeftovers().filter((name) => !before.has(name))).toEqual([]);
}

describe('Clinic’s tools', longTest, () => {
  it('say that a blocked event loop is one, and the app runs in its own folder with its own arguments', async () => {
    const { result, outputDir, answers } = await record('clinic-doctor', 'block', 200);
    const { recording } = result;
    const hint = readDoctorHint(readFileSync(path.join(outputDir, 'doctor.json')));
    expect(hint.issues['delay']).toBe('performance');
    // Doctor compares CPU time with time, so that it sees a second cause where other programs used the CPU; then it names neither.
    const second = hint.issues['cpu'] === 'performance';
    expect(hint.category).toBe(second ? 'unknown' : 'event-loop');
    const delay = hint.series.find(({ name }) => name === 'event-loop delay');
    expect(Math.max(...(delay?.values ?? []).map((value) => value ?? 0))).toBeGreaterThan(20);
    expect(delay?.timeMs).toHaveLength(delay?.values.length ?? -1);
    const memory = hint.series.find(({ name }) => name === 'resident memory')?.values ?? [];
    expect(memory.length).toBeGreaterThan(0);
    expect(memory.every((value) => (value ?? 0) > 1e7)).toBe(true);
    expect(recording.runtimeVersion).toBe(process.version);
    expect(recording.recorderVersion).toBe('11.0.0');
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({ cwd: fixtureDir, script: 'busyService.mjs', arguments: ['one', 'two'] });
    expectNothingLeft();
  });

  it('give flame’s tree with the kind of each function and how V8 compiled it', slowHalf, async () => {
    const { result, outputDir } = await record('clinic-flame', 'compute', 100);
    expect(result.recording.files).toEqual([{ name: 'flame.clinic.json', format: 'clinic' }]);
    const tree = readClinicFlame(parseJsonDocument(readFileSync(path.join(outputDir, 'flame.clinic.json')), 'Clinic flame'));
    const [event] = tree.events;
    if (event === undefined) throw new Error('It has no event.');
    expect(eventTotal(event)).toBeGreaterThan(500);
    const table = functionTable(tree, event);
    const addUp = table.find(({ name }) => name === 'addUp');
    expect(addUp?.file).toBe(path.join(fixtureDir, 'busyService.mjs'));
    expect(addUp?.self).toBeGreaterThan(eventTotal(event) * 0.1);
    expect(addUp?.kind).toBe('app');
    const parsers = table.filter(({ file }) => file.includes('/node_modules/jsonc-parser/'));
    expect(new Set(parsers.map(({ kind }) => kind))).toEqual(new Set(['dependency']));
    expect(table.filter(({ file }) => file.startsWith('node:')).map(({ kind }) => kind)).toContain('runtime');
    const func = tree.functions.name.indexOf('addUp');
    const tiers = [...(tree.tier ?? [])].filter((_tier, node) => tree.func[node] === func).map((tier) => codeTiers[tier]);
    expect(tiers).toContain('optimised');
    expectNothingLeft();
  });

  it('give a heap profile that the other readers read, with what the app keeps', async () => {
    const { result, outputDir } = await record('clinic-heap', 'keep', 60);
    expect(result.recording).toMatchObject({ events: ['heap'], recorderVersion: '5.0.0' });
    const tree = await openProfile(path.join(outputDir, 'heap.heapprofile'));
    const [event] = tree.events;
    if (event === undefined) throw new Error('It has no event.');
    const keeper = functionTable(tree, event).find(({ name }) => name === 'keepRows');
    expect(keeper?.self).toBeGreaterThan(1_000_000);
    expect(keeper?.file).toBe(path.join(fixtureDir, 'busyService.mjs'));
    expectNothingLeft();
  });

  it('are ended by the watchdog when they hang, and nothing of them is left', async () => {
    const hanging = (tool: ClinicRun['tool']): Promise<unknown> =>
      record(tool, 'block', 0, {
        finishMs: 1_500,
        load: async () => {
          // Never answered: the app's event loop is lost from here on.
          const [child] = supervisor.children;
          const app = await waitFor(() => processesMarked(cookieName, cookie).find(({ pid }) => pid !== child?.pid));
          const port = /(?:^|\0)PORT=(\d+)/.exec(readFileSync(`/proc/${app.pid}/environ`, 'latin1'))?.[1];
          void fetch(`http://127.0.0.1:${port}/forever`).catch(() => undefined);
          await waitFor(async () => !(await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(300) }).catch(() => null)));
        },
      });
    expect(await failureOf(hanging('clinic-doctor'))).toBe(
      'clinic-hangs: Clinic’s tool was ended: it gave no data within 1.5 s of the end of the load.',
    );
    expectNothingLeft();
  });

  it('end at once, with everything they started, when they are cancelled', async () => {
    const controller = new AbortController();
    const work = record('clinic-flame', 'block', 0, {
      signal: controller.signal,
      load: async () => {
        controller.abort();
        await new Promise(() => undefined);
      },
    });
    await expect(work).rejects.toThrow(controller.signal.reason as Error);
    expectNothingLeft();
  });

  it('say what the app said when it ends by itself', async () => {
    const script = path.join(scratch, 'broken.cjs');
    writeFileSync(
      script,
      "require('node:http').createServer().listen(0, '127.0.0.1', () => { console.error('no licence'); process.exit(3); });\n",
    );
    const command = { argv: ['node', script], cwd: scratch, env: childEnvironment() };
    const work = record('clinic-doctor', 'block', 0, { command, untilReady: () => new Promise(() => undefined) });
    expect(await failureOf(work)).toMatch(/^clinic-app-failed: The app did not run to the end under Clinic/);
    expectNothingLeft();
  });
});

describe('the installation of Clinic', longTest, () => {
  it('is whole only with its marker, and what was interrupted is begun again', async () => {
    expect(clinicInstalled(storageDir)).toBe(true);
    const storage = path.join(scratch, 'storage');
    const half = path.join(clinicFolder(storage), 'node_modules', '@clinic');
    mkdirSync(half, { recursive: true });
    const abandoned = `${clinicFolder(storage)}.part-999999999-0badc0de`;
    mkdirSync(abandoned);
    expect(clinicInstalled(storage)).toBe(false);
    const controller = new AbortController();
    const seen: number[] = [];
    const install = installClinic({
      assetsDir: root,
      storageDir: storage,
      nodePath: process.execPath,
      supervisor,
      signal: controller.signal,
      onProgress: (done) => {
        seen.push(done);
        controller.abort();
      },
    });
    await expect(install).rejects.toThrow(controller.signal.reason as Error);
    expect(seen.length).toBeGreaterThan(0);
    expect(clinicInstalled(storage)).toBe(false);
    expect(existsSync(abandoned)).toBe(false);
    expect(readdirSync(storage)).toEqual([path.basename(clinicFolder(storage))]);
    expectNothingLeft();
  });

  it('does not begin with a list of packages that was changed', async () => {
    const assets = path.join(scratch, 'assets');
    mkdirSync(path.join(assets, 'tools', 'clinic'), { recursive: true });
    for (const name of ['package.json', 'package-lock.json']) {
      const content = readFileSync(path.join(root, 'tools', 'clinic', name), 'utf8');
      writeFileSync(path.join(assets, 'tools', 'clinic', name), content.replace('13.0.0', '13.0.1'));
    }
    const storage = path.join(scratch, 'changed');
    const work = installClinic({
      assetsDir: assets,
      storageDir: storage,
      nodePath: process.execPath,
      supervisor,
      signal: new AbortController().signal,
    });
    expect(await failureOf(work)).toMatch(/^clinic-lockfile-changed: /);
    expect(existsSync(storage)).toBe(false);
  });
});
