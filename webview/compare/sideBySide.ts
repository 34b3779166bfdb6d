import type { Comparison, ComparisonRow } from '../../src/model/domain/comparison.ts';
import type { FromPanel } from '../../src/model/protocol/panel.ts';
import type { RunRequest, Trial } from '../../src/model/domain/run.ts';
import type { SettingValue } from '../../src/model/domain/setting.ts';
import type { RecordingSummary } from '../../src/model/domain/recording.ts';

export interface NextRun {
  text: string;
  title: string;
  message: Extract<FromPanel, { type: 'measure' | 'compareCode' }>;
  /** What was seen is not decided by it, or was not measured side by side. */
  primary: boolean;
}

const codeDiffers: ReadonlySet<string> = new Set(['git commit', 'uncommitted changes']);
/** More rounds than this are not offered by a button. */
const mostRounds = 60;

/** What would say more of a row; `null`: nothing that a button could start. */
export function nextRun(comparison: Comparison, row: ComparisonRow): NextRun | null {
  const open = row.throughput?.verdict === 'unknown';
  const request = sideBySideRequest(comparison, row);
  if (request !== null) {
    const rounds = request.rounds ?? 0;
    return {
      text: comparison.sameRun ? `Run both in ${rounds} rounds` : 'Run both side by side',
      title: `Measure both in the same ${rounds} rounds`,
      message: { type: 'measure', request: { kind: 'run', ...request } },
      primary: open || !comparison.sameRun,
    };
  }
  if (comparison.sameRun) return null;
  // The same setting twice: what differs is around it. Of that only the code can be had twice in one run.
  if (comparison.differences.some(({ what }) => codeDiffers.has(what)) && !isSpoilt(row))
    return {
      text: 'Compare Code…',
      title: 'Measure two versions of the code in one run',
      message: { type: 'compareCode' },
      primary: true,
    };
  const again = row.a?.valid === false && row.b?.valid !== false ? comparison.a : comparison.b;
  if (again.request === null) return null;
  return {
    text: `Repeat ${again.name}`,
    title: `Measures what ${again.name} measured, to be compared with it`,
    message: { type: 'measure', request: { kind: 'run', ...again.request } },
    primary: open || isSpoilt(row),
  };
}

function isSpoilt({ a, b }: ComparisonRow): boolean {
  return a?.valid === false || b?.valid === false;
}

/** Enough rounds for a claim about two settings: paired, with four degrees of freedom more than that. */
const leastRounds = 6;

/**
 * The request that measures the two sides of a row in the same rounds; `null` where that is not possible: they were asked for different
 * requests, or they are the same setting (then only something around them differs, which one run cannot have twice).
 */
export function sideBySideRequest(comparison: Comparison, row: ComparisonRow): RunRequest | null {
  const { a, b } = row;
  const [from, other] = [comparison.b.request, comparison.a.request];
  if (a === null || b === null || from === null || other === null) return null;
  if (from.load !== other.load || from.route !== other.route) return null;
  const names = [...new Set([...Object.keys(a.settings), ...Object.keys(b.settings)])];
  const settings = Object.fromEntries(names.map((name) => [name, valuesOf(name, a, b)]));
  const connections = [...new Set([a.connections, b.connections])].sort((x, y) => x - y);
  const differs = a.target !== b.target || connections.length > 1 || Object.values(settings).some((values) => values.length > 1);
  if (!differs) return null;
  return {
    targets: [...new Set([a.target, b.target])],
    settings,
    load: from.load,
    connections,
    rounds: Math.max(leastRounds, from.rounds ?? 0, comparison.sameRun ? roundsToDecide(row) : 0),
    ...(from.route === undefined ? {} : { route: from.route }),
    ...(from.durationS === undefined ? {} : { durationS: from.durationS }),
  };
}

/** As many as the row has, and as many more as would decide it; 0 where that is not known, or too many to wait for. */
function roundsToDecide({ a, b, throughput }: ComparisonRow): number {
  const more = throughput?.moreRounds ?? null;
  if (more === null) return 0;
  const had = Math.min(...[a, b].map((trial) => trial?.blocks.filter(({ valid }) => valid).length ?? 0));
  return had + more > mostRounds ? 0 : had + more;
}

function valuesOf(name: string, a: Trial, b: Trial): SettingValue[] {
  const values = [a.settings[name], b.settings[name]].filter((value) => value !== undefined);
  return [...new Set(values)];
}

/** For each event that both sides of a row recorded, the newest recording of each side: what a differential flame graph is drawn from. */
export function recordingPairs(comparison: Comparison, row: ComparisonRow): { a: string; b: string; event: string }[] {
  const [keyA, keyB] = [row.a?.key, row.b?.key];
  if (keyA === undefined || keyB === undefined) return [];
  const inA = comparison.a.recordings.filter((recording) => recording.trialKey === keyA);
  const inB = comparison.b.recordings.filter((recording) => recording.trialKey === keyB);
  const events = [...new Set(inA.flatMap((recording) => recording.events))];
  return events.flatMap((event) => {
    const [a, b] = [newestWith(inA, event), newestWith(inB, event)];
    return a === undefined || b === undefined || a.id === b.id || a.runtime !== b.runtime ? [] : [{ a: a.id, b: b.id, event }];
  });
}

function newestWith(recordings: readonly RecordingSummary[], event: RecordingSummary['events'][number]): RecordingSummary | undefined {
  return recordings.filter((recording) => recording.events.includes(event)).sort((x, y) => (x.startedAt < y.startedAt ? 1 : -1))[0];
}
