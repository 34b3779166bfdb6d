import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { basename, relative } from 'node:path';
import { allowedCores } from './cpuAllowance.ts';
import type { Environment } from '../../model/domain/run.ts';
import { readSmallFile } from '../supervise/smallFile.ts';

/** Runs git in the workspace: its standard output, or `null` when there is no git, no repository, or it failed. */
export interface GitRunner {
  run(args: readonly string[]): Promise<string | null>;
}

export interface EnvironmentFacts {
  benchsideVersion: string;
  /** The version of the Node that runs Node targets, e.g. "20.20.0". */
  nodeVersion: string;
  javaVersion: string | null;
  postgresVersion: string | null;
  /** Settings of the server that matter for speed, e.g. shared_buffers. */
  postgresSettings: Readonly<Record<string, string>>;
  /** See {@link hashFiles}. */
  samplesVersion: string;
  /** `null` when there is none, or the workspace is not to be asked, e.g. because it is not trusted. */
  git: GitRunner | null;
}

/** What a run must know of its surroundings to be repeated and compared. Load averages are those of now. */
export async function readEnvironment(facts: EnvironmentFacts): Promise<Environment> {
  return {
    benchside: facts.benchsideVersion,
    platform: `${process.platform}-${process.arch}`,
    kernel: os.release(),
    cpuModel: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: allowedCores(),
    memoryBytes: os.totalmem(),
    node: facts.nodeVersion,
    java: facts.javaVersion,
    postgres: facts.postgresVersion,
    postgresSettings: { ...facts.postgresSettings },
    samples: facts.samplesVersion,
    git: facts.git === null ? null : await readGit(facts.git),
    loadAverageBefore: os.loadavg(),
    loadAverageAfter: null,
    virtualised: readVirtualisation(),
  };
}

/** Commit and whether files differ from it. Untracked files count: they may be what is run. */
export async function readGit(git: GitRunner): Promise<Environment['git']> {
  const commit = (await git.run(['rev-parse', 'HEAD']))?.trim();
  if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return null;
  const status = await git.run(['status', '--porcelain', '--untracked-files=normal']);
  // Not knowing counts as dirty: a run must not claim to be of a commit when it may not be.
  return { commit, dirty: status === null || status.trim() !== '' };
}

/**
 * How this machine is virtualised, by its firmware and kernel: e.g. "KVM", "VMware, Inc. VMware7,1", "hypervisor", "container". `null` on bare metal, and on
 * platforms that do not report it.
 */
export function readVirtualisation(root = ''): string | null {
  const hypervisor = / hypervisor( |$)/m.test(readSmallFile(`${root}/proc/cpuinfo`) ?? '');
  const vendor = readSmallFile(`${root}/sys/class/dmi/id/sys_vendor`)?.trim() ?? '';
  const product = readSmallFile(`${root}/sys/class/dmi/id/product_name`)?.trim() ?? '';
  const machine = `${vendor} ${product}`.trim();
  const isVirtual =
    hypervisor || /qemu|kvm|vmware|virtualbox|innotek|xen|bochs|parallels|virtual machine|amazon ec2|google compute engine/i.test(machine);
  const xen = readSmallFile(`${root}/sys/hypervisor/type`)?.trim();
  const container = /docker|kubepods|containerd|lxc|libpod/.test(readSmallFile(`${root}/proc/1/cgroup`) ?? '');
  const layers: string[] = [];
  if (isVirtual || xen) layers.push(machine || xen || 'hypervisor');
  if (container) layers.push('container');
  return layers.length === 0 ? null : layers.join(', ');
}

/**
 * A short version of some files: the first 12 hex digits of the SHA-256 of their names and contents, whatever order they are given in.
 * Names are relative to `rootDir`, so that the same files have the same version wherever they are installed.
 * @throws when a file cannot be read.
 */
export async function hashFiles(paths: readonly string[], rootDir?: string): Promise<string> {
  const named = paths.map((path) => ({
    path,
    name: (rootDir === undefined ? basename(path) : relative(rootDir, path)).replaceAll('\\', '/'),
  }));
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const hash = createHash('sha256');
  for (const { path, name } of named) {
    const content = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    hash.update(`${name}\0${content}\n`);
  }
  return hash.digest('hex').slice(0, 12);
}
