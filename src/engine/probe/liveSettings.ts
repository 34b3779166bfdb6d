import { toFailure } from '../../model/domain/failure.ts';
import type { LiveRefusal } from '../../model/domain/liveRefusal.ts';
import type { LiveKnob, PoolReport } from '../../model/domain/probe.ts';
import { type SettingSpec, type SettingSpecs, type SettingValue, type SettingValues, liveKindOf } from '../../model/domain/setting.ts';
import { poll } from '../supervise/pause.ts';
import { type GroupReport, carriers, databasePools, readGroup, requestThreads, unboundThreads } from './groupReport.ts';
import type { ProbeGroup } from './probeServer.ts';
import type { ProbeSession } from './probeSession.ts';

/** How long a new size may take: a pool opens its connections one after the other, and a slow query holds a surplus one for seconds. */
const changeTimeoutMs = 15_000;
const settleEveryMs = 20;

/** What connection pools and thread pools have in common; only the former have a limit of what they lend. */
type Sized = Pick<PoolReport, 'id' | 'name' | 'max' | 'resizable' | 'note'> & Partial<Pick<PoolReport, 'lendable'>>;

/** The PgBouncer before the app’s database, as far as its pool is changed. */
export interface LiveBouncer {
  /** Why its pool cannot be changed while the app is connected; null when it can. */
  readonly fixed: LiveRefusal | null;
  /** Null on success, else why the size was not reached. */
  resize(poolSize: number, signal?: AbortSignal): Promise<LiveRefusal | null>;
  deviation(): Promise<LiveRefusal | null>;
}

interface Knob {
  pid: number;
  poolId: string;
  what: LiveKnob;
  /** Whether the number of connections that it lends can be set. */
  lendable: boolean;
}

/** A pool that lends fewer connections than it has. */
interface Lending {
  /** The previous value of the setting. */
  size: SettingValue | undefined;
  /** Whether those who held more than that have given them back. */
  returned: boolean;
}

/** The outcome of a change: how long until the new size was seen, and why not if it was not. */
export interface LiveChangeResult {
  ok: boolean;
  effectiveMs: number;
  message: LiveRefusal | null;
}

/** The settings of one running app that its probes, or the PgBouncer before its database, can change, found by what they are now. */
export class LiveSettings {
  readonly #knobs = new Map<string, Knob[]>();
  readonly #problems = new Map<string, LiveRefusal>();
  /** Settings that are the pool of PgBouncer. */
  readonly #ofBouncer = new Set<string>();
  readonly #lending = new Map<string, Lending>();
  readonly #values: Record<string, SettingValue>;

  private constructor(
    private readonly group: ProbeGroup | null,
    settings: SettingValues,
    private readonly bouncer: LiveBouncer | null,
  ) {
    this.#values = { ...settings };
  }

  /**
   * Finds the pool behind each setting: the only one of its kind, or those whose size is the value that the app was started with. An app may
   * make its pool with the first request, so that this is best asked when it has answered some.
   */
  static async find(
    { probe: group, bouncer = null }: { probe: ProbeGroup | null; bouncer?: LiveBouncer | null | undefined },
    specs: SettingSpecs,
    settings: SettingValues,
    noProbe: LiveRefusal,
  ): Promise<LiveSettings> {
    const live = new LiveSettings(group, settings, bouncer);
    const report = group === null ? null : await readGroup(group);
    for (const [name, spec] of Object.entries(specs)) {
      const what = liveKindOf(name, spec);
      if (what === 'bouncer') live.#findBouncer(name);
      else if (what === 'no') live.#problems.set(name, { code: 'not-live' });
      else if (report === null) live.#problems.set(name, noProbe);
      else live.#match(name, what, spec, settings[name], report);
    }
    return live;
  }

  /** Why this setting cannot be changed while the app runs; null when it can. */
  problem(setting: string): LiveRefusal | null {
    return this.#problems.get(setting) ?? (this.#knobs.has(setting) || this.#ofBouncer.has(setting) ? null : { code: 'not-a-setting' });
  }

  /** Its present value, as far as it is known. */
  value(setting: string): SettingValue | undefined {
    return this.#values[setting];
  }

  async read(): Promise<GroupReport | null> {
    return this.group === null ? null : readGroup(this.group);
  }

