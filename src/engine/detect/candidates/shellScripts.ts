import path from 'node:path';
import { eachRuntime } from '../../../model/domain/runtimes.ts';
import { readManifest } from '../nodeManifest.ts';
import { type CandidateSource, type WayToStart, rank } from './candidateSource.ts';
import { commandWords } from './commandWords.ts';
import { Scripts } from './servesByWords.ts';

const mostScripts = 40;
const longestLine = 1_000;
const blank = /^\s*(?:#.*)?$/;
/** What the script was given, handed on. */
const handedOn = /[ \t]+"?\$[@*]"?$/;

/** Scripts of the folder, and of those right below it, whose last line is a call of Node, Java or what starts them, and can be a service. */
export const shellScripts: CandidateSource = (files) => {
  const ofPackage = new Scripts(readManifest(files, '.')?.scripts ?? {});
  return files.paths
    .filter((file) => file.endsWith('.sh') && file.split('/').length <= 2)
    .slice(0, mostScripts)
    .flatMap((file): WayToStart[] => {
      const lines = (files.text(file) ?? '').split('\n');
      const last = lines.findLastIndex((line) => !blank.test(line));
      const text = lines[last]?.trim() ?? '';
      if (text === '' || text.length > longestLine || text.endsWith('&')) return [];
      const words = commandWords(text.replace(handedOn, ''))?.words ?? callIn(text);
      const program = path.posix.basename(words[0] ?? '');
      if (!eachRuntime.some(([, { programs }]) => programs?.test(program) === true) || !ofPackage.wordsServe(words)) return [];
      const command = files.isExecutable(file) ? [`./${file}`] : ['sh', file];
      const order = /^exec\s/.test(text) ? rank.usual : rank.possible;
      return [{ file, line: last + 1, what: `starts ${program}`, folder: '.', command, rank: order }];
    });
};

/** The words of a line with variables that only a shell knows: `exec "$JAVA_HOME/bin/java" $JAVA_OPTS -jar app.jar`. */
function callIn(text: string): string[] {
  const words = text.split(/\s+/).map((word) => word.replaceAll(/["']/g, ''));
  const from = words.findIndex((word) => word !== 'exec' && !/^[A-Za-z_]\w*=/.test(word));
  return from === -1 ? [] : words.slice(from);
}
