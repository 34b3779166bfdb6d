import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { processesMarked } from '../../src/engine/supervise/marked.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../support/engine.ts';

/** A place to run in that has less than a developer's machine: a dev container, WSL, a job of CI. Namespaces remove what it lacks. */
interface Roof {
  /** Options of unshare. */
  namespaces: string[];
  /** What is done in them, as root, before Benchside starts. */
  shell: string;
  /** By which it is started, such as another user. */
  as?: string[];
  uid?: number;
  /** PostgreSQL's data folder is made there, too. */
  fresh?: boolean;
  target?: 'node' | 'java';
  /** Further words of `benchside run`. */
  more?: string[];
}

const someone = 4321;
const powerless = [
  'setpriv',
  `--reuid=${someone}`,
  `--regid=${someone}`,
  '--clear-groups',
  '--no-new-privs',
  '--bounding-set=-all',
  '--inh-caps=-all',
];
/** Gives that user a name. */
const named = `cp /etc/passwd "$HOME/passwd" && echo "bench:x:${someone}:${someone}::/tmp:/bin/sh" >>"$HOME/passwd" && mount --bind "$HOME/passwd" /etc/passwd`;
const noCgroups = 'mount -t tmpfs -o ro none /sys/fs/cgroup';
const hide = (file: string): string => `{ [ ! -e ${file} ] || mount --bind /dev/null ${file}; }`;

const roofs: Readonly<Record<string, Roof>> = {
  'no cgroup files and no pressure': { namespaces: ['--mount'], shell: `${noCgroups} && ${hide('/proc/pressure/cpu')}` },
  'cgroup version 2 alone, read-only': {
    namespaces: ['--mount'],
    shell: 'mount -t tmpfs none /sys/fs/cgroup && mount -t cgroup2 -o ro none /sys/fs/cgroup',
  },
  'cgroup version 1 alone, read-only': {
    namespaces: ['--mount'],
    shell:
      'for one in /sys/fs/cgroup/*; do mount -o remount,bind,ro "$one" || true; done; mount -t tmpfs -o ro none /sys/fs/cgroup/unified || true',
  },
  'an ordinary user who may trace nobody': { namespaces: ['--mount'], shell: named, as: powerless, uid: someone },
  'a JVM that is recorded where there are no perf events': {
    namespaces: ['--mount'],
    shell: `${named} && ${hide('/usr/bin/perf')} && ${hide('/proc/sys/kernel/perf_event_paranoid')}`,
    as: powerless,
    uid: someone,
    target: 'java',
    more: ['--record'],
  },
  'a tiny /dev/shm': { namespaces: ['--mount'], shell: 'mount -t tmpfs -o size=64k none /dev/shm', fresh: true },
  'processes, network and name of its own': {
    namespaces: ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--net', '--uts', '--ipc'],
    shell: 'ip link set lo up && hostname container',
  },
  'programs of Windows on the PATH, as in WSL': {
    namespaces: ['--mount'],
    shell: `${noCgroups} && export PATH="$PATH:/mnt/c/Program Files/nodejs:/mnt/c/Windows/system32"`,
  },
};

const root = process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
const patience = 240_000;

interface Told {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of Benchside's below a roof. */
function under({ namespaces, shell, as = [], uid }: Roof, env: Readonly<Record<string, string>>, args: readonly string[]): Told {
  const words = [...as, process.execPath, path.join(repositoryDir, 'dist/cli.cjs'), ...args];
  if (uid !== undefined) for (const folder of Object.values(env)) if (path.isAbsolute(folder)) chownSync(folder, uid, uid);
  const { status, stdout, stderr } = spawnSync('unshare', [...namespaces, 'sh', '-c', `${shell} && exec "$@"`, 'sh', ...words], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', ...env },
    cwd: env['WORKSPACE'],
    maxBuffer: 2 ** 28,
  });
  return { code: status, stdout, stderr };
}

afterAll(removeTemporaryFolders);

describe.runIf(root)('a short measurement', { timeout: patience }, () => {
  it.each(Object.entries(roofs))('has an answer under: %s', (_, roof) => {
    const places = {
      HOME: temporaryFolder('home'),
      WORKSPACE: temporaryFolder('workspace'),
      BENCHSIDE_STORAGE: temporaryFolder('storage'),
    };
    const clusters = temporaryFolder('clusters');
    // PostgreSQL runs as another user where this one is root.
    chmodSync(clusters, 0o755);
    const postgres = roof.fresh === true ? { BENCHSIDE_POSTGRES_HOME: clusters } : {};
    const target = roof.target ?? 'node';
    const words = ['-t', target, '--set', 'pool=2,4', '--load', 'smoke', '--rounds', '1', '--json', ...(roof.more ?? [])];
    const { code, stdout, stderr } = under(roof, { ...places, ...postgres }, ['run', ...words]);
    expect(code, stderr).toBe(0);
    const { run } = JSON.parse(stdout) as {
      run: { valid: boolean; trials: { throughput: { mean: number } }[]; recordings: { problem?: unknown }[] };
    };
    expect(run.trials).toHaveLength(2);
    for (const { throughput } of run.trials) expect(throughput.mean).toBeGreaterThan(0);
    if (roof.more?.includes('--record') === true) expect(run.recordings).toHaveLength(2);
    expect(processesMarked('BENCHSIDE_STORAGE', places.BENCHSIDE_STORAGE)).toEqual([]);
  });

  it('says what PostgreSQL needs of a user who is only a number', () => {
    const places = {
      HOME: temporaryFolder('home'),
      WORKSPACE: temporaryFolder('workspace'),
      BENCHSIDE_STORAGE: temporaryFolder('storage'),
    };
    const number: Roof = { namespaces: ['--mount'], shell: 'true', as: powerless, uid: someone };
    const { code, stderr } = under(number, places, ['run', '-t', 'node', '--load', 'smoke', '--rounds', '1']);
    expect(code).toBe(1);
    expect(stderr).toContain(`add an entry there (bench:x:${someone}:${someone}::/tmp:/bin/sh)`);
  });

  const readOnly: Roof = { namespaces: ['--mount'], shell: 'mount -t tmpfs -o ro none "$HOME"' };

  it('says where to keep its things instead where the home is read-only, and does so', () => {
    const places = { HOME: temporaryFolder('home'), WORKSPACE: temporaryFolder('workspace') };
    const words = ['run', '-t', 'node', '--set', 'pool=2', '--load', 'smoke', '--rounds', '1', '--json'];
    const refused = under(readOnly, places, words);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('BENCHSIDE_STORAGE');
    const storage = temporaryFolder('storage');
    const { code, stderr } = under(readOnly, { ...places, BENCHSIDE_STORAGE: storage }, words);
    expect(code, stderr).toBe(0);
    expect(readdirSync(storage)).not.toEqual([]);
  });
});
