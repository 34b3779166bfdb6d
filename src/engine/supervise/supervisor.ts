import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { failure } from '../../model/domain/failure.ts';
import { inTime } from '../../model/domain/inTime.ts';
import { inOwnFolder } from './appFolder.ts';
import { BoundedLog } from './boundedLog.ts';
import { childTagName, cookieName } from './environment.ts';
import { descendantsOf, holdersOf, killEscaped, outputsOf } from './escaped.ts';
import type { Guardian } from './guardian.ts';
import { type ProcessIdentity, isSameProcess, processIdentity } from './identity.ts';
import type { ChildKind, Journal, MadeElsewhere } from './journal.ts';
import { LineSplitter } from './lineSplitter.ts';
import { endMarked, processesMarked } from './marked.ts';
import { findProgram, requireProgram, searchPathOf, withoutShell } from './program.ts';
import { type StopLadder, abruptLadder, politeLadder, postgresLadder, sendSignal } from './stopLadder.ts';

/** How a child is started. `argv` goes to the operating system as it is: no shell reads it. */
export interface ChildSpec {
  /** For people: "java · pool 8". */
  name: string;
  kind: ChildKind;
  argv: readonly string[];
  cwd: string;
  /** The child's whole environment; see `childEnvironment`. */
  env: Readonly<Record<string, string>>;
  /** Something of it is a JVM, which it may start by way of a script or a tool. */
  runsJvm?: boolean;
  /** Null: as we do. */
  runAs?: { uid: number; gid: number } | null;
  /** By default that of an app stays open, as in a terminal: some end when theirs does. That of others is empty. */
  stdin?: 'pipe' | 'ignore';
  /** Called for each line of output; a line is given out in pieces of 64 KiB. */
  captureLines?: (stream: 'stdout' | 'stderr', line: string) => void;
  stop?: StopLadder;
}

export interface ExitInfo {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How long the last output of a process that has ended is awaited: another process may hold its pipe open. */
const lastOutputMs = 250;

/** A process that we started, with its whole group. */
export class Child {
  readonly name: string;
  readonly kind: ChildKind;
  readonly pid: number;
  readonly log = new BoundedLog();
  readonly exited: Promise<ExitInfo>;
  #running = true;
  #stopping: Promise<void> | undefined;
  #hurryMs = Infinity;
  #hasten: () => void = () => undefined;
  readonly #process: ChildProcess;
  readonly #ladder: StopLadder;
  readonly #tag: string | null;
  /** The app's processes that did not end on their own. */
  readonly #killed = new Set<number>();
  /** Its descendants when it was asked to end: their parents are gone once it has. */
  readonly #below: ProcessIdentity[] = [];

