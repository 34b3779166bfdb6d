import path from 'node:path';
import * as z from 'zod';
import { jsonValue } from '../../targets/jsonPlace.ts';
import { readYaml } from '../boundedYaml.ts';
import { type FolderFiles, within } from '../folderFiles.ts';
import { type WayToStart, byFile, rank } from './candidateSource.ts';
import { commandWords, nodeWords } from './commandWords.ts';
import { keyLine, largestCharacters } from './yamlLines.ts';
import { linesOf } from './nodeScripts.ts';

const scalars = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
  .default({})
  .catch({});
const words = z
  .union([z.string().transform((text) => commandWords(text)?.words ?? null), z.array(z.string())])
  .default([])
  .catch([]);
const appSchema = z.object({
  name: z.string().default(''),
  script: z.string(),
  args: words,
  node_args: words,
  interpreter: z.string().optional(),
  cwd: z.string().default('.'),
  env: scalars,
  env_production: scalars,
});
const fileSchema = z.union([
  z.object({ apps: z.array(z.unknown()).max(100) }),
  z
    .array(z.unknown())
    .max(100)
    .transform((apps) => ({ apps })),
]);

/** The apps of pm2’s ecosystem files in JSON and YAML. One that is a program is not run to be read. */
export const pm2 = byFile(/(?:^|\/)(?:ecosystem(?:\.config)?|pm2(?:\.config)?|processes|process)\.(?:json5?|ya?ml)$/, (files, file) => {
  const text = files.text(file) ?? '';
  const isYaml = /\.ya?ml$/.test(file);
  const whole = fileSchema.safeParse(isYaml ? readYaml(text, largestCharacters) : jsonValue(text));
  if (!whole.success) return [];
  const lineOf = linesOf(files, file);
  return whole.data.apps.flatMap((one, index) => {
    const app = appSchema.safeParse(one);
    if (!app.success) return [];
    return wayOf(files, file, isYaml ? keyLine(files, file, 'script') : lineOf(['apps', index, 'script']), app.data);
  });
});

function wayOf(files: FolderFiles, file: string, line: number, app: z.infer<typeof appSchema>): WayToStart[] {
  const folder = path.posix.normalize(within(path.posix.dirname(file), app.cwd)).replace(/(?<=.)\/$/, '');
  if (folder.startsWith('..') || path.posix.isAbsolute(app.cwd) || app.args === null || app.node_args === null) return [];
  const byNode = /\.[cm]?[jt]s$/.test(app.script) || files.isFile(within(folder, path.posix.normalize(`${app.script}.js`)));
  const own =
    app.interpreter !== undefined && app.interpreter !== 'none'
      ? [app.interpreter, ...app.node_args, app.script]
      : byNode
        ? ['node', ...app.node_args, app.script]
        : [app.script];
  const command = [...own, ...app.args];
  return [
    {
      file,
      line,
      what: app.name === '' ? 'an app' : app.name,
      folder,
      command: nodeWords(command) ?? command,
      env: { ...app.env, ...app.env_production },
      rank: rank.usual,
    },
  ];
}
