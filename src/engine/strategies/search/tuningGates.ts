import type { Finding } from '../../../model/findingKinds.ts';
import { findingSeen } from '../../../model/findings.ts';
import { figure, wholeNumber } from '../../../model/format.ts';
import type { Gate } from '../../../model/tuning.ts';
import { claimRounds } from '../../statistics/kneeRule.ts';
import { limits } from '../../statistics/judgement.ts';
import type { SettingEvidence } from './operationalLaws.ts';

/** What is known of one setting beside its throughput. */
export interface GatedSetting {
  /** For people: "8", or "8 × 50". */
  name: string;
  evidence: SettingEvidence;
  /** Valid blocks and all that were measured. */
  blocks: { valid: number; all: number };
  /** Errors over requests of its valid blocks, 0 … 1. */
  errorShare: number;
  /** Callers that gave up waiting for a connection. */
  acquireTimeouts: number;
  /** What the app had instead of the size that was asked for; `null` when it obeyed. */
  ignored: Finding | null;
  /** Connections to the database that it may open, of all instances together; `null` without one. */
  databaseConnections: number | null;
}

/** What a whole tuning of one target rests on. Percentages: of all cores for the host, of one core for the generator. */
export interface TuningEvidence {
  settings: readonly GatedSetting[];
  /** Key of the setting with the best throughput; `null` when there is none. */
  bestKey: string | null;
  /** Fewest rounds that the settings of the answer were measured in. */
  rounds: number;
  generator: { cpuPercent: number | null; eventLoopUtilisation: number | null };
  /** False when throughput was still changing at the end of a warm-up. */
  steady: boolean;
  /** `max_connections` of the database less those kept back; `null` when unknown. */
  availableConnections: number | null;
  /** Requests of the blocks at a fixed rate; `null` when there were none. */
  openLoop: { intended: number; sent: number; late: number; dropped: number } | null;
}

/** Above 1 % a result is void; above 0.1 % it is flagged. */
const voidErrorShare = 0.01;
/** Fewer connections than this multiple of a pool cannot keep it full. */
const connectionsPerPool = 2;
/** Late or dropped starts above this share, or fewer sent than `sentShare`, spoil an open load. */
const lateShare = 0.005;
const sentShare = 0.98;

const refuse = (id: string, sentence: string): Gate => ({ id, severity: 'refuse', sentence });
const flag = (id: string, sentence: string): Gate => ({ id, severity: 'flag', sentence });

/** "4", "4 and 8", "4, 8 and 16"; at most eight are named. */
function listed(names: readonly string[]): string {
  const shown = names.length > 8 ? [...names.slice(0, 7), `${names.length - 7} more`] : names;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}

function percent(value: number): string {
  return `${figure(value)} %`;
}

/**
 * The rules of validity for a tuning as a whole; single blocks were judged before (`judgeBlock`). `refuse` means that no value may be
 * recommended. Sentences say what was seen, the limit, and what to do.
 */
export function judgeTuning(evidence: TuningEvidence): Gate[] {
  return [...generatorGates(evidence), ...appGates(evidence), ...loadGates(evidence), ...precisionGates(evidence)];
}

function generatorGates({ generator }: TuningEvidence): Gate[] {
  const [cpu, loop] = [generator.cpuPercent ?? 0, generator.eventLoopUtilisation ?? 0];
  if (cpu < limits.generatorCpuPercent && loop < limits.eventLoopUtilisation) return [];
  const seen =
    cpu >= limits.generatorCpuPercent
      ? `its CPU ${percent(cpu)} of a core, limit ${limits.generatorCpuPercent} %`
      : `its event loop busy ${percent(100 * loop)} of the time, limit ${100 * limits.eventLoopUtilisation} %`;
  return [
    refuse(
      'generator',
      `The load generator was saturated (${seen}): what was compared is the generator. Use fewer connections or a heavier route, or let k6 put the load on (--generator k6=2).`,
    ),
  ];
}

