import path from 'node:path';
import { failure } from '../model/failure.ts';
import { durationPhrase, figure, wholeNumber } from '../model/format.ts';
import { listed } from '../model/listed.ts';
import type { RunRecord, RunSummary } from '../model/run.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { instanceRows, trialPhrase, trialRows } from '../engine/report/table.ts';
import { reportedVerdicts } from '../engine/report/verdicts.ts';
import { statusWord } from '../engine/report/words.ts';
import type { Command } from './arguments.ts';
import { compare } from './compareCommand.ts';
import { measure } from './measure.ts';
import { disturbanceLines, runCondition, voidCount, witnessLines } from './evidenceLines.ts';
import { exitCode } from './exitCode.ts';
import { raw } from './rawCommand.ts';
import { resolveRun } from './resolveRun.ts';
import { runFailures } from './runFailures.ts';
import type { Of, Terminal } from './terminal.ts';
import { textTable } from './textTable.ts';
import { experiment, experiments, tune } from './tuneCommand.ts';

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
    case 'tune':
      return tune(command, engine, terminal);
    case 'experiment':
      return experiment(command, engine, terminal);
    case 'experiments':
      return experiments(command, engine, terminal);
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
    case 'raw':
      return raw(command, engine, terminal);
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

async function run({ request, json }: Of<'run'>, engine: EngineClient, terminal: Terminal): Promise<number> {
  const { record, outcome } = await measure(engine, terminal, () => engine.request('run/start', request));
  const failures = runFailures(record);
  terminal.print(json ? JSON.stringify({ run: record, ...(failures.length === 0 ? {} : { failures }) }) : runText(record));
  return exitCode(record, { outcome, failures, slo: request.slo ?? record.load.slo, judged: () => record.trials }, terminal.tell);
}

/** A run as the terminal shows it: the answer, the table, what is to be said of it. */
function runText(run: RunRecord): string {
  const table = trialRows(run);
  const instances = instanceRows(run);
  const answers = run.recommendations.flatMap((answer) => [
    `${answer.targetLabel}: ${answer.headline}${answer.status === 'undecided' ? '' : ` (${statusWord[answer.status].toLowerCase()})`}.`,
    ...witnessLines(answer.witnesses),
    ...(answer.why === '' ? [] : [`  ${answer.why}`]),
    ...(answer.moreSeconds === null ? [] : [`  About ${Math.ceil(answer.moreSeconds)} s more would decide.`]),
  ]);
  const head = [run.title, durationPhrase(run.durationMs), voidCount(run.trials), runCondition(run.trials)].filter((part) => part !== '');
  const remarks = [
    ...disturbanceLines(run, run.trials),
    ...rateLines(run),
    ...run.reasons.map((reason) => `! ${reason}`),
    ...run.notes.map((note) => `· ${note}`),
    ...(run.noiseFloorPercent === null
      ? []
      : [`· Differences below about ${figure(run.noiseFloorPercent)} % are lost in this run’s noise.`]),
  ];
  return [
    '',
    head.join(' · '),
    '',
    ...answers,
    '',
    textTable(table),
    '',
    ...verdictLines(run),
    ...roleSteps(run),
    ...(instances.rows.length === 0 ? [] : [textTable(instances), '']),
    ...remarks,
    `Run ${run.id}`,
  ].join('\n');
}

/** What the fixed rate of a run says of its trials. */
function rateLines(run: RunRecord): string[] {
  const { ratePerS } = run.load;
  if (ratePerS === undefined) return [];
  const slow = run.trials.filter(({ openLoop }) => openLoop?.carried === false).map((trial) => trialPhrase(run, trial));
  return [
    `· At a fixed rate of ${figure(ratePerS)} requests/s: latency counts from the time at which each request was to be sent, and the values are compared by it.`,
    ...(slow.length === 0
      ? []
      : [`! Cannot carry ${figure(ratePerS)} requests/s: ${slow.join(', ')}. Their latency says only how long the blocks were.`]),
  ];
}

/** What limits each trial. */
function verdictLines(run: RunRecord): string[] {
  const lines = reportedVerdicts(run).flatMap(({ about, headline, doubt }) => [
    `${about}: ${doubt === '' ? headline : `${headline} ${doubt}`}`,
  ]);
  return lines.length === 0 ? [] : [...lines, ''];
}

/** What each step of the roles took, where the load had some. */
function roleSteps({ trials }: RunRecord): string[] {
  const rows = trials.flatMap(({ targetLabel, steps }) =>
    steps.map((step) => {
      const figures = [step.meanMs, step.p95Ms, step.p99Ms].map((value) => (value === null ? '–' : figure(value)));
      return { cells: [targetLabel, step.role, step.step, String(step.requests), String(step.errors), ...figures, step.problem ?? ''] };
    }),
  );
  if (rows.length === 0) return [];
  const titles = ['Target', 'Role', 'Step', 'Requests', 'Errors', 'Mean ms', 'p95 ms', 'p99 ms', ''];
  return [textTable({ columns: titles.map((title, index) => ({ title, numeric: index > 2 && index < 8 })), rows }), ''];
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
  const state = summary.state === 'complete' ? (summary.valid ? 'valid' : 'part void') : summary.state;
  return `${summary.id}  ${summary.startedAt.slice(0, 16).replace('T', ' ')}  ${state.padEnd(9)}  ${summary.title}  ${summary.headline}`;
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

async function check(command: Of<'check'>, engine: EngineClient, { print, terminal, signal }: Terminal): Promise<number> {
  const progress = engine.on('check/progress', ({ message, fraction }) =>
    terminal?.write(`\r${`${message}: ${wholeNumber(100 * fraction)} %`.slice(0, terminal.columns - 1)}\x1b[K`),
  );
  const { checks, resolution } = await engine.request('check/run', {}, signal);
  progress.dispose();
  terminal?.write('\r\x1b[K');
  const catalog = await engine.request('catalog/get', {});
  const targets = listed(catalog.targets, () => command.lab).map(({ id, label, origin, problem }) => ({ id, label, origin, problem }));
  if (command.json) {
    print(JSON.stringify({ resolution, checks, targets, problems: catalog.problems }));
  } else {
    if (resolution !== null) print(`${resolution.sentence}\n`);
    const signs = { ok: '✓', disturbed: '~', warning: '!', error: '✗' } as const;
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