  /**
   * @param tag what marks the child's descendants in their environment; null when they are not marked
   * @param came who it is and what it writes to; null where it had ended before that was known
   * @param clear removes what it has left behind, which of these processes it consisted
   */
  constructor(
    spec: ChildSpec,
    process: ChildProcess,
    pid: number,
    tag: string | null,
    came: { identity: ProcessIdentity; outputs: string[] } | null,
    clear: (pids: readonly number[]) => Promise<void>,
  ) {
    this.#tag = tag;
    this.#killed.add(pid);
    this.name = spec.name;
    this.kind = spec.kind;
    this.pid = pid;
    this.#process = process;
    this.#ladder = spec.stop ?? defaultLadder(spec.kind);
    for (const stream of ['stdout', 'stderr'] as const) {
      const lines = spec.captureLines === undefined ? undefined : new LineSplitter((line) => spec.captureLines?.(stream, line));
      process[stream]?.setEncoding('utf8');
      process[stream]?.on('data', (text: string) => {
        this.log.append(text);
        lines?.push(text);
      });
      process[stream]?.on('end', () => lines?.end());
      process[stream]?.on('error', () => undefined);
    }
    process.stdin?.on('error', () => undefined);
    this.exited = new Promise<ExitInfo>((resolve) => {
      process.once('exit', (code, signal) => {
        this.#running = false;
        // What the leader left behind outlives it otherwise, in its group or out of it. PostgreSQL's own children end on their own and must not be killed.
        if (this.kind !== 'postgres') {
          this.#noteBeforeKill();
          sendSignal(this.pid, 'SIGKILL', 'group');
          if (tag !== null) killMarked(tag);
          if (came !== null) killEscaped([...this.#below, ...holdersOf(came.outputs, came.identity)]);
        }
        const closed = new Promise<void>((end) => process.once('close', () => end()));
        void inTime(lastOutputMs, closed, () => undefined).then(() => resolve({ code, signal }));
      });
    }).then(async (exit) => {
      await clear([...this.#killed]);
      return exit;
    });
  }

  /** The group's id; every child leads a group of its own. */
  get pgid(): number {
    return this.pid;
  }

  get running(): boolean {
    return this.#running;
  }

  /** Writes to the child's standard input; resolves when it was written, or when there is nobody to read it. */
  async write(text: string): Promise<void> {
    const stdin = this.#process.stdin;
    if (stdin === null || !this.#running || stdin.destroyed) return;
    await new Promise<void>((resolve) => stdin.write(text, () => resolve()));
  }

  /**
   * Goes down the stop ladder until the process is gone. Later calls wait for the first one. `hurryMs` caps each rung's patience, also that of a descent that
   * is in progress.
   */
  stop(hurryMs?: number): Promise<void> {
    if (hurryMs !== undefined && hurryMs < this.#hurryMs) {
      this.#hurryMs = hurryMs;
      this.#hasten();
    }
    this.#stopping ??= this.#descend();
    return this.#stopping;
  }

  /** Ends it at once and without warning, as a crash would; resolves when it is gone. */
  async kill(): Promise<void> {
    this.#noteBeforeKill();
    this.#noteBelow();
    if (this.#running) sendSignal(this.pid, 'SIGKILL', 'group');
    await this.exited;
  }

  /** Killed processes leave files that carry their pids. Afterwards these pids are no longer known. */
  #noteBeforeKill(): void {
    if (this.kind !== 'app' || this.#tag === null) return;
    for (const { pid } of processesMarked(childTagName, this.#tag)) this.#killed.add(pid);
  }

  #noteBelow(): void {
    if (this.kind !== 'postgres' && this.#tag !== null) this.#below.push(...descendantsOf(this.pid));
  }

  async #descend(): Promise<void> {
    for (const step of this.#ladder) {
      if (!this.#running) break;
      this.#noteBelow();
      if (step.signal === 'SIGKILL') this.#noteBeforeKill();
      sendSignal(this.pid, step.signal, step.to);
      const sentAt = performance.now();
      for (let leftMs = Infinity; this.#running && leftMs > 0;) {
        const hastened = new Promise<void>((resolve) => (this.#hasten = resolve));
        leftMs = Math.min(step.graceMs, this.#hurryMs) - (performance.now() - sentAt);
        await inTime(Math.max(0, leftMs), Promise.race([this.exited, hastened]), () => undefined);
      }
    }
    // It has ended, or its last rung had no effect: then there is nothing to wait for.
    if (!this.#running) await this.exited;
  }
}

function defaultLadder(kind: ChildKind): StopLadder {
  if (kind === 'postgres') return postgresLadder;
  return kind === 'load' ? abruptLadder : politeLadder();
}

/** Kills every process whose environment carries this tag. A second look catches what was just being forked. */
function killMarked(tag: string): void {
  for (let look = 0; look < 3; look += 1) {
    const found = processesMarked(childTagName, tag).filter((identity) => isSameProcess(identity));
    if (found.length === 0) return;
    for (const identity of found) sendSignal(identity.pid, 'SIGKILL', 'process');
  }
}

/**
 * Starts, watches and stops every process of an engine; nobody else spawns. Each child leads its own process group, its output is always
 * drained, and on Linux the kernel ends it when the engine dies, however that happens (parent-death signal, set by `setpriv`). What it has started itself ends
 * then the guardian.
 */
export class Supervisor {
  readonly #children = new Set<Child>();
  #closed = false;
  #started = 0;
  #setpriv: string | undefined;

  constructor(
    private readonly journal: Journal | null = null,
    private readonly guardian: Guardian | null = null,
  ) {}

  get children(): ReadonlySet<Child> {
    return this.#children;
  }

  /** To be called before a child makes something that outlives this machine’s processes, and when that is gone: see {@link MadeElsewhere}. */
  readonly elsewhere = {
    made: (made: MadeElsewhere): void => this.journal?.made(made),
    unmade: (id: string): void => this.journal?.unmade(id),
  };

  /** Starts a child. Fails with a sentence when the program or folder does not exist, or when everything is being stopped. */
  async start(spec: ChildSpec): Promise<Child> {
    if (this.#closed)
      throw failure('stopping', `${spec.name} was not started: Benchside is stopping.`, 'Start it again when everything has stopped.');
    const searchPath = searchPathOf(spec.env);
    const [program, ...rest] = withoutShell(spec.argv, searchPath);
    if (program === undefined)
      throw failure('program-not-found', `${spec.name} has no command.`, 'Give the target a "command" in benchside.json.');
    const file = requireProgram(program, spec.cwd, searchPath, spec.name);
    const placed = spec.kind === 'app' ? inOwnFolder([file, ...rest], spec.env, spec.runsJvm === true) : null;
    const [command, ...args] = [...this.#deathSignal(spec), ...(placed?.argv ?? [file, ...rest])];
    this.#started += 1;
    if (this.journal !== null) this.guardian?.watch(this.journal);
    const tag = this.journal === null ? null : `${this.journal.cookie}.${this.#started}`;
    const process_ = spawn(command ?? file, args, {
      cwd: spec.cwd,
      env: { ...(placed?.env ?? spec.env), ...this.#marks(tag) },
      detached: true,
      windowsHide: true,
      stdio: [spec.stdin ?? (spec.kind === 'app' ? 'pipe' : 'ignore'), 'pipe', 'pipe'],
      ...spec.runAs,
    });
    const pid = await new Promise<number>((resolve, reject) => {
      process_.once('error', (error) => {
        void placed?.clear([]);
        reject(
          failure(
            'program-not-started',
            `${spec.name} could not be started: ${error.message}.`,
            `Check that ${file} can be executed by you.`,
          ),
        );
      });
      process_.once('spawn', () => resolve(process_.pid ?? 0));
    });
    const identity = processIdentity(pid);
    const came = identity === null ? null : { identity, outputs: outputsOf(pid) };
    if (came !== null) this.journal?.started(came.identity, spec.kind, spec.name, came.outputs);
    const child = new Child(spec, process_, pid, tag, came, async (pids) => placed?.clear(pids));
    this.#children.add(child);
    void child.exited.then(() => {
      this.#children.delete(child);
      this.journal?.ended(pid);
    });
    // Somebody may have asked for the end of everything while the child was being started.
    if (this.#closed) await child.stop(0);
    return child;
  }

  /**
   * Stops everything: the load first, since what it does to a dying app is of no interest, then all else at once, PostgreSQL last
   * so that apps can close their sessions. With `hurryMs` each rung of each ladder waits no longer than that.
   */
  async stopAll({ hurryMs, close = false }: { hurryMs?: number; close?: boolean } = {}): Promise<number> {
    if (close) this.#closed = true;
    const all = [...this.#children];
    const stop = async (kinds: readonly ChildKind[]): Promise<void> => {
      await Promise.all(all.filter((child) => kinds.includes(child.kind)).map((child) => child.stop(hurryMs)));
    };
    await stop(['load']);
    if (hurryMs === undefined) {
      await stop(['app', 'tool']);
      await stop(['postgres']);
    } else {
      await stop(['app', 'tool', 'postgres']);
    }
    return all.length;
  }

  /**
   * Ends the remaining processes of this engine after `stopAll`.
   * @returns whether none remains
   */
  async endStrays(withinMs = 1_000): Promise<boolean> {
    return this.journal === null || (await endMarked(this.journal.cookie, withinMs)).isClear;
  }

  /** What a child and its descendants are known by: the engine's cookie, and their own tag. */
  #marks(tag: string | null): Record<string, string> {
    return this.journal === null || tag === null ? {} : { [cookieName]: this.journal.cookie, [childTagName]: tag };
  }

  #deathSignal(spec: ChildSpec): string[] {
    if (process.platform !== 'linux') return [];
    this.#setpriv ??= findSetpriv();
    if (this.#setpriv === '') return [];
    return [this.#setpriv, '--pdeathsig', spec.kind === 'postgres' ? 'INT' : 'KILL'];
  }
}

/** util-linux's `setpriv`, or nothing: busybox has one by that name which does not know the parent-death signal. */
function findSetpriv(): string {
  const file = findProgram('setpriv', '/', process.env['PATH'] ?? '/usr/bin:/bin');
  return file === null || realpathSync(file).endsWith('busybox') ? '' : file;
}
