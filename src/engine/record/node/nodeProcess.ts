import { readFileSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../../model/domain/attempt.ts';
import { linkTarget } from '../../supervise/smallFile.ts';

/** SIGUSR1 in the mask of caught signals of /proc/PID/status: signal n is bit n − 1. */
const sigusr1Bit = 1n << 9n;
const maxCommandBytes = 64 * 1024;

/** What /proc says about a process that may be Node. */
export interface NodeFacts {
  pid: number;
  /** The program's file; null when it may not be read (another user's process). */
  exe: string | null;
  argv: string[];
  cwd: string | null;
  /** Whether the program is Node by its name; Electron, Bun and Deno are not. */
  isNode: boolean;
  /** Whether it handles SIGUSR1. Where it does not, the signal would end it. */
  catchesSigusr1: boolean;
  /** Whether it shares our loopback addresses: in a container of its own it does not. */
  sameNetwork: boolean;
}

/** Reads what is needed to know about a process; null when it does not exist. Source: proc(5). */
export function readNodeFacts(pid: number): NodeFacts | null {
  const status = textOf(`/proc/${pid}/status`);
  if (status === null || /^State:\s+[ZX]/m.test(status)) return null;
  const caught = /^SigCgt:\s+([0-9a-f]+)$/m.exec(status)?.[1];
  const exe = linkTarget(`/proc/${pid}/exe`)?.replace(/ \(deleted\)$/, '') ?? null;
  const argv = (textOf(`/proc/${pid}/cmdline`) ?? '').slice(0, maxCommandBytes).split('\0');
  if (argv.at(-1) === '') argv.pop();
  return {
    pid,
    exe,
    argv,
    cwd: linkTarget(`/proc/${pid}/cwd`),
    isNode: exe !== null && isNodeName(path.basename(exe)),
    catchesSigusr1: caught !== undefined && (BigInt(`0x${caught}`) & sigusr1Bit) !== 0n,
    sameNetwork: linkTarget(`/proc/${pid}/ns/net`) === linkTarget('/proc/self/ns/net'),
  };
}

/** `node`, `nodejs`, `node20`, `node-22`; a program called `node_exporter` is none. */
export function isNodeName(name: string): boolean {
  return /^node(?:js)?(?:[-.]?v?\d[\d.]*)?$/.test(name);
}

/** The port that SIGUSR1 opens, and whether the inspector was asked for from the start, by the options of the command line and NODE_OPTIONS. */
export function inspectorOptions(facts: NodeFacts): { port: number; asked: boolean } {
  let port = 9229;
  let asked = false;
  for (const option of [...nodeOptionsOf(facts.pid), ...optionsOf(facts.argv)]) {
    const match = /^--(inspect(?:-brk|-wait)?|inspect-port|debug-port)(?:=(.*))?$/.exec(option);
    if (match === null) continue;
    if (match[1]?.startsWith('inspect') === true && match[1] !== 'inspect-port') asked = true;
    const named = /(?:^|:)(\d{1,5})$/.exec(match[2] ?? '')?.[1];
    if (named !== undefined) port = Number(named);
  }
  return { port, asked };
}

/** Node's own options: everything between the program and the script. */
function optionsOf(argv: readonly string[]): string[] {
  const rest = argv.slice(1);
  const end = rest.findIndex((argument) => !argument.startsWith('-') || argument === '--');
  return end === -1 ? rest : rest.slice(0, end);
}

function nodeOptionsOf(pid: number): string[] {
  const entry = (textOf(`/proc/${pid}/environ`) ?? '').split('\0').find((variable) => variable.startsWith('NODE_OPTIONS='));
  return entry?.slice('NODE_OPTIONS='.length).split(/\s+/).filter(Boolean) ?? [];
}

function textOf(file: string): string | null {
  return attempt(() => readFileSync(file, 'utf8'), null);
}
