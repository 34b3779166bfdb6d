import path from 'node:path';
import type { LocalProcess } from '../../../model/domain/recording.ts';
import { largestTextBytes, readBoundedText } from '../../files/boundedFile.ts';
import { redactArgv } from '../../files/redact.ts';
import { allPids } from '../../supervise/identity.ts';
import { type NodeFacts, readNodeFacts } from './nodeProcess.ts';
import { nodeProblem } from './openInspector.ts';

const maxCommandLength = 200;
const maxTitleLength = 80;
const maxListed = 500;
/** Programs of the editor itself, by their command lines: VS Code, its server, its language servers' host, and its forks. */
const editorParts =
  /\/\.?(?:vscode(?:ium|-server|-server-insiders|-remote)?|cursor-server|code-server|windsurf-server|openvscode-server)\/|\/(?:server-main|bootstrap-fork)(?:\.js)?(?:\s|$)|--type=extensionHost/;

/**
 * The Node processes of this machine from /proc, the newest first, ourselves left out. Those of the editor come last and say what they are;
 * Electron apps are listed with the reason why they cannot be recorded. Empty where there is no /proc.
 */
export async function listNodes(): Promise<LocalProcess[]> {
  const found: { process: LocalProcess; editor: boolean }[] = [];
  for (const pid of allPids()) {
    if (pid === process.pid || pid < 2) continue;
    const facts = readNodeFacts(pid);
    if (facts === null || !(facts.isNode || isElectronMain(facts))) continue;
    const editor = editorParts.test(facts.argv.join(' '));
    found.push({ process: describe(facts, editor), editor });
  }
  found.sort((a, b) => Number(a.editor) - Number(b.editor) || b.process.pid - a.process.pid);
  return found.slice(0, maxListed).map((one) => one.process);
}

function describe(facts: NodeFacts, editor: boolean): LocalProcess {
  const title = titleOf(facts);
  const command = redactArgv(facts.argv).join(' ');
  return {
    pid: facts.pid,
    runtime: 'node',
    title: cut(editor ? `${title} (part of the editor)` : title, maxTitleLength),
    command: cut(command, maxCommandLength),
    version: versionOf(facts),
    targetId: null,
    problem: nodeProblem(facts)?.failure ?? null,
  };
}

/** Electron's helper processes carry a `--type`; what they run is the main process's. */
function isElectronMain({ exe, argv }: NodeFacts): boolean {
  const name = exe === null ? '' : path.basename(exe);
  return /^electron$/i.test(name) && !argv.some((argument) => argument.startsWith('--type='));
}

/** The package's name and the script, as far as they are known: "bulletin-board · server.mjs". */
function titleOf(facts: NodeFacts): string {
  const script = scriptOf(facts.argv);
  if (script === null) return facts.exe === null ? 'node' : path.basename(facts.exe);
  const file = facts.cwd === null ? script : path.resolve(facts.cwd, script);
  const shown = /^(?:index|main|server|app)\.[cm]?[jt]s$/.test(path.basename(file))
    ? path.join(path.basename(path.dirname(file)), path.basename(file))
    : path.basename(file);
  const named = packageName(path.dirname(file));
  return named === null ? shown : `${named} · ${path.basename(file)}`;
}

/** The first argument that is no option of Node's, nor the value of one. */
export function scriptOf(argv: readonly string[]): string | null {
  for (let at = 1; at < argv.length; at += 1) {
    const argument = argv[at] ?? '';
    if (/^(?:-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file|--title|--inspect-port)$/.test(argument))
      at += 1;
    else if (/^(?:-e|--eval|-p|--print|-pe)$/.test(argument)) return null;
    else if (!argument.startsWith('-')) return argument === '' ? null : argument;
  }
  return null;
}

/** Name in the nearest package.json, at most four folders up. */
function packageName(folder: string): string | null {
  let at = folder;
  for (let step = 0; step < 5 && path.dirname(at) !== at; step += 1) {
    try {
      const { name } = JSON.parse(readBoundedText(path.join(at, 'package.json'), { largestBytes: largestTextBytes })) as { name?: unknown };
      if (typeof name === 'string' && name !== '') return name;
    } catch {
      // none here, or none that can be read
    }
    at = path.dirname(at);
  }
  return null;
}

/** The version where the program's path carries it, as version managers have it (`…/v22.1.0/bin/node`); asking the process would disturb it. */
function versionOf({ exe }: NodeFacts): string | null {
  if (exe === null) return null;
  if (exe === process.execPath) return process.version;
  const version = /[/@v-](\d{2}\.\d+\.\d+)(?=[/-]|$)/.exec(exe)?.[1];
  return version === undefined ? null : `v${version}`;
}

/** A text of bounded length in which no control character can play tricks. */
function cut(text: string, length: number): string {
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' ');
  return plain.length <= length ? plain : `${plain.slice(0, length - 1)}…`;
}
