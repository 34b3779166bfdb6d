import path from 'node:path';
import { type FindingOf, npmQuiet } from '../../../model/domain/detection.ts';
import type { Runtime } from '../../../model/domain/runtimes.ts';
import type { FolderFiles } from '../folderFiles.ts';
import { builtJars } from './builtJars.ts';
import { type CandidateSource, type WayToStart, rank } from './candidateSource.ts';
import { compose } from './compose.ts';
import { distribution } from './distribution.ts';
import { dockerfile } from './dockerfile.ts';
import { gradleTasks } from './gradleTasks.ts';
import { launchConfigurations } from './launchConfigurations.ts';
import { mainClasses } from './mainClasses.ts';
import { mavenTasks } from './mavenTasks.ts';
import { nodeScripts } from './nodeScripts.ts';
import { pm2 } from './pm2.ts';
import { procfile } from './procfile.ts';
import { shellScripts } from './shellScripts.ts';

/** Every kind of file that says how something is started. */
const sources: readonly CandidateSource[] = [
  nodeScripts,
  procfile,
  builtJars,
  distribution,
  dockerfile,
  compose,
  pm2,
  shellScripts,
  mavenTasks,
  gradleTasks,
  mainClasses,
  launchConfigurations,
];

/** The ways in which something of a folder is started, as its files say it, the likeliest first. */
export function waysToStart(files: FolderFiles): WayToStart[] {
  return sources.flatMap((source) => source(files)).sort((a, b) => a.rank - b.rank || depthOf(a) - depthOf(b));
}

function depthOf({ folder }: WayToStart): number {
  return folder === '.' ? 0 : folder.split('/').length;
}

/** Where it is written, in the form of a list. */
export function placeOf({ file, line, what }: Pick<WayToStart, 'file' | 'line' | 'what'>): string {
  return file === '' ? 'as it was given' : `${file}:${line}: ${what}`;
}

/** A way as what is declared of it. */
export function commandFinding(way: WayToStart, runtime: Runtime): FindingOf<'command'> {
  const { command, requires = [], requiresCure = null } = way;
  const env = { ...way.env, ...quietly(command) };
  return {
    part: 'command',
    title: command.filter((word) => word !== '{arguments}').join(' '),
    because: placeOf(way),
    sure: way.rank <= rank.usual,
    runtime,
    command,
    ...(Object.keys(env).length === 0 ? {} : { env }),
    requires: [...requires],
    requiresCure: requires.length === 0 ? null : requiresCure,
  };
}

/** npm asks its registry now and then whether there is a newer npm, which is no business of the service. */
function quietly([program = '']: readonly string[]): Record<string, string> {
  return /^(?:npm|npx)$/.test(path.posix.basename(program)) ? npmQuiet : {};
}
