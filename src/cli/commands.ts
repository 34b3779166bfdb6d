import path from 'node:path';
import { failure } from '../model/failure.ts';
import { durationPhrase, figure, wholeNumber } from '../model/format.ts';
import type { RunRecord, RunSummary } from '../model/run.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { trialRows } from '../engine/report/table.ts';
import type { Command } from './arguments.ts';
import { ProgressLine } from './progressLine.ts';
import { textTable } from './textTable.ts';

/** Where a command's words go. `print` is standard output, `tell` standard error. */
export interface Terminal {
  signal: AbortSignal;
  print: (text: string) => void;
  tell: (text: string) => void;
  terminal: { columns: number; write(text: string): boolean } | null;
  write: (file: string, text: string) => void;
}

type Of<N extends Command['name']> = Extract<Command, { name: N }>;

/** Carries out a command and gives the exit code. */
export async function runCommand(
  command: Exclude<Command, { name: 'help' | 'version' | 'flamegraph' }>,
  engine: EngineClient,
  terminal: Terminal,
): Promise<number> {
  switch (command.name) {
    case 'run':
      return run(command, engine, terminal);
    case 'runs':
      return runs(command, engine, terminal);
    case 'compare':
      return compare(command, engine, terminal);
    case 'report':
      return report(command, engine, terminal);
    case 'delete': {
      const id = await resolveRun(engine, command.run);
      await engine.request('runs/delete', { id });
      if (command.json) terminal.print(JSON.stringify({ deleted: id }));
      else terminal.tell(`Deleted ${id}.`);
      return 0;
    }
    case 'check':
      return check(command, engine, terminal);
    case 'stop': {
      const { stopped, reaped } = await engine.request('engine/stopEverything', {});
      if (command.json) terminal.print(JSON.stringify({ stopped, reaped }));
      else terminal.print(stopped + reaped === 0 ? 'Nothing was left running.' : `Ended ${stopped + reaped} processes.`);
      return 0;
    }
  }
}

async function run(command: Of<'run'>, engine: EngineClient, { signal, print, tell, terminal }: Terminal): Promise<number> {
  const progress = new ProgressLine(terminal, tell);
  const subscription = engine.on('run/event', (event) => progress.show(event));
  try {
    // A first interrupt cancels the run, and what was measured in whole rounds is kept.
    const cancel = (): void => void engine.request('run/cancel', {}).catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    const outcome = signal.aborted ? null : await engine.request('run/start', command.request);
    progress.clear();
    if (outcome?.stored !== true)
      throw failure('cancelled', 'Cancelled. No whole round had been measured, so nothing was stored.', 'Run it again when you are ready.');
    const { run: record } = await engine.request('runs/get', { id: outcome.runId });
    if (command.json) print(JSON.stringify({ run: record }));
    else print(runText(record));
    return outcome.outcome === 'complete' ? 0 : 1;
  } finally {
    progress.clear();
    subscription.dispose();
  }
}

/** A run as the terminal shows it: the answer, the table, what is to be said of it. */
function runText(run: RunRecord): string {
  const table = trialRows(run);
  const answers = run.recommendations.map((answer) => `${answer.targetLabel}: ${answer.headline} (${answer.status}). ${answer.why}`);
  const remarks = [
    ...run.reasons.map((reason) => `! ${reason}`),
    ...run.notes.map((note) => `· ${note}`),
    ...(run.noiseFloorPercent === null
      ? []
      : [`· Differences below about ${figure(run.noiseFloorPercent)} % are lost in this run’s noise.`]),
  ];
  return [
    '',
    `${run.title} · ${durationPhrase(run.durationMs)} · ${run.valid ? 'valid' : 'not valid'}`,
    '',
    ...answers,
    '',
    textTable(table),
    '',
    ...remarks,
    `Run ${run.id}`,
  ].join('\n');
}

async function runs(command: Of<'runs'>, engine: EngineClient, { print }: Terminal): Promise<number> {
  const { runs: list } = await engine.request('runs/list', {});
  if (command.json) {
    print(JSON.stringify({ runs: list }));
    return 0;
  }
  if (list.length === 0) print('There are no runs in this folder yet. Start one with “benchside run --target node”.');
  for (const summary of list) print(summaryLine(summary));
  return 0;
}

function summaryLine(summary: RunSummary): string {
  if (summary.kind === 'unreadable') return `${summary.id}  ${summary.problem}: ${summary.reason}`;
  const state = summary.state === 'complete' ? (summary.valid ? 'valid' : 'not valid') : summary.state;
  return `${summary.id}  ${summary.startedAt.slice(0, 16).replace('T', ' ')}  ${state.padEnd(9)}  ${summary.title}  ${summary.headline}`;
}

