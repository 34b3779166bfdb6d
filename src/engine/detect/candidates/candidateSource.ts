import type { FolderFiles } from '../folderFiles.ts';

/** How likely a way of starting something is the one that is meant: what is lower comes first. */
export const rank = {
  /** It says so of itself: a start script, what a container runs. */
  meant: 0,
  /** What was built, or what a build starts. */
  usual: 1,
  possible: 2,
  /** With a watcher, a debugger or a development server around it. */
  development: 3,
  /** With tests that it is started for. */
  testing: 4,
  /** What its build does not make. */
  missing: 5,
} as const;

/** A way in which something of a folder is started, as one of its files says. Paths are relative to the folder that is searched. */
export interface WayToStart {
  file: string;
  /** From 1. */
  line: number;
  /** What is there, such as "scripts.start". */
  what: string;
  folder: string;
  /** Program and arguments, as a target has them. */
  command: string[];
  env?: Readonly<Record<string, string>>;
  port?: number | null;
  rank: number;
  /** Files without which it cannot start, relative to `folder`, and what makes them. */
  requires?: readonly string[];
  requiresCure?: string;
}

/**
 * A kind of file that says how something is started; what cannot be read says nothing. It reads through `files` alone, and starts nothing. A new kind needs its
 * file, and a line in the table of `waysToStart.ts`.
 */
export type CandidateSource = (files: FolderFiles) => WayToStart[];

/** What is said by each file with such a path. */
export function byFile(named: RegExp, read: (files: FolderFiles, file: string) => readonly WayToStart[]): CandidateSource {
  return (files) => files.paths.filter((file) => named.test(file)).flatMap((file) => read(files, file));
}
