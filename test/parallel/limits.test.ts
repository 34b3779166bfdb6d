import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type CpuLimit, limitCpu } from '../../src/engine/services/cpuShare.ts';
import { descriptorLimits } from '../../src/engine/limits/descriptorLimits.ts';
import type { CpuLimitProblem } from '../../src/model/domain/cpuLimitProblem.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { type Child, Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { waitFor } from '../support/waitFor.ts';

const supervisor = new Supervisor();
afterEach(async () => {
  await supervisor.stopAll();
});

/** A process that keeps every core busy from several processes, some of which are forked only later. */
async function busyFamily(): Promise<Child> {
  const burn = 'for (;;);';
  const script = `const { spawn } = require('node:child_process');
    const more = () => spawn(process.execPath, ['-e', ${JSON.stringify(burn)}], { stdio: 'ignore' });
    more(); console.log('ready'); process.stdin.once('data', () => { more(); console.log('forked'); });`;
  const child = await supervisor.start({
    name: 'busy',
    kind: 'app',
    argv: [process.execPath, '-e', script],
    cwd: '/',
    env: childEnvironment(),
    stdin: 'pipe',
  });
  await waitFor(() => child.log.text().includes('ready'));
  return child;
}

/** CPU time of a process group so far, in ms; one that has ended no longer counts. */
function groupCpuMs(pgid: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'latin1');
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[2]) === pgid) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It ended while we looked.
    }
  }
  return ticks * 10;
}

async function coresUsed(child: Child, forMs: number): Promise<number> {
  const [cpu, began] = [groupCpuMs(child.pgid), performance.now()];
  await waitFor(() => performance.now() - began >= forMs);
  return (groupCpuMs(child.pgid) - cpu) / (performance.now() - began);
}

function limited(limit: CpuLimit | CpuLimitProblem): CpuLimit {
  if (typeof limit === 'object') return limit;
  throw new Error(limit);
}

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('a CPU share', () => {
  it('holds for what was forked before and after, together, and is lifted again', async () => {
    const child = await busyFamily();
    const share = limited(await limitCpu([child.pid], 0.05, supervisor));
    expect(share.means).toMatch(/^cgroup-v[12]$/);
    await child.write('fork\n');
    await waitFor(() => child.log.text().includes('forked'));
    const own = new RegExp(share.means === 'cgroup-v2' ? '^0::(.*)$' : '^\\d+:(?:[^:]*,)?cpu(?:,[^:]*)?:(.*)$', 'm');
    const group = (): string => own.exec(readFileSync(`/proc/${child.pid}/cgroup`, 'utf8'))?.[1] ?? '';
    const mine = group();
    expect(mine).toContain(`benchside-${process.pid}.`);
    const dir = ['/cpu', '/cpu,cpuacct', ''].map((mount) => `/sys/fs/cgroup${mount}${mine}`).find((folder) => existsSync(folder));
    // Two busy processes want 2 cores and get a twentieth of one: the kernel must have stopped them many times.
    await waitFor(() => Number(/^nr_throttled (\d+)/m.exec(readFileSync(`${dir}/cpu.stat`, 'utf8'))?.[1]) >= 20, {
      what: 'they are throttled',
    });
    expect(await coresUsed(child, 1_000)).toBeLessThan(0.1);
    const quota = (): string => {
      const file = share.means === 'cgroup-v2' ? 'cpu.max' : 'cpu.cfs_quota_us';
      return readFileSync(`${dir}/${file}`, 'utf8').trim().split(' ')[0] ?? '';
    };
    const inForce = quota();
    expect(inForce).toMatch(/^\d+$/);
    await share.suspend();
    expect(quota()).toMatch(/^(max|-1)$/);
    await share.resume();
    expect(quota()).toBe(inForce);
    await share.undo();
    expect(group()).not.toContain('benchside-');
    expect(existsSync(dir ?? '/')).toBe(false);
  });

  it('is whole cores where no control group may be made: two processes get different ones', async () => {
    const nowhere = { proc: '/nonexistent', sys: '/nonexistent' };
    const [first, second] = [await busyFamily(), await busyFamily()];
    const shares = [
      limited(await limitCpu([first.pid], 1, supervisor, nowhere)),
      limited(await limitCpu([second.pid], 1, supervisor, nowhere)),
    ];
    expect(shares.map(({ means }) => means)).toEqual(['affinity', 'affinity']);
    const cores = (pid: number): string => /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
    const own = cores(process.pid);
    expect(cores(first.pid)).toMatch(/^\d+$/);
    if (own !== cores(first.pid)) expect(cores(second.pid)).not.toBe(cores(first.pid));
    const before = [cores(first.pid), cores(second.pid)];
    for (const share of shares) await share.suspend();
    expect([cores(first.pid), cores(second.pid)]).toEqual([own, own]);
    for (const share of shares) await share.resume();
    expect([cores(first.pid), cores(second.pid)]).toEqual(before);
    for (const share of shares) await share.undo();
    expect([cores(first.pid), cores(second.pid)]).toEqual([own, own]);
    expect(await limitCpu([first.pid], 0.5, supervisor, nowhere)).toBe('no-group');
  });
});

describe('open files', () => {
  it('a Node that is started with a low soft limit raises it to the hard one by itself, so that only the hard one counts', async () => {
    const print = `console.log(require('node:fs').readFileSync('/proc/self/limits', 'utf8').match(/Max open files.*/)[0])`;
    const argv = ['sh', '-c', 'ulimit -Sn 64; exec "$0" -e "$1"', process.execPath, print];
    const child = await supervisor.start({ name: 'low', kind: 'tool', argv, cwd: '/', env: childEnvironment() });
    await child.exited;
    const [, soft, hard] = /Max open files\s+(\S+)\s+(\S+)/.exec(child.log.text()) ?? [];
    expect(soft).toBe(hard);
    expect(Number(hard)).toBe(descriptorLimits()?.hard);
  });
});
