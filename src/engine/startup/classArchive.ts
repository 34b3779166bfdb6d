import type { Archive, StartupNote, StartWay } from '../../model/domain/startup.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';

/** One way in which a JDK can keep classes from one start to the next. */
interface ArchiveKind {
  way: Exclude<StartWay, 'as-is'>;
  /** The JDK from which on it is there. */
  since: number;
  make: (file: string) => string[];
  use: (file: string) => string[];
}

/**
 * The newest first: the AOT cache in one step (JEP 514, JDK 25), archives of class data that are made when the JVM ends (JEP 350, JDK 13). An archive that does
 * not fit is passed over by the JVM, which then starts as it would without.
 */
const archiveKinds: readonly ArchiveKind[] = [
  {
    way: 'aot-cache',
    since: 25,
    make: (file) => [`-XX:AOTCacheOutput=${file}`],
    use: (file) => [`-XX:AOTCache=${file}`],
  },
  {
    way: 'class-archive',
    since: 13,
    make: (file) => [`-XX:ArchiveClassesAtExit=${file}`],
    use: (file) => [`-XX:SharedArchiveFile=${file}`],
  },
];

/** Options by which a target has such an archive already, or wants none. */
const archiveOption = /^-(XX:(AOT\w*|SharedArchiveFile|ArchiveClassesAtExit|SharedClassListFile)=|XX:\+AutoCreateSharedArchive|Xshare:)/;

/** How the classes of a target can be kept by this JDK, or why they are not. */
export function archiveKind({ target }: Pick<DeclaredTarget, 'target'>, feature: number | null): ArchiveKind | StartupNote {
  if (!isJavaItself(target.command)) return 'not-java';
  const options = [...target.command, ...(target.env['JAVA_TOOL_OPTIONS'] ?? '').split(/\s+/)];
  if (options.some((word) => archiveOption.test(word))) return 'archive-declared';
  return archiveKinds.find(({ since }) => feature !== null && feature >= since) ?? 'old-jdk';
}

/** Anything else that starts a JVM (Maven, a script) starts others too, and they would write the same file. */
export function isJavaItself([program]: readonly string[]): boolean {
  return program === 'java' || program === '{java}' || /(^|[/\\])java(\.exe)?$/i.test(program ?? '');
}

/** A target whose `java` has these options, too. */
export function withJavaOptions(declared: DeclaredTarget, options: readonly string[]): DeclaredTarget {
  const [program = 'java', ...rest] = declared.target.command;
  return { ...declared, target: { ...declared.target, command: [program, ...options, ...rest] } };
}

/** The options as a person writes them. */
export function shownOptions({ make, use }: ArchiveKind): Archive['options'] {
  return { make: make('FILE'), use: use('FILE') };
}
