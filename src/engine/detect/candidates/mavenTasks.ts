import path from 'node:path';
import { type FolderFiles, within } from '../folderFiles.ts';
import { around } from '../nodeManifest.ts';
import { Pom } from '../pom.ts';
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
const plugin = '/project/build/plugins/plugin';

/** The plugins that a pom builds with, not those that it only gives versions of, nor those of a profile. */
function pluginsOf(files: FolderFiles, file: string): Plugin[] {
  const { elements } = new Pom(files.text(file) ?? '');
  const byProperty = elements.some(({ path: one }) => one === '/project/properties/exec.mainClass');
  const tags = [...elements.entries()].filter(([, one]) => one.path === plugin).slice(0, mostPlugins);
  return tags.map(([index, { at }]) => {
    const end = elements.findIndex((one, after) => after > index && !one.path.startsWith(`${plugin}/`));
    const own = elements.slice(index, end === -1 ? undefined : end);
    return {
      artifact: own.find((one) => one.path === `${plugin}/artifactId`)?.text ?? '',
      line: files.lineAt(file, at),
      mainClass: byProperty || own.some((one) => one.path.endsWith('/mainClass')),
    };
  });
}
