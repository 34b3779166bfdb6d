import path from 'node:path';
import type { FolderFiles } from '../folderFiles.ts';
import { type CandidateSource, type WayToStart, rank } from './candidateSource.ts';
import { commandWords } from './commandWords.ts';

/** Scripts next to the one that starts a server. */
const tools =
  /(?:^|[-_.])(?:adm|admin|cli|client|env|setenv|setup|tool|stop|shutdown|status|version|config|install|catalina-tasks|digest)/i;
const mostScripts = 40;
/** What a README gives as a command. */
const called = /^[ \t>]*(?:[$#][ \t]+)?(?:\.\/)?(bin\/[\w.-]+(?:[ \t]+[^`\n]*)?)$/;

/** The scripts in `bin` of what is unpacked and started: it has jars in `lib`. First those that its README calls, as it calls them. */
export const distribution: CandidateSource = (files) => {
  if (!files.paths.some((file) => /^libs?\/(?:.*\/)?[^/]+\.jar$/.test(file))) return [];
  const scripts = files
    .filesIn('bin')
    .filter((file) => /\.sh$/.test(file) || !path.posix.basename(file).includes('.'))
    .slice(0, mostScripts)
    .filter((file) => /\bjava\b|\$\{?JAVA/i.test(files.text(file) ?? ''));
  const plain = scripts.map((file) => ({ file, line: 1, what: 'starts Java', folder: '.', command: [file], rank: rankOf(file) }));
  return [...readmeCalls(files, new Set(scripts)), ...plain];
};

function rankOf(script: string): number {
  return tools.test(path.posix.basename(script)) ? rank.development : rank.usual;
}

function readmeCalls(files: FolderFiles, scripts: ReadonlySet<string>): WayToStart[] {
  return files.paths
    .filter((file) => /^README(?:\.(?:md|txt|adoc))?$/i.test(file))
    .flatMap((file) =>
      (files.text(file) ?? '').split('\n').flatMap((line, index): WayToStart[] => {
        const text = line.length > 500 ? undefined : called.exec(line.trimEnd())?.[1];
        const words = text === undefined ? undefined : commandWords(text)?.words;
        const [script = '', ...rest] = words ?? [];
        if (words === undefined || rest.length === 0 || !scripts.has(script)) return [];
        const order = rankOf(script) === rank.usual ? rank.meant : rank.possible;
        return [{ file, line: index + 1, what: 'calls it', folder: '.', command: words, rank: order }];
      }),
    );
}
