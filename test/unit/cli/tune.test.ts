import { describe, expect, it } from 'vitest';
import type { Stage } from '../../../src/model/domain/progress/stageKinds.ts';
import { parsedCommand } from '../../support/parsedCommand.ts';
import type { TuneRequest } from '../../../src/model/domain/tuning.ts';
import { judgeObjective } from '../../../src/cli/exitCode.ts';
import { tuneDocument, tuneText } from '../../../src/cli/tuneDocument.ts';
import { ProgressLine } from '../../../src/cli/measure.ts';
import { judgeSlo } from '../../../src/model/domain/judgeSlo.ts';
import { repeatCommand } from '../../../src/model/presentation/repeatCommand.ts';
import { presentedRun, runTable } from '../../../src/model/presentation/runTable.ts';
import { methodFacts, remarks } from '../../../src/model/presentation/documents/runFacts.ts';
import { type RunRecord, noErrors } from '../../../src/model/domain/run.ts';
import type { RunEvent } from '../../../src/model/protocol/runEvent.ts';
import { exampleRun, exampleTrial } from '../../support/runRecords.ts';
import { exampleAnswer, exampleTuned, exampleTuning } from '../../support/tuningRecords.ts';
import { StatusLine } from '../../../src/cli/output.ts';
import { resultOf } from '../../support/resultOf.ts';

describe('the document of a tuning', () => {
  it('has the promised members and no others', () => {
    const document = tuneDocument(exampleTuning());
    expect(Object.keys(document ?? {})).toEqual(['recommendation', 'settings', 'verdictNotes']);
    expect(document?.recommendation).toEqual({
      setting: 'pool',
      value: 8,
      status: 'confirmed',
      plausible: [8, 8],
      best: { value: 16, throughput: 8321 },
      facts: { code: 'recorded', sentence: 'Use pool size 8' },
      why: 'Use pool size 8. It is within 5 % of the best (16). A request holds its connection 1.0 ms, so 7,940 req/s keep 8 connections busy.',
    });
    expect(document?.settings.map(({ value, p99Ms, valid, reasons }) => ({ value, p99Ms, valid, reasons }))).toEqual([
      { value: 2, p99Ms: 41, valid: true, reasons: [] },
      { value: 4, p99Ms: 17.5, valid: false, reasons: ['The app died.'] },
      { value: 8, p99Ms: 9.1, valid: true, reasons: [] },
      { value: 16, p99Ms: 12, valid: true, reasons: [] },
    ]);
    expect(document?.settings[2]).toMatchObject({ throughput: { mean: 7885 }, ratioToBest: { mean: 0.95 } });
    expect(document?.settings[1]?.ratioToBest).toEqual({ mean: 4172 / 8321, ciLow: null, ciHigh: null });
  });

  it('tells what refuses a ranking first, then what is worth knowing', () => {
    expect(tuneDocument(exampleTuning([exampleAnswer({ status: 'plausible', moreSeconds: 39.2 })]))?.verdictNotes).toEqual([
      'Too few connections for pool 16.',
      'About 40 s more would decide.',
      'Other programs used 22 % of the CPU.',
      'How the values were set: live. The pool can be resized while the app runs.',
      'The run was quiet.',
    ]);
  });

  it('has no value while it cannot tell', () => {
    const undecided = exampleAnswer({
      status: 'undecided',
      values: null,
      best: null,
      facts: { code: 'recorded', sentence: 'Cannot tell yet' },
    });
    expect(tuneDocument(exampleTuning([undecided]))?.recommendation).toMatchObject({
      value: null,
      status: 'undecided',
      plausible: null,
      best: null,
    });
  });

  it('names the values of a grid together', () => {
    const grid = exampleAnswer({
      settingNames: ['pool', 'threads'],
      settingLabels: {},
      values: { pool: 8, threads: 16 },
      best: { values: { pool: 16, threads: 16 }, throughput: 8321 },
      settings: [exampleTuned(8, 7885, 0.95, { values: { pool: 8, threads: 16 } })],
    });
    const document = tuneDocument(exampleTuning([grid]));
    expect(document?.recommendation).toMatchObject({
      setting: 'pool,threads',
      value: { pool: 8, threads: 16 },
      plausible: null,
      best: { value: { pool: 16, threads: 16 } },
    });
    expect(document?.settings[0]?.value).toEqual({ pool: 8, threads: 16 });
  });

  it('of several targets has each of them, and the first one at the top', () => {
    const document = tuneDocument(
      exampleTuning([exampleAnswer(), exampleAnswer({ target: 'node', targetLabel: 'Node', values: { pool: 2 } })]),
    );
    expect(document?.recommendation.value).toBe(8);
    expect(document?.targets?.map(({ target, recommendation }) => [target, recommendation.value])).toEqual([
      ['java', 8],
      ['node', 2],
    ]);
  });

  it('is valid JSON whatever could not be computed', () => {
    const document = tuneDocument(exampleTuning([exampleAnswer({ best: null })]));
    expect(JSON.parse(JSON.stringify(document))).toMatchObject({
      settings: [{}, { ratioToBest: { mean: null, ciLow: null, ciHigh: null } }, {}, {}],
    });
  });

  it('is none for a run that tuned nothing', () => {
    expect(tuneDocument(exampleRun())).toBeNull();
  });
});

