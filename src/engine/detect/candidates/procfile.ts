import path from 'node:path';
import { type WayToStart, byFile, rank } from './candidateSource.ts';
import { commandOf, nodeWords } from './commandWords.ts';

/** What a Procfile starts for each kind of process; `release` ends on its own. */
export const procfile = byFile(/(?:^|\/)Procfile(?:\.dev)?$/, (files, file) =>
  (files.text(file) ?? '').split('\n').flatMap((line, index): WayToStart[] => {
    const [, name = '', text = ''] = /^([A-Za-z0-9_-]+):[ \t]*(.+)$/.exec(line.trimEnd()) ?? [];
    const read = name === '' || name === 'release' ? null : commandOf(text);
    if (read === null) return [];
    const { env, command } = read;
    const folder = path.posix.dirname(file);
    const order = file.endsWith('.dev') ? rank.development : name === 'web' ? rank.meant : rank.possible;
    return [{ file, line: index + 1, what: name, folder, command: nodeWords(command) ?? command, env, rank: order }];
  }),
);
