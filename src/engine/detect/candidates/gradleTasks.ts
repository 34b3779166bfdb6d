import path from 'node:path';
import { type FolderFiles, within } from '../folderFiles.ts';
import { around } from '../nodeManifest.ts';
import { byFile, rank } from './candidateSource.ts';

/** The plugins that start what they have built, with their task; the first that a build has counts. */
const tasks: readonly { plugin: string; task: string }[] = [
  { plugin: 'org.springframework.boot', task: 'bootRun' },
  { plugin: 'io.micronaut.application', task: 'run' },
  { plugin: 'io.ktor.plugin', task: 'run' },
  { plugin: 'org.gretty', task: 'appRun' },
  { plugin: 'application', task: 'run' },
];

/**
 * The tasks that start a Gradle project, by its plugins. A build is a program: read is only what it says in so many words, `id 'application'`,
 * `id("application")`, `apply plugin: 'application'`, and `application` in a line of its own within `plugins`.
 */
export const gradleTasks = byFile(/(?:^|\/)build\.gradle(?:\.kts)?$/, (files, file) => {
  const text = files.source(file);
  for (const { plugin, task } of tasks) {
    const at = appliedAt(text, plugin);
    if (at === null) continue;
    const { root, program } = gradleOf(files, path.posix.dirname(file));
    const project = path.posix.relative(root, path.posix.dirname(file)).replaceAll('/', ':');
    // Its daemon would start the service outside of what is observed.
    const command = [program, '--no-daemon', '--console=plain', project === '' ? task : `:${project}:${task}`];
    return [{ file, line: files.lineAt(file, at), what: plugin, folder: root, command, rank: rank.possible }];
  }
  return [];
});

/** The folder in which Gradle is called for a project: that of the settings around it; and by which program. */
function gradleOf(files: FolderFiles, folder: string): { root: string; program: string } {
  const root = around(folder).find((one) => ['', '.kts'].some((ending) => files.has(within(one, `settings.gradle${ending}`)))) ?? folder;
  return { root, program: files.has(within(root, 'gradlew')) ? './gradlew' : 'gradle' };
}

/** Where a build applies a plugin; null where it does not, or only gives its version to others (`apply false`). */
function appliedAt(text: string, plugin: string): number | null {
  const name = plugin.replaceAll('.', '\\.');
  const named = new RegExp(`\\bid[ (]{0,4}['"]${name}['"][^\\n]{0,200}|\\bplugin[ :=(]{1,4}['"]${name}['"][^\\n]{0,200}`).exec(text);
  if (named !== null) return /\bapply[ (]{1,4}false\b/.test(named[0]) ? null : named.index;
  if (plugin !== 'application') return null;
  const plugins = text.indexOf('plugins {');
  const end = plugins === -1 ? -1 : text.indexOf('}', plugins);
  const bare = end === -1 ? -1 : text.slice(plugins, end).search(/^[ \t]*`?application`?[ \t]*;?[ \t]*$/m);
  return bare === -1 ? null : plugins + bare;
}
