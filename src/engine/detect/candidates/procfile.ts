import path from 'node:path';
import { rank } from './candidateSource.ts';
import type { CandidateSource, WayToStart } from './candidateSource.ts';
import { commandOf, nodeWords } from './commandWords.ts';

/** What a Procfile starts for each kind of process; `release` ends on its own. */
export const procfile: CandidateSource = {
  name: 'Procfile',
  find: (files) =>
    files.paths
      .filter((file) => /(?:^|\/)Procfile(?:\.dev)?$/.test(file))
      .flatMap((file) =>
        (files.text(file) ?? '').split('\n').flatMap((line, index): WayToStart[] => {
          const [, name = '', text = ''] = /^([A-Za-z0-9_-]+):[ \t]*(.+)$/.exec(line.trimEnd()) ?? [];
          const read = name === '' || name === 'release' ? null : commandOf(text);
          if (read === null) return [];
          const { env, command } = read;
          const order = file.endsWith('.dev') ? rank.development : name === 'web' ? rank.meant : rank.possible;
          return [
            {
              file,
              line: index + 1,
              what: name,
              folder: path.posix.dirname(file),
              command: nodeWords(command) ?? command,
              env,
              port: null,
              rank: order,
            },
          ];
        }),
      ),
};
