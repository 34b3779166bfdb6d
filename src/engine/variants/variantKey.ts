import type { Failure } from '../../model/domain/failure.ts';
import type { Parsed } from '../../model/domain/parsed.ts';
import type { ProbeReport } from '../../model/domain/probe.ts';
import type { Target } from '../../model/domain/target.ts';

/** What activates one value, apart from what the target declares. */
export interface Activation {
  /** Options of the `java` program. */
  jvmOptions?: readonly string[];
  /** Options of the `node` program that NODE_OPTIONS may carry. */
  nodeOptions?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** The `java` or the `node` that runs it. */
  java?: string;
  node?: string;
  code?: string;
  cores?: number;
  /** A setting of PostgreSQL for the sessions of this side alone. */
  database?: { setting: string; value: string };
  /** This side has a copy of the database. `sql`: a file that is run in it before its processes start; `rows`: times as many rows. Absent: as it is. */
  copy?: { sql?: string; rows?: number };
  /** The round trip between the app and its database, in ms, in addition to that of loopback. */
  rttMs?: number;
}

/** What can be asked of a process that runs, to see which value is in force there. Each gives null where that cannot be seen. */
export interface ProcessView {
  /** A flag of a HotSpot JVM as it prints it, such as `-XX:+UseG1GC` or `-XX:MaxHeapSize=268435456`. */
  jvmFlag(name: string): Promise<string | null>;
  /** What the probe in it says now. */
  probe(): Promise<Pick<ProbeReport, 'heap' | 'workerPool'> | null>;
  /** Options that the process was started with, those of NODE_OPTIONS first. */
  options(): readonly string[] | null;
  /** The copy of a version of the code, and whether the process works in it. */
  code(version: string): { folder: string; inUse: boolean } | null;
  /** The file of its program. */
  program(): string | null;
  /** Cores that it was limited to. */
  cores(): number | null;
  /** What a session of this side is shown by SHOW, and how PostgreSQL itself writes the value that was asked for. */
  databaseSetting(setting: string, value: string): Promise<{ shown: string; meant: string } | null>;
  /** The database of this side, and whether one of its app’s sessions is in it. */
  ownDatabase(): Promise<{ name: string; inUse: boolean } | null>;
  /** By how much a statement of the app’s takes longer over the distance to its database, and whether one of its connections goes over it. */
  distance(): Promise<{ addedMs: number; inUse: boolean } | null>;
}

/** Whether a value is in force, and what is; null where the process does not show it. */
export type Seen = { holds: boolean; shown: string } | null;

/**
 * One thing that can be varied without a declaration in benchside.json. An entry of the catalogue is one value of this. `name` is the
 * requested key: `postgres.work_mem` of the entry for `postgres.<setting>`.
 */
export interface VariantKey {
  /** Such as `jvm.gc`; `<…>` in it matches any name. */
  readonly key: string;
  /** One sentence. */
  readonly meaning: string;
  /** Which values, in words, for the error of one that is none. */
  readonly takes: string;
  /** What `--vary` is given, such as `jvm.gc=G1,Parallel`. */
  readonly example: string;
  /** Whether a target can have it, and who can, in words: “a JVM”. */
  readonly fits: (target: Target) => boolean;
  /** Only a target of the workspace can have it, none that comes along with Benchside. */
  readonly ofWorkspace?: true;
  readonly of: string;
  /** The runtime's feature version from which on a value is known to it, such as 15; absent: every version that Benchside runs with. */
  readonly since?: (value: string) => number;
  /** The documentation that all this is from. */
  readonly source: string;
  /** A value in the one way in which it is written: two that mean the same are the same text. */
  readonly read: (text: string) => Parsed<string>;
  /** Why this machine cannot have a value; null where it can. `label` names the target. */
  readonly refuses?: (value: string, label: string) => Failure | null;
  /**
   * Two values that make the same of a process, so that comparisons by this key can be tried where there is no difference: one thing in two ways, or two of which a small
   * service has plenty. One alone: no two of its values do. `emptyFile` has nothing in it.
   */
  readonly copies: (emptyFile: string) => readonly [string] | readonly [string, string];
  readonly activation: (value: string, name: string) => Activation;
  /** Words on a command line, or in the variable for options, that say otherwise and are left out. */
  readonly replaces?: RegExp;
  readonly seen: (value: string, view: ProcessView, name: string) => Promise<Seen>;
}
