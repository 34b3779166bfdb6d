import { existsSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../model/domain/failure.ts';
import { settingsPhrase } from '../model/domain/format.ts';
import type { RunRecord, Trial } from '../model/domain/run.ts';
import { tunedAnswers } from '../model/domain/runResult.ts';
import type { SavedRequest, TuneRequest } from '../model/domain/tuning.ts';
import { asTuneRequest, readSavedRequest } from '../engine/run/tuning/savedRequestFiles.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { measure } from './measure.ts';
import { repeatExperiments, experimentIds, experimentLines } from './experimentCommand.ts';
import { exitCode, runFailures } from './exitCode.ts';
import { withTargets } from './meantTarget.ts';
import type { EngineCommand } from './command.ts';
import type { experimentCommand, tuneCommand } from './measuredOptions.ts';
import type { Terminal } from './terminal.ts';
import { tuneDocument, tuneText } from './tuneDocument.ts';
import { wrong } from './values.ts';

/** `benchside tune`. */
export const tune: EngineCommand<typeof tuneCommand> = async (given, engine, terminal) => {
  const { saveAs, json } = given;
  const request = await withTargets(given, engine, terminal);
  if (saveAs !== null) {
    const { file } = await engine.request('savedRequests/save', { savedRequest: { ...request, name: saveAs, description: '' } });
    terminal.tell(`Saved as ${file}`);
  }
  return executeStrategy(request, json, engine, terminal);
};

/** `benchside experiment NAME|FILE`, also with the id of a published experiment. */
export const experiment: EngineCommand<typeof experimentCommand> = async (
  { experiment: name, workspace, full, soakS, keep, json },
  engine,
  terminal,
) => {
  if (name === null) return listExperiments(json, engine, terminal);
  const experiments = await experimentIds(name, engine);
  if (experiments.length > 0) {
    const { generator, ...kept } = keep;
    if (generator !== undefined) throw wrong('Published experiments are repeated with Benchside’s own generator: leave out --generator.');
    return repeatExperiments(experiments, { full, soakS, keep: kept, json }, engine, terminal);
  }
  if (full || soakS !== null) throw wrong(`--${full ? 'full' : 'soak'} is for published experiments only.`);
  return executeStrategy({ ...(await experimentRequest(name, workspace, engine)), ...keep }, json, engine, terminal);
};

/** `benchside experiment --list`. */
async function listExperiments(asJson: boolean, engine: EngineClient, { print, json }: Terminal): Promise<number> {
  const { savedRequests: list, problems } = await engine.request('savedRequests/list', {});
  const published = await engine.request('experiments/list', {});
  problems.push(...published.problems);
  if (asJson) {
    json({ experiments: list, published: published.experiments, problems });
  } else {
    print('Published experiments, repeated on this machine');
    for (const line of experimentLines(published.experiments)) print(line);
    print('\nSaved tunings');
    for (const one of list) print(`${one.name.padEnd(24)}  ${one.description === '' ? what(one) : one.description} (${one.origin})`);
    if (list.length === 0) print('There are no saved tunings. Save one with “benchside tune … --save NAME”.');
    for (const problem of problems) print(`✗ ${problem.message} ${problem.cure}`);
  }
  return problems.length > 0 ? 1 : 0;
}

function what({ targets, settings }: SavedRequest): string {
  return `${targets.join(', ')}: ${Object.entries(settings)
    .map(([name, values]) => `${name} ${values.join(', ')}`)
    .join('; ')}`;
}

/** What an experiment asks for, by its name or file. */
export async function experimentRequest(name: string, workspace: string, engine: EngineClient): Promise<TuneRequest> {
  return asTuneRequest(await findExperiment(name, workspace, engine));
}

/** A file where a path or a `.json` is meant; else one of those that are listed. */
async function findExperiment(name: string, workspace: string, engine: EngineClient): Promise<SavedRequest> {
  if (/[/\\]|\.json$/i.test(name)) {
    const file = path.resolve(name);
    if (!existsSync(file)) throw wrong(`There is no file ${file}.`);
    return readSavedRequest(file);
  }
  const { savedRequests: list, problems } = await engine.request('savedRequests/list', {});
  const found = list.find((one) => one.name === name);
  if (found !== undefined) {
    const { origin: _origin, ...request } = found;
    return request;
  }
  const broken = problems[0];
  throw failure(
    'experiment-unknown',
    `There is no experiment “${name}” here (${path.resolve(workspace)}).${broken === undefined ? '' : ` ${broken.message}`}`,
    broken?.cure ?? `Choose one of: ${list.map((one) => one.name).join(', ')}; or name a file.`,
  );
}

async function executeStrategy(request: TuneRequest, json: boolean, engine: EngineClient, terminal: Terminal): Promise<number> {
  const { record, outcome } = await measure(engine, terminal, { kind: 'tune', ...request });
  const document = tuneDocument(record);
  if (document === null)
    throw failure(
      'tuning-without-answer',
      'The tuning ended without an answer.',
      'Run it again, and look at its log when it happens again.',
      record.id,
    );
  if (json) {
    terminal.json(document);
    terminal.tell(`Run ${record.id}`);
  } else {
    terminal.print(tuneText(record));
  }
  const judged = (): Trial[] => recommendedTrials(record, terminal.tell);
  return exitCode(record, { outcome, failures: runFailures(record), slo: request.slo ?? record.load.slo, judged }, terminal.tell);
}

/** The trials that an objective is judged by: those of the recommended settings. */
function recommendedTrials(record: RunRecord, tell: (text: string) => void): Trial[] {
  return tunedAnswers(record).flatMap((answer) => {
    const { values } = answer;
    if (values === null) {
      tell(`${answer.targetLabel}: there is no recommended setting whose figures could be judged.`);
      return [];
    }
    const phrase = settingsPhrase(values);
    const key = answer.settings.find((one) => settingsPhrase(one.values) === phrase)?.trialKey;
    return record.trials.filter((trial) => trial.key === key);
  });
}
