import { runtimes } from '../../model/domain/runtimes.ts';
import { bouncerPoolSetting } from '../../model/domain/bouncer.ts';
import { failure } from '../../model/domain/failure.ts';
import type { LoadProfile } from '../../model/domain/loadProfile.ts';
import { settingsPhrase } from '../../model/domain/format.ts';
import type { ModeReason } from '../../model/domain/modeReason.ts';
import { warmUpTime } from '../../model/domain/warmUpTime.ts';
import type { RunRequest } from '../../model/domain/run.ts';
import { withOptions } from '../../model/presentation/runOptionText.ts';
import type { SettingValue, SettingValues } from '../../model/domain/setting.ts';
import { oneListeningPlace } from '../../model/domain/target.ts';
import { type Proxy, type Topology, mostInstances } from '../../model/domain/topology.ts';
import type { MixRequest } from '../load/loadProtocol.ts';
import { type ResolvedMix, resolveRequestMix } from '../load/requestMix.ts';
import { stagesSeconds } from '../load/stages/stages.ts';
import { reservedSessions } from '../limits/reservedSessions.ts';
import { SeededRandom } from '../statistics/seededRandom.ts';
import { type DeclaredTarget, keepsItsOwn } from '../targets/catalog.ts';
import { completeSettings } from '../targets/launchTarget.ts';
import { coresAsked, variantOf } from '../variants/varied.ts';
import { withToday } from './withToday.ts';

/** Seconds of a block besides settling and measuring: reading meters, switching, opening connections. */
export const blockOverheadS = 0.35;

/** One process: a target with one set of settings. Several trials (one for each number of connections) may share it. */
export interface PlannedProcess {
  key: string;
  name: string;
  declared: DeclaredTarget;
  /** Every setting, asked for or default. */
  settings: SettingValues;
  /** Those that were asked for: what the trial is named by. */
  asked: SettingValues;
  /** The number of processes of it that share the load. */
  instances: number;
  /** What it is asked for, and the same as `METHOD /path` with its share. */
  mix?: readonly MixRequest[];
  routes?: readonly string[];
  /** Asked once when it has been started: an error says at once that there is nothing to measure. */
  asks?: readonly MixRequest[];
  /** What it answers is compared with what others answer. */
  isCompared?: boolean;
  /** Cores that each instance may use; absent without a limit. */
  cpuShare?: number | null;
  /** Nobody asked for it: it has what is in use today. */
  onlyToday?: true;
}

/** One trial of the plan. */
export interface PlannedTrial {
  key: string;
  name: string;
  process: PlannedProcess;
  connections: number;
}

/** What a run is going to do. */
export interface RunPlan {
  title: string;
  load: LoadProfile;
  processes: PlannedProcess[];
  trials: PlannedTrial[];
  /** Trials in the order of each round. */
  order: PlannedTrial[][];
  /** By target: what is asked for, and the same in words. */
  mixes: Map<string, ResolvedMix>;
  estimateMs: number;
}

/** The load profile with what the request says instead. */
export function effectiveLoad(profile: LoadProfile, request: RunRequest): LoadProfile {
  // The stages determine the length of a block.
  const stagesS = profile.stages === undefined ? null : stagesSeconds(profile.stages) - profile.settleS;
  return {
    ...withOptions(profile, request),
    ...(stagesS === null ? {} : { durationS: Math.min(3600, Math.max(0.5, stagesS)) }),
    ...(request.connections === undefined
      ? {}
      : { connections: request.connections.length === 1 ? (request.connections[0] ?? 1) : request.connections }),
  };
}

/** The profile for what measures in a closed loop of its own accord: a search, a live session, a recording. */
export function closedLoop({ ratePerS: _ratePerS, ...profile }: LoadProfile): LoadProfile {
  return profile;
}

