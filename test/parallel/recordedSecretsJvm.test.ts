import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJfr } from '../../src/engine/calltree/jfr/readJfr.ts';
import { asyncProfilerRecorder } from '../../src/engine/record/jvm/asyncProfilerRecorder.ts';
import { flightRecorder } from '../../src/engine/record/jvm/flightRecorder.ts';
import type { Recorder } from '../../src/engine/record/recorder.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { newerJdks, ownJdk } from '../fixtures/jvmProbe/jdks.ts';
import { secretsIn } from '../support/canary.ts';
import { repositoryDir } from '../support/samples.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const supervisor = new Supervisor();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-secrets-'));
});
afterAll(async () => {
  await supervisor.stopAll();
  rmSync(folder, { recursive: true, force: true });
});

const secrets = {
  environment: 'Zq7environmentCanary4xT',
  property: 'Zq7propertyCanary4xT',
  option: 'Zq7optionCanary4xT',
  argument: 'Zq7argumentCanary4xT',
};
const recorders: { name: string; make: () => Recorder }[] = [
  { name: 'async-profiler', make: () => asyncProfilerRecorder(repositoryDir) },
  { name: 'Flight Recorder', make: flightRecorder },
];

describe.each([ownJdk])('a recording of $label', longTest, holdsNoSecret);
describe.each(newerJdks)('a recording of $label', slowHalf, holdsNoSecret);

function holdsNoSecret({ binDir }: (typeof newerJdks)[number]): void {
  const program = (name: string): string => (binDir === '' ? name : path.join(binDir, name));

  it.each(recorders)('by $name holds neither environment nor properties nor command line nor texts of the app', async ({ make }) => {
    const app = await supervisor.start({
      name: 'telltale',
      kind: 'app',
      argv: [
        program('java'),
        `-Dfixture.key=${secrets.property}`,
        `-XX:OnError=echo ${secrets.option}`,
        path.join(repositoryDir, 'test/fixtures/jfr/Telltale.java'),
        secrets.argument,
      ],
      cwd: folder,
      env: childEnvironment({ FIXTURE_KEY: secrets.environment }),
      stdin: 'pipe',
    });
    await waitFor(() => app.log.text().includes('ready'), { timeoutMs: 30_000, what: 'the app is ready' });
    const outputDir = mkdtempSync(path.join(folder, 'recording-'));
    const recorder = make();
    const events = recorder.events.filter((event) => event !== 'poolWait');
    const recording = await recorder.start(
      { pid: app.pid, runtime: 'jvm' },
      { events, maxMs: 30_000, outputDir, signal: new AbortController().signal },
    );
    const before = cpuTimeUs(app.pid);
    await waitFor(() => cpuTimeUs(app.pid) > before + 1_500_000, { timeoutMs: 60_000, what: 'it has computed for a while' });
    const { files } = await recording.stop();
    await app.stop();
    expect(readdirSync(outputDir)).toEqual(files.map(({ name }) => name));
    const file = path.join(outputDir, files[0]?.name ?? '');
    expect(secretsIn(readFileSync(file), Object.values(secrets))).toEqual([]);
    // It is still what it was: for our reader and for the JDK's own, and the figures of the app's own events are there.
    const tree = readJfr(readFileSync(file));
    expect(tree.functions.name).toContain('Telltale.work');
    const { stdout } = await promisify(execFile)(program('jfr'), ['summary', file]);
    expect(stdout).toMatch(/Chunks: \d+/);
    if (recorder.id !== 'jfr') return;
    const said = await promisify(execFile)(program('jfr'), ['print', '--events', 'fixture.Said', file], { maxBuffer: 1 << 28 });
    expect(said.stdout).toMatch(/shortText = "\*+"[\s\S]*figure = 4711/);
  });
}

/** Processor time of a process so far. */
function cpuTimeUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