function appGates({ settings, steady, availableConnections, bestKey }: TuningEvidence): Gate[] {
  const gates: Gate[] = [];
  const ignoring = settings.filter(({ ignored }) => ignored !== null);
  const [first] = ignoring;
  if (first?.ignored != null) {
    const sentence = `${findingSeen(first.ignored)} ${ignoring.length === 1 ? `${first.name} is` : `${listed(ignoring.map(({ name }) => name))} are`} left out. Let the setting reach the app at its start, or tune it with restarts.`;
    gates.push(ignoring.length >= settings.length - 1 ? refuse('ignored', sentence) : flag('ignored', sentence));
  }
  const best = settings.find(({ evidence }) => evidence.key === bestKey);
  const failing = settings.filter(({ errorShare }) => errorShare > limits.errorShare);
  if (best !== undefined && best.errorShare > voidErrorShare) {
    gates.push(
      refuse(
        'errors',
        `${percent(100 * best.errorShare)} of the requests to the fastest setting (${best.name}) failed, limit ${100 * voidErrorShare} %: errors are often faster than answers. Look at the app’s log.`,
      ),
    );
  } else if (failing.length > 0) {
    const worst = Math.max(...failing.map(({ errorShare }) => errorShare));
    gates.push(
      flag(
        'errors',
        `Up to ${percent(100 * worst)} of the requests failed with ${listed(failing.map(({ name }) => name))}, limit ${100 * limits.errorShare} %. Look at the app’s log.`,
      ),
    );
  }
  const givenUp = settings.filter(({ acquireTimeouts }) => acquireTimeouts > 0);
  if (givenUp.length > 0) {
    gates.push(
      flag(
        'acquire-timeouts',
        `Callers gave up waiting for a connection with ${listed(givenUp.map(({ name }) => name))}: there the pool decides who gets an answer. Use a larger pool or fewer connections.`,
      ),
    );
  }
  if (!steady) gates.push(flag('not-steady', 'Throughput was still changing at the end of the warm-up. Allow a longer warm-up.'));
  const greedy = settings.filter(
    ({ databaseConnections }) =>
      databaseConnections !== null && availableConnections !== null && databaseConnections > availableConnections,
  );
  if (greedy.length > 0 && availableConnections !== null) {
    gates.push(
      refuse(
        'max-connections',
        `${listed(greedy.map(({ name }) => name))} may open more connections than PostgreSQL allows (${wholeNumber(availableConnections)} besides those kept back). Name smaller pools or fewer instances, or raise max_connections.`,
      ),
    );
  }
  return gates;
}

function loadGates({ settings, openLoop }: TuningEvidence): Gate[] {
  const gates: Gate[] = [];
  const pools = settings.flatMap(({ evidence }) =>
    evidence.pool?.max == null
      ? []
      : [{ max: evidence.pool.max, connections: evidence.connections * Math.max(1, evidence.pool.perRequest ?? 1) }],
  );
  const largest = pools.reduce<(typeof pools)[number] | null>((found, one) => (found === null || one.max > found.max ? one : found), null);
  const varies = new Set(pools.map(({ max }) => max)).size > 1;
  if (varies && largest !== null && largest.connections < largest.max) {
    const connections = settings[0]?.evidence.connections ?? 0;
    gates.push(
      flag(
        'concurrency',
        `${wholeNumber(connections)} connections of the load never use more than ${wholeNumber(largest.connections)} of a pool of ${wholeNumber(largest.max)}, so that for this load larger sizes than ${wholeNumber(largest.connections)} are all the same. Put ${wholeNumber(Math.ceil((connectionsPerPool * largest.max * connections) / Math.max(1, largest.connections)))} connections or more on it to compare them.`,
      ),
    );
  }
  if (openLoop !== null && openLoop.intended > 0) {
    const spoilt = (openLoop.late + openLoop.dropped) / openLoop.intended;
    if (spoilt > lateShare || openLoop.sent < sentShare * openLoop.intended) {
      gates.push(
        flag(
          'open-loop',
          `${percent(100 * Math.max(spoilt, 1 - openLoop.sent / openLoop.intended))} of the requests at a fixed rate were sent late or not at all, limit ${100 * lateShare} %: p99 is only roughly known. Choose a lighter load, or run on a quieter machine.`,
        ),
      );
    }
  }
  return gates;
}

function precisionGates({ settings, rounds }: TuningEvidence): Gate[] {
  const gates: Gate[] = [];
  const missing = settings.filter(({ blocks }) => blocks.valid < 2 && blocks.all > 0);
  if (missing.length > 0)
    gates.push(
      flag('not-measured', `${listed(missing.map(({ name }) => name))} could not be measured twice. The reasons stand with each value.`),
    );
  if (rounds < claimRounds) {
    gates.push(
      refuse(
        'rounds',
        `${claimRounds} valid rounds are the least for any claim; there ${rounds === 1 ? 'is' : 'are'} ${rounds}. Allow more time.`,
      ),
    );
  }
  return gates;
}
