import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { readSmallFile } from '../../src/engine/supervise/smallFile.ts';
import { HostReader, hostUse } from '../../src/engine/observe/hostUse.ts';
import { parseProcStat, tickUs } from '../../src/engine/observe/procStat.ts';
import { processesMarked } from '../../src/engine/supervise/marked.ts';
import { repositoryDir, temporaryFolder } from './engine.ts';

const fixturesDir = path.join(repositoryDir, 'test/fixtures/ownServices');

/** A folder with somebody’s Express service in it, ready to be started. `packages` is a folder of installed ones, with express and pg. */
export function expressService(packages: string): string {
  const folder = temporaryFolder('shop');
  cpSync(path.join(fixturesDir, 'express'), folder, { recursive: true });
  symlinkSync(packages, path.join(folder, 'node_modules'), 'junction');
  return folder;
}

/** A folder with somebody’s Spring Boot service in it, built; the first time Maven fetches about 20 MB. */
export function springService(): string {
  const kept = path.join(repositoryDir, '.cache/own-service-spring');
  const source = path.join(fixturesDir, 'spring');
  const jar = path.join(kept, 'target/stock-1.0.0.jar');
  const newest = Math.max(
    ...readdirSync(source, { recursive: true, encoding: 'utf8' }).map((name) => statSync(path.join(source, name)).mtimeMs),
  );
  if (!existsSync(jar) || statSync(jar).mtimeMs < newest) {
    mkdirSync(kept, { recursive: true });
    cpSync(source, kept, { recursive: true });
    const built = spawnSync('mvn', ['-q', '-B', '-ntp', 'package'], { cwd: kept, encoding: 'utf8' });
    if (built.status !== 0) throw new Error(`The Spring Boot service could not be built: ${built.stdout}${built.stderr}`);
  }
  const folder = temporaryFolder('stock');
  cpSync(source, folder, { recursive: true });
  mkdirSync(path.join(folder, 'target'));
  cpSync(jar, path.join(folder, 'target/stock-1.0.0.jar'));
  return folder;
}

/** What a person saw of a command, and what they were asked. */
export interface Sat {
  code: number | null;
  screen: string;
  /** Questions that were answered with Enter. */
  questions: number;
  waitedMs: number;
  /** When the app was under load for the first time; null where it never was. */
  underLoadMs: number | null;
  /** Of the machine's CPU, what the hypervisor and programs other than Benchside’s left meanwhile, 0 … 1. */
  cpuLeft: number;
}

/** How the terminal calls what needs nobody any more. */
const underLoad = /Warming up|Measuring/;

/** Gives a command in a terminal, as a person does who presses Enter at each question. */
export async function inTerminal(folder: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Sat> {
  const startedAt = performance.now();
  const words = [process.execPath, path.join(repositoryDir, 'dist/cli.cjs'), ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qefc', words, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let [screen, questions] = ['', 0];
  let underLoadMs: number | null = null;
  const left = watchCpu(env);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    if (underLoadMs === null && underLoad.test(screen)) underLoadMs = performance.now() - startedAt;
    const asked = screen.split(/\[[Yy]\/[Nn]\] /).length - 1;
    for (; questions < asked; questions += 1) child.stdin.write('\r');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, screen, questions, waitedMs: performance.now() - startedAt, underLoadMs, cpuLeft: left() };
}

/** Adds up what the processes with this environment use of the CPU from now on; gives the share that others left when it is asked, and ends then. */
function watchCpu(env: Readonly<Record<string, string>>): () => number {
  const [[name = '', value = ''] = []] = Object.entries(env);
  const host = new HostReader();
  const [before, startedAt] = [host.read(), performance.now()];
  const ticks = new Map<number, number>();
  const look = (): void => {
    for (const { pid } of processesMarked(name, value)) {
      const stat = parseProcStat(readSmallFile(`/proc/${pid}/stat`) ?? '');
      if (stat !== null) ticks.set(pid, stat.ownTicks);
    }
  };
  const timer = setInterval(look, 500);
  return () => {
    clearInterval(timer);
    look();
    const after = host.read();
    const oursUs = [...ticks.values()].reduce((sum, one) => sum + one, 0) * tickUs;
    const use = before === null || after === null ? null : hostUse(before, after, performance.now() - startedAt, oursUs);
    return use === null ? 1 : 1 - (use.stealPercent + use.otherPercent) / 100;
  };
}
