import type { EventHead } from '../../../calltree/callTreeBuilder.ts';
import { type JfrChunk, eventsOf } from './jfrChunk.ts';
import type { JfrCursor } from './jfrCursor.ts';

/** How an event of the recording becomes weight: which column, and which field says how much. */
export interface JfrEventRule {
  column: string;
  unit: EventHead['unit'];
  /** First of these fields that is above zero is the weight; empty: every event counts for one sampling period. */
  weightFields: readonly string[];
  /** The weight is in ticks of the chunk's clock. */
  ticks?: true;
  /** Every event counts for this many sampling periods. */
  samplesField?: string;
  /** This one event holds samples of the CPU and of the wall clock: samples of a thread in another state than {@link cpuState} are of the wall clock. */
  wallByState?: true;
  /** Not read in a chunk that has events of one of these types, as both describe the same. */
  unless?: readonly string[];
}

const cpuTime = 'jdk.CPUTimeSample';
const executionSample = 'jdk.ExecutionSample';
const wallSample = 'profiler.WallClockSample';
/** The state that async-profiler gives samples of the CPU, of which it does not ask what the thread does. */
export const cpuState = 'STATE_DEFAULT';
/** Calls of methods that were asked for, each with its duration; of async-profiler's `--trace`, and of JDK 25 and later. */
const methodTrace = 'jdk.MethodTrace';
const traceRule: JfrEventRule = { column: 'trace', unit: 'ns', weightFields: ['duration'], ticks: true };
const tlab = ['jdk.ObjectAllocationInNewTLAB', 'jdk.ObjectAllocationOutsideTLAB'] as const;

/** The events that are read, in the order of the columns. */
export const jfrEventRules: ReadonlyMap<string, JfrEventRule> = new Map<string, JfrEventRule>([
  [cpuTime, { column: 'cpu', unit: 'ns', weightFields: ['samplingPeriod'], ticks: true }],
  [executionSample, { column: 'cpu', unit: 'count', weightFields: [], unless: [cpuTime] }],
  [wallSample, { column: 'wall', unit: 'count', weightFields: [], samplesField: 'samples' }],
  // The JDK takes a thread in native code for one sample whether it computes or waits for a socket: neither CPU time nor wall time.
  ['jdk.NativeMethodSample', { column: 'native', unit: 'count', weightFields: [] }],
  [methodTrace, traceRule],
  ['jdk.ObjectAllocationSample', { column: 'alloc', unit: 'bytes', weightFields: ['weight'], unless: tlab }],
  [tlab[0], { column: 'alloc', unit: 'bytes', weightFields: ['tlabSize', 'allocationSize'] }],
  [tlab[1], { column: 'alloc', unit: 'bytes', weightFields: ['allocationSize'] }],
  ['profiler.Malloc', { column: 'malloc', unit: 'bytes', weightFields: ['size'] }],
  ['jdk.JavaMonitorEnter', { column: 'lock', unit: 'ns', weightFields: ['duration'], ticks: true }],
  ['jdk.ThreadPark', { column: 'lock', unit: 'ns', weightFields: ['duration'], ticks: true }],
]);

/** The contents of a chunk, found before any stack is read. */
export interface ChunkContent {
  chunk: JfrChunk;
  /** Rules of the event types that are there and are read, by type. */
  rules: Map<number, JfrEventRule>;
  /** Sampling period by column, in ns; only where the recording says it. */
  periodsNs: Map<string, number>;
  /** Threads that the machine could run at once; null where the chunk does not say. */
  cores: number | null;
  /** Methods whose calls are timed, as they were given to the recorder; empty where the chunk does not say. */
  traced: string[];
}

/** Looks through the events of a chunk for the types that are there and the sampling periods. */
export function surveyChunk(cursor: JfrCursor, chunk: JfrChunk): ChunkContent {
  const seen = new Set<number>();
  const settings: { id: number; name: string; value: string }[] = [];
  const settingType = chunk.types.named('jdk.ActiveSetting');
  const machineType = chunk.types.named('jdk.CPUInformation');
  let cores: number | null = null;
  for (const event of eventsOf(cursor, chunk)) {
    seen.add(event.typeId);
    if (event.typeId === machineType?.id) {
      cursor.seek(event.position, event.end);
      const [threads] = chunk.types.readFields(cursor, machineType, ['hwThreads'], 0);
      cores = typeof threads === 'number' && threads > 0 ? threads : cores;
      continue;
    }
    if (event.typeId !== settingType?.id || settings.length >= 10_000) continue;
    cursor.seek(event.position, event.end);
    const [id, name, value] = chunk.types.readFields(cursor, settingType, ['id', 'name', 'value'], 256);
    if (typeof id !== 'number') continue;
    settings.push({ id, name: inlineText(name), value: inlineText(value) });
  }
  const has = (name: string): boolean => seen.has(chunk.types.named(name)?.id ?? -1);
  const rules = new Map<number, JfrEventRule>();
  const periodsNs = new Map<string, number>();
  const engine = settings.find((setting) => setting.name === 'event')?.value;
  for (const [name, usual] of jfrEventRules) {
    const rule = name === executionSample ? executionRule(usual, engine, settings, has(wallSample)) : usual;
    const type = chunk.types.named(name);
    if (type === undefined || !seen.has(type.id) || (rule.unless?.some(has) ?? false)) continue;
    rules.set(type.id, rule);
    if (rule.unit !== 'count') continue;
    const own = settings.filter((setting) => setting.id === type.id);
    const period = rule.column === 'wall' ? wallPeriodOf(settings) : periodOf(own, engine);
    if (period !== null) periodsNs.set(rule.column, period);
    if (rule.wallByState === true) periodsNs.set('wall', wallPeriodOf(settings) ?? defaultWallIntervalNs);
  }
  const traceId = chunk.types.named(methodTrace)?.id;
  const traced = settings.filter(({ id, name, value }) => id === traceId && (name === 'trace' || name === 'filter') && value !== '');
  return { chunk, rules, periodsNs, cores, traced: traced.map(({ value }) => value) };
}

