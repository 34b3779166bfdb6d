import { wordedRun } from './wordedRun.ts';
import path from 'node:path';
import { failure } from '../model/domain/failure.ts';
import { wholeNumber } from '../model/domain/format.ts';
import { advicePhrase } from '../model/domain/adviceRecord.ts';
import { listed } from '../model/protocol/listed.ts';
import type { ReportFormat } from '../model/protocol/protocol.ts';
import type { RunSummary } from '../model/domain/run.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import type { Command } from './arguments.ts';
import { advise } from './adviseCommand.ts';
import { databases } from './databasesCommand.ts';
import { baseline } from './baselineCommand.ts';
import { bisect } from './bisectCommand.ts';
import { checkRoutes } from './checkRoutesCommand.ts';
import { compare } from './compareCommand.ts';
import { init } from './initCommand.ts';
import { diff } from './diffCommand.ts';
import { k6 } from './k6Command.ts';
import { measure } from './measure.ts';
import { predictElsewhere } from './predictCommand.ts';
import { prometheus } from './prometheusCommand.ts';
import { withTarget, withTargets } from './meantTarget.ts';
import { exitCode } from './exitCode.ts';
import { raw } from './rawCommand.ts';
import { resolveStored } from './resolveRun.ts';
import { failuresField, runFailures } from './runFailures.ts';
import { runText } from './runText.ts';
import { leak, startup } from './serviceCommands.ts';
import type { Of, Terminal } from './terminal.ts';
import { experiment, experiments, tune } from './tuneCommand.ts';
import { traffic } from './trafficCommand.ts';
import { onOneLine } from '../model/domain/plainText.ts';

/** Carries out a command and gives the exit code. */
export async function runCommand(
  command: Exclude<Command, { name: 'say' | 'flamegraph' | 'mcp' }>,
  engine: EngineClient,
  terminal: Terminal,
): Promise<number> {
  switch (command.name) {
    case 'run':
      return run({ ...command, request: await withTargets(command, engine, terminal) }, engine, terminal);
    case 'runs':
      return runs(command, engine, terminal);
    case 'tune':
      return tune({ ...command, request: await withTargets(command, engine, terminal) }, engine, terminal);
    case 'experiment':
      return experiment(command, engine, terminal);
    case 'experiments':
      return experiments(command, engine, terminal);
    case 'compare':
      return compare(command, engine, terminal);
    case 'report':
      return report(command, engine, terminal);
    case 'prometheus':
      return prometheus(command, engine, terminal);
    case 'delete': {
      const { kind, id } = await resolveStored(engine, command.run);
      await engine.request(kind === 'advice' ? 'advice/delete' : 'runs/delete', { id });
      if (command.json) terminal.json({ deleted: id });
      else terminal.tell(`Deleted ${id}.`);
      return 0;
    }
    case 'raw':
      return raw(command, engine, terminal);
    case 'k6':
      return k6(command, engine, terminal);
    case 'databases':
      return databases(command, engine, terminal);
    case 'check':
      return check(command, engine, terminal);
    case 'check-routes':
      return checkRoutes(command, engine, terminal);
    case 'diff':
      return diff({ ...command, request: await withTarget(command, engine, terminal) }, engine, terminal);
    case 'advise':
      return advise(command, engine, terminal);
    case 'leak':
      return leak(command, engine, terminal);
    case 'startup':
      return startup(command, engine, terminal);
    case 'predict':
      return predictElsewhere(command, engine, terminal);
    case 'bisect':
      return bisect({ ...command, request: await withTarget(command, engine, terminal) }, engine, terminal);
    case 'baseline':
      return baseline(command, engine, terminal);
    case 'init':
      return init(command, engine, terminal);
    case 'traffic':
      return traffic(command, engine, terminal);
    case 'stop': {
      const { stopped, reaped } = await engine.request('engine/stopEverything', {});
      if (command.json) terminal.json({ stopped, reaped });
      else terminal.print(stopped + reaped === 0 ? 'Nothing was left running.' : `Ended ${stopped + reaped} processes.`);
      return 0;
    }
  }
}

async function run({ request, json }: Of<'run'>, engine: EngineClient, terminal: Terminal): Promise<number> {
  const { record, outcome } = await measure(engine, terminal, { kind: 'run', ...request });
  const failures = runFailures(record);
  if (json) terminal.json({ run: wordedRun(record), ...failuresField(failures) });
  else terminal.print(runText(record));
  return exitCode(record, { outcome, failures, slo: request.slo ?? record.load.slo, judged: () => record.trials }, terminal.tell);
}

async function runs(command: Of<'runs'>, engine: EngineClient, { print, json }: Terminal): Promise<number> {
  const { runs: list } = await engine.request('runs/list', {});
  const { advice } = await engine.request('advice/list', {});
  if (command.json) {
    json({ runs: list, advice });
    return 0;
  }
  if (list.length === 0)
    print('There are no runs in this folder yet. Start one with “benchside run”, or of a sample with “benchside run --target node”.');
  for (const summary of list) print(summaryLine(summary));
  if (advice.length > 0) print('\nWhat would help');
  for (const one of advice) print(onOneLine(`${one.id}  ${minuteOf(one)}  ${advicePhrase(one)}`));
  return 0;
}

function summaryLine(summary: RunSummary): string {
  if (summary.kind === 'unreadable') return onOneLine(`${summary.id}  ${summary.problem}: ${summary.reason}`);
  const state = summary.state === 'complete' ? (summary.valid ? 'valid' : 'partly discarded') : summary.state;
  return onOneLine(`${summary.id}  ${minuteOf(summary)}  ${state.padEnd(9)}  ${summary.title}  ${summary.headline}`);
}

function minuteOf({ startedAt }: { startedAt: string }): string {
  return startedAt.slice(0, 16).replace('T', ' ');
}

async function report(command: Of<'report'>, engine: EngineClient, { json, document, tell, write }: Terminal): Promise<number> {
  const { kind, id } = await resolveStored(engine, command.run);
  const { text } =
    kind === 'advice'
      ? await engine.request('advice/report', { id, format: adviceFormat(command.format) })
      : await engine.request('runs/report', { id, format: command.format });
  if (command.output === null) {
    if (command.json) json({ report: { run: id, format: command.format, text } });
    else await document(`${text}\n`);
    return 0;
  }
  const file = path.resolve(command.output);
  try {
    write(file, text);
  } catch (error) {
    throw failure(
      'report-not-written',
      `The report could not be written to ${file}: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  if (command.json) json({ report: { run: id, file, format: command.format } });
  else tell(`Report written to ${file}`);
  return 0;
}

function adviceFormat(format: ReportFormat): Exclude<ReportFormat, 'csv'> {
  if (format !== 'csv') return format;
  throw failure('usage', 'An advice is no CSV file.', 'Export one of its runs, which have the figures, or name html or markdown.');
}

async function check(command: Of<'check'>, engine: EngineClient, { print, json, line, signal }: Terminal): Promise<number> {
  const progress = engine.on('check/progress', ({ message, fraction }) => line?.show(`${message}: ${wholeNumber(100 * fraction)} %`));
  const { checks, resolution } = await engine.request('check/run', {}, signal);
  progress.dispose();
  line?.clear();
  const catalog = await engine.request('catalog/get', {});
  const targets = listed(catalog.targets, () => command.lab).map(({ id, label, origin, problem }) => ({ id, label, origin, problem }));
  if (command.json) {
    json({ resolution, checks, targets, problems: catalog.problems });
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
