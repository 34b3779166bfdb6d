import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { Sampler, type SamplerOptions } from '../../src/engine/observe/sampler.ts';
import type { Observation } from '../../src/model/domain/observation.ts';

/** A process that uses about 40 % of a core, tells its own CPU time when asked, and on request runs a child that uses 200 ms and ends. */
const program = `
import { spawnSync } from 'node:child_process';
const burn = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
setInterval(() => burn(20), 50);
process.on('message', (message) => {
  if (message === 'child') {
    const code = 'const end = process.cpuUsage().user + 200000; while (process.cpuUsage().user < end);process.stdout.write(JSON.stringify(process.cpuUsage()))';
    const { stdout } = spawnSync(process.execPath, ['-e', code]);
    const { user, system } = JSON.parse(stdout.toString());
    process.send({ childUs: user + system });
    return;
  }
  const { user, system } = process.cpuUsage();
  process.send({ us: user + system });
});
process.send('ready');
`;

const origin = performance.now();

/** Samplers and the processes that they look at, which end with their test. */
export class SamplerBench {
  readonly folder = mkdtempSync(join(tmpdir(), 'observe-'));
  readonly #started: ChildProcess[] = [];
  readonly #samplers: Sampler[] = [];

  now(): number {
    return performance.now() - origin;
  }

  async startBusy(): Promise<{ child: ChildProcess; pid: number }> {
    const child = fork(join(this.folder, 'busy.mjs'));
    this.#started.push(child);
    await new Promise((resolve) => child.once('message', resolve));
    return { child, pid: child.pid ?? 0 };
  }

  async ask(child: ChildProcess, question: string): Promise<Record<string, number>> {
    const answer = new Promise<Record<string, number>>((resolve) => child.once('message', resolve as (message: unknown) => void));
    child.send(question);
    return await answer;
  }

  sample(options: Partial<SamplerOptions> & Pick<SamplerOptions, 'roots'>): { sampler: Sampler; samples: Observation[] } {
    const sampler = new Sampler({ trialKey: () => null, now: () => this.now(), ...options });
    const samples: Observation[] = [];
    this.#samplers.push(sampler);
    sampler.start((observation) => samples.push(observation));
    return { sampler, samples };
  }

  begin(): void {
    writeFileSync(join(this.folder, 'busy.mjs'), program);
  }

  clear(): void {
    for (const sampler of this.#samplers.splice(0)) sampler.stop();
    for (const child of this.#started.splice(0)) child.kill('SIGKILL');
  }

  end(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** One bench for all tests of a file, by hooks. */
export function useSamplerBench(): SamplerBench {
  const harness = new SamplerBench();
  beforeAll(() => harness.begin());
  afterEach(() => harness.clear());
  afterAll(() => harness.end());
  return harness;
}