/** Every combination of the values, the last name varying fastest: `{pool:[2,4]}` → `[{pool:2},{pool:4}]`. */
export function combinations(values: Record<string, readonly SettingValue[]>): SettingValues[] {
  return Object.entries(values).reduce<SettingValues[]>(
    (sets, [name, choices]) => sets.flatMap((set) => choices.map((value) => ({ ...set, [name]: value }))),
    [{}],
  );
}

const trialLimit = 200;

/** The setting that every target has, unless it declares one of that name itself: how many processes of it share the load. */
export const instancesSetting = 'instances';

/** What goes beyond the request of a plain run. */
export interface PlanOptions extends Partial<Pick<Topology, 'totalConnections' | 'cpuShare'>> {
  /** What is in front of the instances. */
  proxy?: Pick<Proxy, 'staticFiles'> | null;
  /** Where values of a declared number are compared, that which is in use today is one of them. */
  withToday?: boolean;
  /** These in place of every combination of the values that are asked for: what one of them leaves out is as it is. */
  sides?: readonly SettingValues[] | undefined;
}

/**
 * Makes the plan of a run. A setting that is asked for goes to every chosen target that has it; one that none has is a mistake.
 * Rounds are shuffled by the load's seed, and every second one is the reverse of the one before, so that drift of the machine
 * falls on all trials alike (randomised complete blocks).
 */