describe('a tuning on a terminal', () => {
  const lines = tuneText(exampleTuning()).split('\n');

  it('begins with the answer in words, its status and its reasons', () => {
    expect(lines.slice(1, 5)).toEqual([
      'Pool size, Java and Node · 1 min 51 s · Decided after 6 rounds',
      '',
      'Java: Use pool size 8 (proven)',
      'It is within 5 % of the best (16). A request holds its connection 1.0 ms, so 7,940 req/s keep 8 connections busy.',
    ]);
  });

  it('gives the next step as the command to type, and says once how long it takes', () => {
    const open = tuneText(exampleTuning([exampleAnswer({ status: 'plausible', moreSeconds: 39.2 })]));
    const [, command = ''] = /^→ Run 40 s more: benchside (.+)$/m.exec(open) ?? [];
    const asked = parsedCommand(command.split(' '));
    expect(asked).toMatchObject({ name: 'tune', request: { targets: ['java'] } });
    expect((asked['request'] as TuneRequest).budgetS).toBeGreaterThanOrEqual(120 + 39);
    expect(open).not.toContain('more would decide');
    expect(lines.some((line) => line.startsWith('→ Run'))).toBe(false);
  });

  it('shows every value with interval, share of the best, p99 at the open rate and prediction', () => {
    const row = (start: RegExp): string =>
      lines
        .find((line) => start.test(line))
        ?.replace(/ {2,}/g, ' | ')
        .trim() ?? '';
    const titles = row(/Pool size +req/).split(' | ');
    const cells = (start: RegExp, ...wanted: string[]): (string | undefined)[] => {
      const found = row(start).split(' | ');
      return wanted.map((title) => found[titles.indexOf(title)]);
    };
    const [rate, share] = ['p99 ms at 6,000/s', 'of best'];
    expect(cells(/^Java +2 /, 'req/s', '95 % interval', share, rate, 'predicted', 'blocks')).toEqual([
      ...['2,012', '1,992 – 2,032', '24 % (24 – 24)', '–', '2,000', '6'],
    ]);
    expect(cells(/^Java +4 /, share, 'blocks', 'notes')).toEqual(['–', '6', 'not valid']);
    expect(cells(/^Java +8 /, rate, 'predicted', 'blocks', 'notes')).toEqual(['9.10', '–', '6', 'recommended']);
    expect(cells(/^Java +16 /, rate, 'blocks', 'notes')).toEqual(['too much', '6', 'best']);
  });

  it('says of one that was cancelled after how many rounds, once', () => {
    const tuning = exampleTuning();
    const stage: Stage = { code: 'cancelled', rounds: 1 };
    const cancelled: RunRecord = {
      ...tuning,
      state: 'cancelled',
      notes: [{ code: 'cancelled', rounds: 1, of: null }, ...tuning.notes],
      result: { ...resultOf(tuning, 'tune'), stage },
    };
    const text = tuneText(cancelled);
    expect(text.split('\n')[1]).toBe('Pool size, Java and Node · 1 min 51 s · Cancelled after 1 round');
    expect(text.match(/cancelled/gi)).toHaveLength(1);
    expect(text).toContain('· The run was quiet.');
    expect(tuneDocument(cancelled)?.verdictNotes).toContain('Cancelled after 1 round.');
  });

  it('says what stands against it, where the value is set, and which run it was', () => {
    expect(lines).toContain('! pool 4: The app died.');
    expect(lines).toContain('! Too few connections for pool 16.');
    expect(lines).toContain('· Other programs used 22 % of the CPU.');
    expect(lines).toContain('→ Environment variable DB_POOL_SIZE=8. Its default stands in /srv/benchside.json:12.');
    expect(lines.at(-1)).toMatch(/^Run [a-z0-9]+-[a-f0-9]{24}$/);
  });
});

describe('the progress of a tuning', () => {
  const round = (of: number): Stage => ({
    code: 'round',
    round: { code: 'search', target: null, round: of, values: null, count: 3, best: false },
    name: null,
    route: null,
  });
  const tuning = (of: number, spentS: number, sentence: string): RunEvent => ({
    type: 'tuning',
    runId: 'r',
    doing: round(of),
    spentS,
    budgetS: 120,
    answers: [exampleAnswer({ facts: { code: 'recorded', sentence }, status: 'plausible' })],
  });

  it('is a line for whatever is new where there is no terminal', () => {
    const told: string[] = [];
    const progress = new ProgressLine(null, (text) => told.push(text));
    progress.show(tuning(1, 12, 'Use 8'));
    progress.show(tuning(1, 16.2, 'Use 8'));
    progress.show(tuning(2, 20, 'Use 4'));
    expect(told).toEqual([
      'Round 1: all 3 values · Java: Use 8 (likely) · 12 of 120 s',
      'Round 2: all 3 values · Java: Use 4 (likely) · 20 of 120 s',
    ]);
  });

  it('stays on the terminal while one block after the other is measured', () => {
    let shown = '';
    const terminal = { columns: 200, write: (text: string) => ((shown = text), true) };
    const progress = new ProgressLine(new StatusLine(terminal), () => undefined);
    progress.show(tuning(1, 12, 'Use 8'));
    progress.show({
      type: 'phase',
      runId: 'r',
      phase: 'measure',
      doing: round(2),
      step: 1,
      steps: 2,
      elapsedMs: 1,
      remainingMs: null,
    });
    progress.show({
      type: 'tick',
      runId: 'r',
      tick: { timeMs: 1, windowMs: 500, trialKey: 'k', stage: 'measure', throughput: 900, p50Ms: 1, p99Ms: 2, errors: 0 },
    });
    expect(shown).toContain('12 of 120 s · Round 1: all 3 values · Java: Use 8 (likely) · 900 req/s, p99 2.00 ms');
    progress.show({
      type: 'phase',
      runId: 'r',
      phase: 'stop',
      doing: { code: 'stopping' },
      step: 2,
      steps: 2,
      elapsedMs: 1,
      remainingMs: null,
    });
    expect(shown).toContain('[2/2] Stopping the targets');
  });
});

