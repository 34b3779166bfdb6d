import { statSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../../model/domain/failure.ts';
import { findProgram } from '../../supervise/program.ts';

/** Options of Node that take the next word as their value. */
const withValue = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '-C',
  '--conditions',
  '--env-file',
  '--title',
  '--input-type',
]);

/**
 * The command as Clinic's tools need it: Node by its full path, then the preload, then Node's options, the script by its full path, its arguments. The tools
 * start the app in another folder than its own and put their options right behind the program, so the program must be Node itself. Fails with
 * `clinic-needs-node` or with the failures of a program that is not there.
 */
export function clinicCommand(argv: readonly string[], cwd: string, searchPath: string | undefined, preload: string): string[] {
  const [program = '', ...rest] = argv;
  if (!/^node(js)?(\d+)?(\.exe)?$/.test(path.basename(program))) throw needsNode(`starts ${path.basename(program) || 'nothing'}`);
  const node = findProgram(program, cwd, searchPath);
  if (node === null)
    throw failure(
      'program-not-found',
      `There is no program “${program}” that may be executed.`,
      'Install Node.js, or correct the target’s "command".',
    );
  const at = scriptIndex(rest);
  const script = at === -1 ? undefined : rest[at];
  if (script === undefined) throw needsNode('names no script');
  return [node, '--require', preload, ...rest.slice(0, at), scriptFile(script, cwd), ...rest.slice(at + 1)];
}

function scriptIndex(words: readonly string[]): number {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    if (word === '--') return index + 1 < words.length ? index + 1 : -1;
    if (!word.startsWith('-')) return index;
    if (/^(-e|-p|--eval|--print|--test)$/.test(word)) return -1;
    if (withValue.has(word)) index += 1;
  }
  return -1;
}

/** Resolves a script as Node does: the file itself, or with an ending, or a folder's own. */
function scriptFile(script: string, cwd: string): string {
  const file = path.resolve(cwd, script);
  const found = [file, `${file}.js`].some((candidate) => statSync(candidate, { throwIfNoEntry: false }) !== undefined);
  if (!found)
    throw failure('script-not-found', `There is no script ${file}.`, 'Correct the target’s "command" or "cwd" in benchside.json.');
  return file;
}

function needsNode(what: string): Error {
  return failure(
    'clinic-needs-node',
    `Clinic’s tools start the app themselves and need a command such as “node server.js”; this one ${what}.`,
    'Give the target a command that starts node with the app’s script, or record it with the V8 inspector.',
  );
}
