import type { Finding } from '../../../model/domain/findingKinds.ts';
import type { Gate } from '../../../model/domain/gate.ts';
import type { Trial } from '../../../model/domain/run.ts';
import type { OpenLoopCounts } from '../../load/loadProtocol.ts';
import { claimRounds } from '../../statistics/kneeRule.ts';
import { limits } from '../../statistics/judgement.ts';

/** What is known of one setting that was tried. */
export interface GatedSetting {
  /** For people: "8", or "8 × 50". */
  name: string;
  trial: Trial;
  /** Valid blocks and all that were measured. */
  blocks: { valid: number; all: number };
  /** Callers that gave up waiting for a connection. */
  acquireTimeouts: number;
  /** What the app had instead of the size that was asked for; `null` when it obeyed. */
  ignored: Finding | null;
}

/** What a whole tuning of one target rests on. Percentages: of all cores for the host, of one core for the generator. */
export interface TuningEvidence {
  settings: readonly GatedSetting[];
  /** Fewest rounds that the settings of the answer were measured in. */
  rounds: number;
  generator: { cpuPercent: number | null; eventLoopUtilisation: number | null };
  /** False when throughput was still changing at the end of a warm-up. */
  steady: boolean;
  /** Requests of the blocks at a fixed rate; `null` when there were none. */
  openLoop: OpenLoopCounts | null;
}

/** Fewer connections than this multiple of a pool cannot keep it full. */
const connectionsPerPool = 2;
/** Late or dropped starts above this share, or fewer sent than `sentShare`, spoil an open load. */
const lateShare = 0.005;
const sentShare = 0.98;

/**
 * The rules of validity for a tuning as a whole; single blocks were judged before (`judgeBlock`). `refuse` means that no value may be
 * recommended.
 */
export function judgeTuning(evidence: TuningEvidence): Gate[] {
  return [...generatorGates(evidence), ...appGates(evidence), ...loadGates(evidence), ...precisionGates(evidence)];
}

function generatorGates({ generator }: TuningEvidence): Gate[] {
  const [cpu, loop] = [generator.cpuPercent ?? 0, generator.eventLoopUtilisation ?? 0];
  const common = { code: 'generator', severity: 'refuse' } as const;
  if (cpu >= limits.generatorCpuPercent) return [{ ...common, of: 'cpu', value: cpu, limit: limits.generatorCpuPercent }];
  if (loop < limits.eventLoopUtilisation) return [];
  return [{ ...common, of: 'event-loop', value: 100 * loop, limit: 100 * limits.eventLoopUtilisation }];
}

function appGates({ settings, steady }: TuningEvidence): Gate[] {
  const gates: Gate[] = [];
  const ignoring = settings.filter(({ ignored }) => ignored !== null);
  const [first] = ignoring;
  if (first?.ignored != null) {
    const severity = ignoring.length >= settings.length - 1 ? 'refuse' : 'flag';
    gates.push({ code: 'ignored', severity, seen: first.ignored, names: ignoring.map(({ name }) => name) });
  }
  const givenUp = settings.filter(({ acquireTimeouts }) => acquireTimeouts > 0);
  if (givenUp.length > 0) gates.push({ code: 'acquire-timeouts', severity: 'flag', names: givenUp.map(({ name }) => name) });
  if (!steady) gates.push({ code: 'not-steady', severity: 'flag' });
  return gates;
}

function loadGates({ settings, openLoop }: TuningEvidence): Gate[] {
  const gates: Gate[] = [];
  const pools = settings.flatMap(({ trial: { pool, connections } }) =>
    pool?.max == null ? [] : [{ max: pool.max, connections: connections * Math.max(1, pool.perRequest ?? 1) }],
  );
  const largest = pools.reduce<(typeof pools)[number] | null>((found, one) => (found === null || one.max > found.max ? one : found), null);
  const varies = new Set(pools.map(({ max }) => max)).size > 1;
  if (varies && largest !== null && largest.connections < largest.max) {
    const connections = settings[0]?.trial.connections ?? 0;
    const { connections: used, max } = largest;
    const needed = Math.ceil((connectionsPerPool * max * connections) / Math.max(1, used));
    gates.push({ code: 'concurrency', severity: 'flag', connections, used, largest: max, needed });
  }
  if (openLoop !== null && openLoop.intended > 0) {
    const spoilt = (openLoop.late + openLoop.dropped) / openLoop.intended;
    if (spoilt > lateShare || openLoop.sent < sentShare * openLoop.intended) {
      const share = Math.max(spoilt, 1 - openLoop.sent / openLoop.intended);
      gates.push({ code: 'open-loop', severity: 'flag', share, limit: lateShare });
    }
  }
  return gates;
}

function precisionGates({ settings, rounds }: TuningEvidence): Gate[] {
  const gates: Gate[] = [];
  const missing = settings.filter(({ blocks }) => blocks.valid < Math.min(2, blocks.all));
  if (missing.length > 0) gates.push({ code: 'not-measured', severity: 'flag', names: missing.map(({ name }) => name) });
  if (rounds < claimRounds) gates.push({ code: 'rounds', severity: 'refuse', rounds, least: claimRounds });
  return gates;
}
