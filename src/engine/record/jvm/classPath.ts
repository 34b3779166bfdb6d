import path from 'node:path';
import { linkTarget, namesIn, readSmallFile } from '../../supervise/smallFile.ts';
import { splitArguments } from './listJvms.ts';

const archive = /\.(?:jar|war|ear)$/i;
const pathOptions: ReadonlySet<string> = new Set(['-cp', '-classpath', '--class-path', '-p', '--module-path', '-jar']);
const mostEntries = 2_000;

/**
 * Where a JVM loads its classes from, as absolute paths: folders and archives of its command line, and the archives that it has open, which class loaders of
 * servers and plugins bring along. Nothing is asked of it. Empty where /proc does not have them.
 */
export function classPathOf(pid: number): string[] {
  const cwd = linkTarget(`/proc/${pid}/cwd`);
  const found = new Set<string>();
  const argv = splitArguments(readSmallFile(`/proc/${pid}/cmdline`) ?? '');
  for (const [index, argument] of argv.entries()) {
    const [option, value] = argument.startsWith('--') && argument.includes('=') ? argument.split('=', 2) : [argument, argv[index + 1]];
    if (option === undefined || value === undefined || !pathOptions.has(option)) continue;
    for (const entry of value.split(':')) {
      if (entry !== '' && !entry.endsWith('*') && (cwd !== null || path.isAbsolute(entry))) found.add(path.resolve(cwd ?? '/', entry));
    }
  }
  for (const descriptor of namesIn(`/proc/${pid}/fd`)) {
    const file = linkTarget(`/proc/${pid}/fd/${descriptor}`);
    if (file !== null && archive.test(file)) found.add(file);
  }
  return [...found].slice(0, mostEntries);
}
