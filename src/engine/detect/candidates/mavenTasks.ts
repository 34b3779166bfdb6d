import path from 'node:path';
import { Parser } from 'htmlparser2';
import { type FolderFiles, within } from '../folderFiles.ts';
import { around } from '../nodeManifest.ts';
import { type WayToStart, byFile, rank } from './candidateSource.ts';

/** The plugins that start what they have built, with the goal that does. Development modes are none: they restart when a file changes. */
const goals: Readonly<Record<string, { goal: string; needsMainClass?: true }>> = {
  'spring-boot-maven-plugin': { goal: 'spring-boot:run' },
  'exec-maven-plugin': { goal: 'exec:java', needsMainClass: true },
  'micronaut-maven-plugin': { goal: 'mn:run' },
  'jetty-maven-plugin': { goal: 'jetty:run' },
  'jetty-ee10-maven-plugin': { goal: 'jetty:run' },
  'jetty-ee11-maven-plugin': { goal: 'jetty:run' },
  'liberty-maven-plugin': { goal: 'liberty:run' },
};

/** The goals that start the project of a pom.xml, by its plugins. */
export const mavenTasks = byFile(/(?:^|\/)pom\.xml$/, (files, file) => {
  const folder = path.posix.dirname(file);
  const wrapper = around(folder).find((one) => files.has(within(one, 'mvnw')));
  const program = wrapper === undefined ? 'mvn' : `./${path.posix.join(path.posix.relative(folder, wrapper), 'mvnw')}`;
  return pluginsOf(files, file).flatMap(({ artifact, line, mainClass }): WayToStart[] => {
    const known = Object.hasOwn(goals, artifact) ? goals[artifact] : undefined;
    if (known === undefined || (known.needsMainClass === true && !mainClass)) return [];
    const command = [program.replace('./../', '../'), '-B', known.goal];
    return [{ file, line, what: artifact, folder, command, rank: rank.possible }];
  });
});

interface Plugin {
  artifact: string;
  line: number;
  /** Whether it, or a property of its, says which class is started. */
  mainClass: boolean;
}

const mostPlugins = 200;
/** Nobody writes deeper, and the parser takes the longer for an element the deeper it lies. */
const deepest = 100;
const pieceCharacters = 8 * 1024;

/** The plugins that a pom builds with, not those that it only gives versions of, nor those of a profile. */
function pluginsOf(files: FolderFiles, file: string): Plugin[] {
  const found: Plugin[] = [];
  const stack: string[] = [];
  let [plugin, text, byProperty]: [Plugin | null, string, boolean] = [null, '', false];
  const parser = new Parser(
    {
      onopentagname: (name) => {
        stack.push(name);
        text = '';
        if (stack.length === 4 && stack.join('/') === 'project/build/plugins/plugin')
          plugin = { artifact: '', line: files.lineAt(file, parser.startIndex), mainClass: false };
      },
      ontext: (piece) => {
        if (text.length < 300) text += piece;
      },
      onclosetag: (name) => {
        stack.pop();
        if (stack.length === 2 && stack[1] === 'properties' && name === 'exec.mainClass') byProperty = true;
        if (plugin === null) return;
        if (stack.length === 4 && name === 'artifactId') plugin.artifact = text.trim();
        if (name === 'mainClass') plugin.mainClass = true;
        if (stack.length === 3 && name === 'plugin') {
          if (found.length < mostPlugins) found.push(plugin);
          plugin = null;
        }
      },
    },
    { xmlMode: true },
  );
  const written = files.text(file) ?? '';
  for (let at = 0; at < written.length && stack.length <= deepest; at += pieceCharacters)
    parser.write(written.slice(at, at + pieceCharacters));
  return found.map((one) => ({ ...one, mainClass: one.mainClass || byProperty }));
}