export function planRun(targets: readonly DeclaredTarget[], profile: LoadProfile, request: RunRequest, options: PlanOptions = {}): RunPlan {
  for (const [name, values] of Object.entries(request.settings)) {
    if (name !== instancesSetting && !targets.some(({ target }) => target.settings[name] !== undefined)) {
      const known = [...new Set(targets.flatMap(({ target }) => Object.keys(target.settings)))];
      throw failure(
        'setting-unknown',
        `None of the chosen targets has a setting “${name}”.`,
        known.length === 0 ? 'They declare none in benchside.json.' : `They have: ${known.join(', ')}.`,
      );
    }
    const texts = values.map(String);
    const twice = texts.find((value, index) => texts.indexOf(value) !== index);
    if (twice !== undefined)
      throw failure(
        'setting-value',
        `${name}: the value ${twice} stands there twice.`,
        'Name each value once; a setting is measured in several rounds anyway.',
      );
  }
  refuseForRunning(targets, { confirm: request.confirm === true, cpuShare: options.cpuShare ?? null });
  const load = effectiveLoad(profile, request);
  if (options.totalConnections !== undefined && request.settings['pool'] !== undefined) {
    throw failure(
      'setting-value',
      'The pool of each instance follows from the connections of all together.',
      'Leave the pool out, or the total of connections.',
    );
  }
  const steps = [load.connections].flat();
  if (load.ratePerS !== undefined) refuseWithRate(load, request);
  if (load.thinkTimeMs !== undefined && load.roles !== undefined) {
    throw failure(
      'think-time-and-roles',
      `The users of the load profile “${load.name}” have roles, with a think time of each step.`,
      'Leave the think time out, or choose a load profile without roles.',
    );
  }
  // At a fixed rate connections only warm up.
  const ladder = load.ratePerS === undefined ? [...new Set(steps)] : [Math.max(...steps)];
  const processes = targets.flatMap((declared) => {
    const label = declared.target.label ?? declared.target.id;
    const specs = declared.target.settings;
    const own = Object.fromEntries(
      Object.entries(request.settings).filter(([name]) => specs[name] !== undefined || name === instancesSetting),
    );
    const combinationsAsked = options.sides ?? combinations(own);
    const compared = options.withToday === true ? withToday(combinationsAsked, specs) : combinationsAsked;
    return compared.map((combination): PlannedProcess => {
      const { instances, asked } = sharedOut(label, specs, combination, options.totalConnections);
      const { [instancesSetting]: _instances, ...perProcess } = asked;
      const settings = withoutUnasked(
        completeSettings(label, specs, specs[instancesSetting] === undefined ? perProcess : asked),
        declared,
        asked,
      );
      // Without requested settings, the pool's default is what the reader wants to know, where it is known to be that of the code.
      const pool = specs['pool'] !== undefined && keepsItsOwn(declared, 'pool', specs['pool']) ? undefined : settings['pool'];
      const named = Object.keys(asked).length > 0 || pool === undefined ? asked : { pool };
      const place = oneListeningPlace(declared.target.port);
      if (instances > 1 && place !== null) {
        throw failure(
          'port-fixed',
          `${label} always uses ${place.socket === undefined ? `port ${place.port}` : `the Unix socket ${place.socket}`}, so ${instances} instances of it cannot run side by side.`,
          place.socket === undefined
            ? 'Let its command take {port}, or ask for one instance.'
            : 'Write {port} into the path of the socket, or ask for one instance.',
        );
      }
      const cpuShare = smallerShare(options.cpuShare ?? null, coresAsked(declared, named) ?? declared.target.cores ?? null);
      return {
        key: processKey(declared.target.id, named),
        name: trialName(label, named, undefined),
        declared,
        settings,
        asked: named,
        instances,
        cpuShare,
        ...(combinationsAsked.includes(combination) ? {} : { onlyToday: true as const }),
      };
    });
  });
  const trials = processes.flatMap((process) =>
    ladder.map((connections): PlannedTrial => {
      const label = process.declared.target.label ?? process.declared.target.id;
      return {
        key: `${process.key}|c=${connections}`,
        name: trialName(label, process.asked, ladder.length > 1 ? connections : undefined),
        process,
        connections,
      };
    }),
  );
  if (trials.length > trialLimit) {
    throw failure(
      'too-many-trials',
      `That makes ${trials.length} trials; at most ${trialLimit} fit in a run.`,
      'Name fewer values, fewer targets or a shorter ladder.',
    );
  }
  const mixes = new Map(
    targets.map(({ target }) => [
      target.id,
      resolveRequestMix({ targetId: target.id, routes: target.routes, profileMix: load.mix, ...mixOf(request) }),
    ]),
  );
  for (const process of processes) {
    const mix = mixes.get(process.declared.target.id);
    process.mix = mix?.mix ?? [];
    process.routes = mix?.phrases ?? [];
    // Roles send requests of their own, and what the proxy answers itself the app may not know.
    process.isCompared = processes.length > 1;
    process.asks = load.roles === undefined ? (mix?.asks ?? []).filter(({ path }) => !(options.proxy?.staticFiles && isStatic(path))) : [];
  }
  return {
    title: title(targets, request, ladder, processes),
    load,
    processes,
    trials,
    order: shuffledRounds(trials, load.rounds, load.seed),
    mixes,
    estimateMs: estimateMs(processes, trials.length, load),
  };
}

/** A fixed rate leaves nothing for other courses of the load to say. Fails with `rate-and-users`, `rate-and-think-time` or `rate-and-ladder`. */
function refuseWithRate(load: LoadProfile, request: RunRequest): void {
  if (load.stages !== undefined || load.roles !== undefined) {
    throw failure(
      'rate-and-users',
      `The load profile “${load.name}” has users who come and go, which a fixed rate has not.`,
      'Leave the rate out, or choose a load profile without stages and roles.',
    );
  }
  if (load.thinkTimeMs !== undefined) {
    throw failure(
      'rate-and-think-time',
      'A fixed rate says when requests are sent, and leaves nothing for a think time to say.',
      'Leave the rate out, or the think time.',
    );
  }
  if ((request.connections ?? []).length > 1) {
    throw failure(
      'rate-and-ladder',
      'At a fixed rate the number of connections follows from the rate: several numbers of them cannot be compared.',
      'Leave the rate out, or name one number of connections.',
    );
  }
}