describe('an objective on the command line', () => {
  const judge = (trials: ReturnType<typeof exampleTrial>[]): { code: number; told: string[] } => {
    const told: string[] = [];
    const code = judgeObjective({ p99Ms: 20, errorShare: 0.001 }, exampleRun({ trials }), trials, (text) => told.push(text));
    return { code, told };
  };

  it('that is met exits with 0 and says so', () => {
    expect(judge([exampleTrial()])).toEqual({ code: 0, told: ['Objective met: p99 ≤ 20 ms, errors ≤ 0.1 %.'] });
  });

  it('that a trial misses exits with 3 and says which trial, and by what', () => {
    const { code, told } = judge([exampleTrial(), exampleTrial({ settings: { pool: 2 }, p99Ms: 41 })]);
    expect(code).toBe(3);
    expect(told).toEqual(['Objective missed by Java · pool 2: p99 41.0 ms (limit ≤ 20 ms).']);
  });

  it('that no valid trial could be judged by exits with 1: it was not shown to hold', () => {
    const { code, told } = judge([exampleTrial({ valid: false })]);
    expect(code).toBe(1);
    expect(told.join(' ')).toMatch(/not judged for Java.*not shown that the objective holds/);
    expect(judge([]).code).toBe(1);
  });

  it('that some trials could not be judged by is met by the others, and says so', () => {
    const { code, told } = judge([exampleTrial(), exampleTrial({ settings: { pool: 2 }, valid: false })]);
    expect(code).toBe(0);
    expect(told.at(-1)).toBe('Objective met by 1 of 2 trials: p99 ≤ 20 ms, errors ≤ 0.1 %.');
  });

  it('is missed by requests that failed, even though such a trial is not valid', () => {
    expect(judge([{ ...exampleTrial({ valid: false }), errors: { ...noErrors, total: 9000, status5xx: 9000 } }]).code).toBe(3);
  });
});

describe('what a report says of it', () => {
  const words = (command: string): string[] => (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", '')).slice(1);

  it('is the command that asks for the same tuning again', () => {
    const run = exampleTuning();
    const request = {
      ...resultOf(run, 'tune').request,
      route: '/wait?ms=20',
      connections: 64,
      mode: 'live',
      confirm: true,
      topology: { proxy: null, cpuShare: 0.5, totalConnections: 40 },
      slo: { p99Ms: 50, errorShare: 0.001 },
      seed: 7,
    };
    const repeated = parsedCommand(words(repeatCommand({ ...run, result: { ...run.result, request } } as RunRecord)));
    expect(repeated).toMatchObject({ name: 'tune', request });
  });

  it('is the objective, and which trial missed it', () => {
    const trials = [
      exampleTrial({ settings: { pool: 2 } }),
      exampleTrial({ settings: { pool: 4 }, p99Ms: 41 }),
      exampleTrial({ settings: { pool: 8 }, valid: false }),
    ];
    const slo = { p99Ms: 20 };
    const judged = trials.map((trial) => ({ ...trial, slo: judgeSlo(slo, trial) }));
    const run = exampleRun({ trials: judged, request: { ...exampleRun().request, slo } });
    expect(
      runTable(presentedRun(run))
        .columns.map(({ title }) => title)
        .slice(-2),
    ).toEqual(['objective', 'notes']);
    expect(runTable(presentedRun(run)).rows.map(({ cells }) => cells.at(-2)?.text)).toEqual(['met', 'missed', 'not judged']);
    expect(remarks(run)).toContainEqual({
      look: 'problem',
      about: 'Java · pool 4',
      text: 'The objective was missed: p99 41.0 ms (limit ≤ 20 ms).',
    });
    expect(methodFacts(run)).toContainEqual(['Objective', 'p99 ≤ 20 ms']);
    expect(parsedCommand(words(repeatCommand(run)))).toMatchObject({ name: 'run', request: { slo } });
    expect(runTable(presentedRun(exampleRun())).columns.map(({ title }) => title)).not.toContain('objective');
  });
});
