import path from 'node:path';
import { type FolderFiles, within } from '../folderFiles.ts';
import { builtMains } from './builtJars.ts';
import { type WayToStart, byFile, rank } from './candidateSource.ts';

const javaMain = /\bpublic\s+static\s+void\s+main\s*\(/;
const kotlinMain = /^fun\s+main\s*\(/m;
const mostClasses = 20;
/** Where builds put the jars that a class path needs. */
const jarFolders = ['target/lib', 'target/libs', 'target/dependency', 'lib', 'libs'] as const;

/** The classes of a Maven project that have a main method, and that no jar starts: on the class path that was built, else run by Maven. */
export const mainClasses = byFile(/(?:^|\/)pom\.xml$/, (files, pom) => {
  const folder = path.posix.dirname(pom);
  const inJars = builtMains(files, folder);
  return files
    .under(folder)
    .filter((file) => /(?:^|\/)src\/main\/(?:java|kotlin)\/.*\.(?:java|kt)$/.test(file))
    .flatMap((file) => wayOf(files, folder, file, inJars))
    .slice(0, mostClasses);
});

function wayOf(files: FolderFiles, folder: string, file: string, inJars: readonly string[]): WayToStart[] {
  const text = files.source(file);
  const isKotlin = file.endsWith('.kt');
  const at = (isKotlin ? kotlinMain : javaMain).exec(text)?.index;
  // A module below has a pom of its own.
  if (at === undefined || !file.startsWith(within(folder, 'src/main/'))) return [];
  const named = path.posix.basename(file).replace(/\.(?:java|kt)$/, '');
  const inPackage = /^[ \t]*package\s+([\w.]{1,200})/m.exec(text)?.[1];
  const type = `${inPackage === undefined ? '' : `${inPackage}.`}${named}${isKotlin ? 'Kt' : ''}`;
  if (inJars.includes(type)) return [];
  const jars = jarFolders.find((one) => files.filesIn(within(folder, one)).some((jar) => jar.endsWith('.jar')));
  const built = files.isThere(within(folder, 'target/classes'));
  const command =
    built && jars !== undefined
      ? ['java', '{arguments}', '-cp', `target/classes:${jars}/*`, type]
      : ['mvn', '-B', 'compile', 'exec:java', `-Dexec.mainClass=${type}`];
  return [
    {
      file,
      line: files.lineAt(file, at),
      what: 'has a main method',
      folder,
      command: process.platform === 'win32' ? command.map((word) => word.replace('classes:', 'classes;')) : command,
      rank: rank.possible,
    },
  ];
}