async function compare(command: Of<'compare'>, engine: EngineClient, { print }: Terminal): Promise<number> {
  const [a, b] = [await resolveRun(engine, command.a), await resolveRun(engine, command.b)];
  const comparison = await engine.request('runs/compare', { a, b });
  if (command.json) {
    print(JSON.stringify({ comparison }));
    return 0;
  }
  const ratio = (value: number | null): string =>
    value === null ? '–' : `${(value - 1) * 100 >= 0 ? '+' : '−'}${Math.abs((value - 1) * 100).toFixed(1)} %`;
  const numeric = (title: string): { title: string; numeric: boolean; muted: boolean } => ({ title, numeric: true, muted: false });
  print(`A: ${comparison.a.title} (${comparison.a.startedAt})\nB: ${comparison.b.title} (${comparison.b.startedAt})\n`);
  for (const difference of comparison.differences)
    print(`${difference.severity === 'warning' ? '!' : '·'} ${difference.what}: ${difference.a} → ${difference.b}`);
  print(
    textTable({
      columns: [
        { title: 'Trial', numeric: false, muted: false },
        ...['req/s A', 'req/s B', 'change', 'p99 ms A', 'p99 ms B', 'change', 'CPU µs/req'].map(numeric),
      ],
      rows: comparison.rows.map((row) => ({
        trialKey: row.label,
        target: row.label,
        valid: row.a?.valid !== false && row.b?.valid !== false,
        recommended: false,
        cells: [
          row.label,
          row.a === null ? '–' : wholeNumber(row.a.throughput.mean),
          row.b === null ? '–' : wholeNumber(row.b.throughput.mean),
          ratio(row.throughputRatio),
          row.a?.latencyMs == null ? '–' : figure(row.a.latencyMs.p99),
          row.b?.latencyMs == null ? '–' : figure(row.b.latencyMs.p99),
          ratio(row.p99Ratio),
          ratio(row.cpuPerRequestRatio),
        ],
      })),
    }),
  );
  return 0;
}

async function report(command: Of<'report'>, engine: EngineClient, { print, tell, write }: Terminal): Promise<number> {
  const id = await resolveRun(engine, command.run);
  const { text } = await engine.request('runs/report', { id, format: command.format });
  if (command.output === null) {
    print(command.json ? JSON.stringify({ report: { run: id, format: command.format, text } }) : text);
    return 0;
  }
  const file = path.resolve(command.output);
  try {
    write(file, text);
  } catch (error) {
    throw failure(
      'report-not-written',
      `The report could not be written to ${file}: ${error instanceof Error ? error.message : String(error)}.`,
      'Name a file in a folder that exists and that you may write.',
    );
  }
  if (command.json) print(JSON.stringify({ report: { run: id, file, format: command.format } }));
  else tell(`Report written to ${file}`);
  return 0;
}

async function check(command: Of<'check'>, engine: EngineClient, { print }: Terminal): Promise<number> {
  const { checks } = await engine.request('check/run', {});
  const catalog = await engine.request('catalog/get', {});
  const targets = catalog.targets.map(({ id, label, origin, problem }) => ({ id, label, origin, problem }));
  if (command.json) {
    print(JSON.stringify({ checks, targets, problems: catalog.problems }));
  } else {
    const signs = { ok: '✓', warning: '!', error: '✗' } as const;
    for (const one of checks) print(`${signs[one.status]} ${one.label}: ${one.message}${one.cure === null ? '' : ` ${one.cure}`}`);
    print('\nTargets');
    for (const target of targets)
      print(
        target.problem === null
          ? `✓ ${target.id} (${target.label})`
          : `✗ ${target.id} (${target.label}): ${target.problem.message} ${target.problem.cure}`,
      );
    for (const problem of catalog.problems) print(`✗ ${problem.message} ${problem.cure}`);
  }
  return checks.some((one) => one.status === 'error') || catalog.problems.length > 0 ? 1 : 0;
}

/** A run by its id, the beginning of it, or as "last" or "previous". */
async function resolveRun(engine: EngineClient, reference: string): Promise<string> {
  const { runs: list } = await engine.request('runs/list', {});
  const readable = list.filter((one) => one.kind === 'run');
  const byWord = reference === 'last' ? readable[0] : reference === 'previous' ? readable[1] : undefined;
  const matches = byWord === undefined ? list.filter((one) => one.id.startsWith(reference)) : [byWord];
  const [match] = matches;
  if (match === undefined) throw failure('run-not-found', `There is no run “${reference}” in this folder.`, 'See “benchside runs”.');
  if (matches.length > 1)
    throw failure(
      'run-not-found',
      `“${reference}” is the beginning of ${matches.length} runs.`,
      'Give more of the id; see “benchside runs”.',
    );
  return match.id;
}