/** The smaller of two limits in cores; null is no limit. */
export function smallerShare(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** What a request says of the routes of its mix. */
export function mixOf({ route, leaveOut, askRoutes }: Pick<RunRequest, 'route' | 'leaveOut' | 'askRoutes'>) {
  return { route, leaveOut, askRoutes };
}

function isStatic(path: string): boolean {
  return path.startsWith('/static/');
}

/** Without what is of the catalogue and was not asked for: there is no value of it that the process is given. */
function withoutUnasked(settings: SettingValues, declared: DeclaredTarget, asked: SettingValues): SettingValues {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name in asked || variantOf(declared, name) === undefined));
}

/** How many processes a combination asks for, and what each of them gets of the database connections that they share. */
function sharedOut(
  label: string,
  specs: DeclaredTarget['target']['settings'],
  asked: SettingValues,
  totalConnections: number | undefined,
): { instances: number; asked: SettingValues } {
  const wanted = specs[instancesSetting] === undefined ? (asked[instancesSetting] ?? 1) : 1;
  if (typeof wanted !== 'number' || wanted < 1 || wanted > mostInstances) {
    throw failure('setting-value', `${label}: instances cannot be ${wanted}.`, `Choose a whole number from 1 to ${mostInstances}.`);
  }
  if (totalConnections === undefined) return { instances: wanted, asked };
  if (specs['pool'] === undefined)
    throw failure(
      'setting-unknown',
      `${label} has no setting “pool” that its database connections could be shared out by.`,
      'Leave the total of connections out.',
    );
  if (totalConnections < wanted)
    throw failure(
      'setting-value',
      `${totalConnections} connections cannot be shared among ${wanted} instances.`,
      'Raise the total, or ask for fewer instances.',
    );
  return { instances: wanted, asked: { ...asked, pool: Math.floor(totalConnections / wanted) } };
}

function processKey(target: string, asked: SettingValues): string {
  return [target, ...Object.entries(asked).map(([name, value]) => `${name}=${value}`)].join('|');
}

function trialName(label: string, asked: SettingValues, connections: number | undefined): string {
  const phrase = settingsPhrase(asked);
  return [label, ...(phrase === '' ? [] : [phrase]), ...(connections === undefined ? [] : [`${connections} connections`])].join(' · ');
}

function title(
  targets: readonly DeclaredTarget[],
  request: RunRequest,
  ladder: readonly number[],
  processes: readonly PlannedProcess[],
): string {
  const who = targets.map(({ target }) => target.label ?? target.id).join(' and ');
  const varied = Object.entries(request.settings).filter(([, values]) => values.length > 1);
  const todays = processes.filter(({ onlyToday }) => onlyToday);
  const added = (name: string, values: readonly unknown[]): string[] =>
    [...new Set(todays.map(({ asked }) => asked[name]))].filter((value) => !values.includes(value)).map((value) => `${value} (today)`);
  const what = [
    ...varied.map(([name, values]) => `${name} ${[...values, ...added(name, values)].join(', ')}`),
    ...(ladder.length > 1 ? [`${ladder.join(', ')} connections`] : []),
  ];
  return what.length === 0 ? who : `${who}: ${what.join('; ')}`;
}

/** The title of a plan, with the values that were added while it was measured: “Node: pool 2, 4, 8, 10 (today); then 16, 32”. */
export function titleWithAdded({ title: planned, processes, trials }: RunPlan): string {
  const known = new Set(processes.flatMap(({ asked }) => Object.values(asked)));
  const added = trials.filter(({ process }) => !processes.includes(process)).flatMap(({ process }) => Object.values(process.asked));
  const values = [...new Set(added)].filter((value) => !known.has(value));
  return values.length === 0 ? planned : `${planned}; then ${values.join(', ')}`;
}

/** Fisher–Yates with the load's own seed; every second round is the mirror of the one before it. */
export function shuffledRounds<T>(items: readonly T[], rounds: number, seed: number): T[][] {
  const random = new SeededRandom(seed);
  const result: T[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const previous = result[round - 1];
    if (round % 2 === 1 && previous !== undefined) {
      result.push([...previous].reverse());
      continue;
    }
    result.push(random.shuffled(items));
  }
  return result;
}