/**
 * Whose samples `jdk.ExecutionSample` holds. Where async-profiler was started for wall time alone, it may write its samples as those of the CPU; before it had
 * an event of its own for the wall clock, it wrote both kinds as this one, and only the state of the thread distinguishes them.
 */
function executionRule(
  usual: JfrEventRule,
  engine: string | undefined,
  settings: readonly Setting[],
  hasWallSamples: boolean,
): JfrEventRule {
  if (engine === 'wall') return { ...usual, column: 'wall' };
  const samplesWall = engine !== undefined && (wallPeriodOf(settings) ?? 0) > 0;
  return samplesWall && !hasWallSamples ? { ...usual, wallByState: true } : usual;
}

/**
 * The columns of a recording. Samples are weighed in ns as soon as the recording says their period. Settles too, for all chunks alike,
 * what the calls of traced methods are: async-profiler says only in the first chunk which methods those were.
 */
export function eventHeads(contents: readonly ChunkContent[]): EventHead[] {
  const column = columnOfTraces(new Set(contents.flatMap(({ traced }) => traced)));
  for (const { rules } of contents) {
    for (const [id, rule] of rules) if (rule === traceRule) rules.set(id, { ...rule, column });
  }
  const rules = contents.flatMap((content) => [...content.rules.values()]);
  const columns = new Set([...jfrEventRules.values()].flatMap((rule) => (rule === traceRule ? ['poolWait', 'trace'] : [rule.column])));
  return [...columns].flatMap((name) => {
    const own = rules.filter((rule) => rule.column === name || (rule.wallByState === true && name === 'wall'));
    const first = own[0];
    if (first === undefined) return [];
    const timed = own.some((rule) => rule.unit === 'ns') || contents.some((content) => content.periodsNs.has(name));
    return [{ name, unit: timed ? 'ns' : first.unit }];
  });
}

/** Methods that ask a pool of connections for one and do not call each other. */
const poolMethod =
  /^(com\.zaxxer\.hikari\.HikariDataSource|org\.apache\.commons\.dbcp2?\.BasicDataSource|org\.apache\.tomcat\.jdbc\.pool\.DataSource(Proxy)?)\.getConnection(\(|:|$)/;
const anyConnectionMethod = /\.getConnection(\(|:|$)/;

/**
 * Traced calls are waiting for a pool where no other method was traced than those that ask for a connection. Where several were that may
 * call each other (`HikariDataSource.getConnection` calls `HikariPool.getConnection`), one wait is recorded several times, and the times may
 * not be added up under that name.
 */
function columnOfTraces(traced: ReadonlySet<string>): 'poolWait' | 'trace' {
  const methods = [...traced];
  const isPool =
    methods.length === 1 ? methods.every((method) => anyConnectionMethod.test(method)) : methods.every((method) => poolMethod.test(method));
  return methods.length > 0 && isPool ? 'poolWait' : 'trace';
}

interface Setting {
  name: string;
  value: string;
}

const unitNs: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);

/** Events of async-profiler whose interval is a time; others count cycles, cache misses, calls. */
const timedEngines = new Set(['cpu', 'ctimer', 'itimer', 'cpu-clock', 'task-clock', 'wall']);
/** async-profiler writes 0 where it took its default. */
const defaultIntervalNs = 10e6;
const defaultWallIntervalNs = 50e6;

/** The JDK says `period` (“20 ms”), async-profiler `interval` in ns, which is a time only for some of its engines. */
function periodOf(own: readonly Setting[], engine: string | undefined): number | null {
  for (const { name, value } of own) {
    const match = /^(\d{1,12}) ?([a-z]+)$/.exec(value);
    const unit = unitNs.get(match?.[2] ?? '');
    if (name === 'period' && match !== null && unit !== undefined && Number(match[1]) > 0) return Number(match[1]) * unit;
    if (name === 'interval' && /^\d{1,15}$/.test(value)) {
      return engine !== undefined && !timedEngines.has(engine) ? null : Number(value) || defaultIntervalNs;
    }
  }
  return null;
}

/** async-profiler says `wall` in ns, or `interval` where wall time is all it samples. */
function wallPeriodOf(settings: readonly Setting[]): number | null {
  const number = (name: string): number =>
    Number(settings.find((setting) => setting.name === name && /^\d{1,15}$/.test(setting.value))?.value ?? 0);
  if (number('wall') > 0) return number('wall');
  return settings.some((setting) => setting.name === 'event' && setting.value === 'wall')
    ? number('interval') || defaultWallIntervalNs
    : null;
}

function inlineText(value: unknown): string {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string' ? value.text : '';
}
