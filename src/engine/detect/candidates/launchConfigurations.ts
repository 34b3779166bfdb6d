import path from 'node:path';
import * as z from 'zod';
import { jsonValue } from '../../targets/jsonPlace.ts';
import { type FolderFiles, seenFrom } from '../folderFiles.ts';
import { readManifest } from '../nodeManifest.ts';
import { type WayToStart, byFile, rank } from './candidateSource.ts';
import { type Command, commandOf, nodeWords } from './commandWords.ts';
import { linesOf } from './nodeScripts.ts';
import { Scripts } from './servesByWords.ts';

const list = z.array(z.string()).default([]).catch([]);
const configurationSchema = z.object({
  type: z.string(),
  request: z.literal('launch'),
  name: z.string().default(''),
  program: z.string().optional(),
  command: z.string().optional(),
  runtimeExecutable: z.string().optional(),
  runtimeArgs: list,
  args: list,
  cwd: z.string().default('${workspaceFolder}'),
  env: z.record(z.string(), z.string()).default({}).catch({}),
});
type Configuration = z.infer<typeof configurationSchema>;
const fileSchema = z.object({ configurations: z.array(z.unknown()).max(200) });

/** The programs that VS Code starts to debug them: those of Node, with arguments, folder and variables. A Java one names no jar, and is no command. */
export const launchConfigurations = byFile(/(?:^|\/)\.vscode\/launch\.json$/, (files, file) => {
  const whole = fileSchema.safeParse(jsonValue(files.text(file) ?? ''));
  if (!whole.success) return [];
  const lineOf = linesOf(files, file);
  return whole.data.configurations.flatMap((one, index) => {
    const configuration = configurationSchema.safeParse(one);
    return configuration.success ? wayOf(files, file, lineOf(['configurations', index]), configuration.data) : [];
  });
});

function wayOf(files: FolderFiles, file: string, line: number, one: Configuration): WayToStart[] {
  const root = path.posix.dirname(path.posix.dirname(file));
  const filled = (text: string): string => text.replace(/\$\{workspace(?:Folder|Root)\}/g, '\u0000');
  // From the folder that is searched.
  const placed = (text: string): string =>
    path.posix.normalize(filled(text).startsWith('\u0000') ? path.posix.join(root, filled(text).slice(1)) : path.posix.join(root, text));
  const folder = placed(one.cwd).replace(/(?<=.)\/$/, '');
  const words = (all: readonly string[]): string[] =>
    all.map((word) => (filled(word).startsWith('\u0000') ? seenFrom(folder, placed(word)) : word));
  const given = ((): Command | null => {
    if (one.type === 'node-terminal') return one.command === undefined ? null : commandOf(one.command);
    if (one.type !== 'node' && one.type !== 'pwa-node') return null;
    const program = one.program === undefined ? [] : words([one.program]);
    return { env: {}, command: [one.runtimeExecutable ?? 'node', ...words(one.runtimeArgs), ...program, ...words(one.args)] };
  })();
  if (given === null || folder.startsWith('..') || path.posix.isAbsolute(folder)) return [];
  const whole = [...given.command, ...Object.values(one.env)];
  if (whole.some((word) => word.includes('${') || word.includes('\u0000')) || given.command.length < 2) return [];
  const command = nodeWords(given.command) ?? given.command;
  if (!new Scripts(readManifest(files, folder)?.scripts ?? {}).wordsServe(given.command)) return [];
  return [{ file, line, what: `“${one.name}”`, folder, command, env: { ...given.env, ...one.env }, rank: rank.development }];
}