/** A process that runs already is neither restarted nor limited. Fails with `runs-already`. */
export function refuseForRunning(
  targets: readonly DeclaredTarget[],
  { confirm, cpuShare }: { confirm: boolean; cpuShare: number | null },
): void {
  const running = targets.find(({ target }) => target.running !== undefined)?.target;
  if (running === undefined || (!confirm && cpuShare === null)) return;
  throw failure(
    'runs-already',
    `${running.label ?? running.id} runs already: ${confirm ? 'no fresh process of it is started' : 'its share of the CPU is not limited'}.`,
    `Leave ${confirm ? '--confirm' : '--cpu-share'} out, or let Benchside start it, by a command.`,
  );
}

/** A guess at how long the run takes, for the first "remaining": services, starts, warm-ups, blocks. */
function estimateMs(processes: readonly PlannedProcess[], trials: number, load: LoadProfile): number {
  const warmUpS = processes.reduce((sum, { declared }) => sum + warmUpTime(load, declared.target.runtime).expectedS, 0);
  const blocksS = trials * load.rounds * (load.settleS + load.durationS + 0.4);
  return (2 + processes.length * 1.5 + warmUpS + blocksS) * 1000;
}

/** How the plan is carried out: all processes at once, or one at a time. */
export interface PlanMode {
  mode: 'process-per-setting' | 'restart-per-block';
  reason: ModeReason;
}

/** What a process and its siblings may want of PostgreSQL at once: their pools, or what a PgBouncer before it lets through. */
export function serverConnections({ declared, settings, instances }: PlannedProcess): number {
  const { postgres } = declared.target;
  if (postgres === undefined) return 0;
  const pools = settings['pool'] === undefined ? null : Number(settings['pool']) * instances;
  if (postgres.bouncer === undefined) return pools ?? 0;
  return Math.min(pools ?? Number.POSITIVE_INFINITY, Number(settings[bouncerPoolSetting] ?? postgres.bouncer.poolSize));
}

/**
 * One process for each setting, warmed once, is preferred: an idle one costs nothing and the load switches from one to the next. Where they do not fit together
 * (a fixed port, the database's connections, memory), each is restarted for its block.
 */
export function choosePlanMode(
  processes: readonly PlannedProcess[],
  limits: { maxConnections: number | null; freeMemoryBytes: number },
): PlanMode {
  const restarted = (reason: ModeReason): PlanMode => ({ mode: 'restart-per-block', reason });
  const taken = new Set<string | number>();
  for (const { target } of processes.map(({ declared }) => declared)) {
    const place = oneListeningPlace(target.port);
    if (place === null) continue;
    const which = place.socket ?? place.port;
    const name = target.label ?? target.id;
    const { socket, port } = place;
    if (taken.has(which))
      return restarted(socket === undefined ? { code: 'fixed-port', name, port } : { code: 'one-socket', name, socket });
    taken.add(which);
  }
  const connections = processes.reduce((sum, process) => sum + serverConnections(process), 0);
  if (processes.length > 1 && limits.maxConnections !== null && connections > Math.max(0, limits.maxConnections - reservedSessions)) {
    return restarted({ code: 'many-connections', connections, most: limits.maxConnections });
  }
  const mebibyte = 1024 * 1024;
  const bytes = processes.reduce((sum, { declared, settings, instances }) => {
    const heap = typeof settings['heapMb'] === 'number' ? settings['heapMb'] + 150 : runtimes[declared.target.runtime].processMb;
    return sum + heap * mebibyte * instances;
  }, 0);
  if (processes.length > 1 && bytes > limits.freeMemoryBytes * 0.7) {
    return restarted({ code: 'much-memory', processes: processes.length, mebibytes: Math.round(bytes / mebibyte) });
  }
  return { mode: 'process-per-setting', reason: { code: 'process-each' } };
}