  /** Changes a setting to a value in every process of the app, and verifies it: the pool reports the new size, and no more connections are open than that. */
  async apply(setting: string, value: number, signal?: AbortSignal): Promise<LiveChangeResult> {
    const startedAt = performance.now();
    const done = (ok: boolean, message: LiveRefusal | null): LiveChangeResult => ({
      ok,
      effectiveMs: performance.now() - startedAt,
      message,
    });
    const problem = this.problem(setting);
    if (problem !== null) return done(false, problem);
    if (this.#ofBouncer.has(setting)) {
      const refusal = (await this.bouncer?.resize(value, signal)) ?? null;
      if (refusal === null) this.#values[setting] = value;
      return done(refusal === null, refusal);
    }
    const refused = await this.#tell(setting, async (session, { what, poolId }) => {
      const { ok, message } = await session.set({ what, poolId, max: value, timeoutMs: changeTimeoutMs });
      return ok ? null : saidOr(message, { code: 'size-not-taken', size: value });
    });
    signal?.throwIfAborted();
    if (refused !== null) return done(false, refused);
    // Only now, or it would lend all it had before.
    const kept = await this.stopLending(setting);
    if (kept !== null) return done(false, kept);
    this.#values[setting] = value;
    const seen = await poll(async () => ((await this.deviation(setting)) === null ? true : null), {
      timeoutMs: changeTimeoutMs,
      everyMs: settleEveryMs,
      signal,
    });
    return seen === true ? done(true, null) : done(false, await this.deviation(setting));
  }

  /** Whether a setting is the size of pools for all of which the number of lent connections can be set. */
  canLend(setting: string): boolean {
    return this.#knobs.get(setting)?.every(({ lendable }) => lendable) ?? false;
  }

  /**
   * Has the pools lend at most `value` connections at once, in every process of the app, without opening or closing any: the limit applies from the next caller
   * on. It is the setting's value until it is lifted. Returns null on success, else the reason; more than the pools' size cannot be lent.
   */
  async lend(setting: string, value: number, signal?: AbortSignal): Promise<LiveRefusal | null> {
    if (!this.canLend(setting)) return this.problem(setting) ?? { code: 'lends-all' };
    signal?.throwIfAborted();
    const size = this.#lending.get(setting)?.size ?? this.#values[setting];
    // Even if one of the processes fails: the others keep their new limit.
    this.#lending.set(setting, { size, returned: false });
    const refused = await this.#tell(setting, async (session, { poolId }) => {
      const { ok, max, message } = await session.lend(poolId, value);
      if (!ok) return saidOr(message, { code: 'limit-not-taken', limit: value });
      return max !== null && max < value ? { code: 'too-few-to-lend', max } : null;
    });
    if (refused === null) this.#values[setting] = value;
    else await this.stopLending(setting);
    return refused;
  }

  /** Has the pools lend all they have again, as if {@link lend} had not been called. Returns null on success, else the reason. */
  async stopLending(setting: string): Promise<LiveRefusal | null> {
    const lending = this.#lending.get(setting);
    if (lending === undefined) return null;
    const refused = await this.#tell(setting, async (session, { poolId }) => {
      const { ok, message } = await session.lend(poolId, null);
      return ok ? null : saidOr(message, { code: 'limit-stays' });
    });
    if (refused !== null) return refused;
    this.#lending.delete(setting);
    if (lending.size !== undefined) this.#values[setting] = lending.size;
    return null;
  }

  /** Brings a setting to a value by the shortest way: by lending where that is possible, else by {@link apply}. */
  async turn(setting: string, value: number, signal?: AbortSignal): Promise<LiveChangeResult> {
    const startedAt = performance.now();
    const isLent = this.canLend(setting) && (await this.lend(setting, value, signal)) === null;
    return isLent ? { ok: true, effectiveMs: performance.now() - startedAt, message: null } : this.apply(setting, value, signal);
  }

  /** How the app deviates from what was asked for: it has set the size back, or has more connections than that. Null when it does not. */
  async deviation(setting: string): Promise<LiveRefusal | null> {
    if (this.#ofBouncer.has(setting)) return (await this.bouncer?.deviation()) ?? null;
    const wanted = this.#values[setting];
    const knobs = this.#knobs.get(setting);
    if (typeof wanted !== 'number' || knobs === undefined) return null;
    const report = await this.read();
    if (report === null) return { code: 'probe-silent' };
    const lending = this.#lending.get(setting);
    let mostBusy = 0;
    for (const { pid, poolId, what } of knobs) {
      const process = report.byProcess.get(pid);
      if (process === undefined) return { code: 'process-gone', pid };
      if (what === 'pool') {
        const pool = process.pools.find(({ id }) => id === poolId);
        if (pool === undefined) return { code: 'pool-gone', of: what };
        if (lending !== undefined) {
          if (pool.lendLimit !== wanted) return { code: 'limit-reset', limit: pool.lendLimit ?? null, wanted };
          if (pool.max !== null && pool.max < wanted) return { code: 'size-below-limit', max: pool.max, limit: wanted };
          if (pool.busy > wanted && lending.returned) return { code: 'more-lent', busy: pool.busy, limit: wanted };
          mostBusy = Math.max(mostBusy, pool.busy);
          continue;
        }
        if (pool.max !== wanted) return { code: 'size-reset', of: what, max: pool.max, size: wanted };
        if (pool.total > wanted) return { code: 'more-open', open: pool.total, size: wanted };
      } else {
        const threads = process.threadPools.find(({ id }) => id === poolId);
        if (threads === undefined) return { code: 'pool-gone', of: what };
        const max = threads.effectiveMax ?? threads.max;
        if (max !== wanted) return { code: 'size-reset', of: what, max, size: wanted };
      }
    }
    if (lending !== undefined && mostBusy <= wanted) lending.returned = true;
    return null;
  }

  /** Says the same to every process behind a setting. Returns null when each has done it, else why one has not. */
  async #tell(setting: string, say: (session: ProbeSession, knob: Knob) => Promise<LiveRefusal | null>): Promise<LiveRefusal | null> {
    const results = await Promise.all(
      (this.#knobs.get(setting) ?? []).map(async (knob): Promise<LiveRefusal | null> => {
        const session = this.group?.sessions.find(({ hello }) => hello.pid === knob.pid);
        if (session === undefined) return { code: 'process-gone', pid: knob.pid };
        try {
          return await say(session, knob);
        } catch (error) {
          return { code: 'refused', message: toFailure(error).message };
        }
      }),
    );
    return results.find((message) => message !== null) ?? null;
  }

  #findBouncer(name: string): void {
    const fixed = this.bouncer === null ? ({ code: 'no-bouncer' } as const) : this.bouncer.fixed;
    if (fixed === null) this.#ofBouncer.add(name);
    else this.#problems.set(name, fixed);
  }

  #match(name: string, what: LiveKnob, spec: SettingSpec, value: SettingValue | undefined, report: GroupReport): void {
    const byProcess = [...report.byProcess].map(([pid, one]) => {
      const single: GroupReport = { atMs: report.atMs, byProcess: new Map([[pid, one]]) };
      const found: readonly Sized[] =
        what === 'pool' ? databasePools(single) : isOfCarriers(spec) ? carriers(single) : requestThreads(single);
      const same = found.filter(({ max }) => max === value);
      return { pid, found, chosen: found.length === 1 ? found : same };
    });
    const chosen = byProcess.flatMap(({ pid, chosen: pools }) => pools.map((pool) => ({ pid, pool })));
    const [first] = chosen;
    if (first === undefined) {
      const found = byProcess.flatMap((one) => one.found);
      const unbound = what === 'threads' && !isOfCarriers(spec) ? unboundThreads(report).find(({ note }) => note !== null) : undefined;
      this.#problems.set(
        name,
        found.length === 0
          ? saidOr(unbound?.note, { code: 'none-seen', of: what })
          : { code: 'none-of-size', of: what, seen: found.length, value: String(value) },
      );
      return;
    }
    const fixed = chosen.find(({ pool }) => !pool.resizable);
    if (fixed !== undefined) {
      this.#problems.set(name, saidOr(fixed.pool.note, { code: 'size-fixed', name: fixed.pool.name }));
      return;
    }
    this.#knobs.set(
      name,
      chosen.map(({ pid, pool }) => ({ pid, poolId: pool.id, what, lendable: pool.lendable ?? false })),
    );
  }
}

/** What a probe says of itself, else what was seen of it. */
function saidOr(message: string | null | undefined, seen: LiveRefusal): LiveRefusal {
  return message == null ? seen : { code: 'refused', message };
}

/** Whether a setting is how many threads carry virtual threads: by the JVM’s own name for it. */
function isOfCarriers(spec: SettingSpec): boolean {
  return spec.arguments?.some((word) => word.includes('jdk.virtualThreadScheduler.parallelism')) ?? false;
}
