import type { Item } from './document.ts';
import { findingTexts, isSame } from '../../domain/findings.ts';
import { explanationOf, headlineOf } from '../../domain/diagnosis.ts';
import { limitNames } from '../../domain/diagnosisKind.ts';
import { bytesPhrase, durationPhrase, figure } from '../../domain/format.ts';
import { grouped } from '../../domain/grouped.ts';
import { modeText } from '../../domain/modeReason.ts';
import { errorsPhrase } from '../../domain/requestErrors.ts';
import type { RunRecord } from '../../domain/run.ts';
import type { StatementUse } from '../../domain/statement.ts';
import { wordedFigure } from '../../domain/verdict/evidence.ts';
import { type NextAction, actionText } from '../../domain/verdict/nextActions.ts';
import { verdictText } from '../../domain/verdict/verdictKinds.ts';
import { noteTexts } from '../runNotes.ts';
import { listedOptions } from '../runOptionText.ts';
import { sloPhrase } from '../../domain/sloText.ts';
import { topologyPhrase } from '../../domain/topologyText.ts';
import { missedPhrase } from '../../domain/judgeSlo.ts';
import { trialPhrase } from '../settingWords.ts';

/** "2025-06-02 14:02 UTC" */
export function timePhrase(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Everything that must be known before the figures are believed: problems first, then notes. Blocks that were left out are named. */
export function remarks(run: RunRecord): Item[] {
  const found: Item[] = [];
  const add = (look: Item['look'], about: string, texts: readonly string[]): void => {
    for (const text of texts)
      if (!found.some((remark) => remark.about === about && remark.text === text)) found.push({ look, about, text });
  };
  if (run.failure !== null) add('problem', 'The run', [`${run.failure.message} ${run.failure.cure}`]);
  // The reasons of a trial are listed with the trial.
  add('problem', 'The run', findingTexts(run.reasons.filter(({ about }) => about === undefined)));
  for (const trial of run.trials) {
    const about = trialPhrase(run, trial);
    const reasons = !trial.valid && trial.reasons.length === 0 ? ['not valid; no reason was recorded'] : findingTexts(trial.reasons);
    add('problem', about, reasons);
    if (trial.slo?.passed === false) add('problem', about, [`The objective was missed: ${missedPhrase(trial.slo)}.`]);
    for (const block of trial.blocks)
      if (!block.valid)
        add(
          trial.valid ? 'note' : 'problem',
          `${about}, round ${block.round}`,
          findingTexts(block.reasons.filter((reason) => trial.valid || !trial.reasons.some((said) => isSame(said, reason)))),
        );
    const errors = errorsPhrase(trial.errors);
    if (errors !== '') add('note', about, [`Errors: ${errors}.`]);
    // Where the trial says itself how its warm-up ended, that says more.
    if (trial.valid && trial.warmUp?.steady === false && !trial.notes.some(({ code }) => code === 'unsteady'))
      add('note', about, [`Not steady after ${durationPhrase(trial.warmUp.durationMs)} of warm-up.`]);
    add('note', about, findingTexts(trial.notes));
  }
  add('note', 'The run', noteTexts(run.notes));
  const all = (look: Item['look']): Item[] => found.filter((remark) => remark.look === look);
  return [...all('problem'), ...together(all('note'), run.trials.length)];
}

/** What is true of every trial is written once. */
function together(notes: readonly Item[], trials: number): Item[] {
  const count = (text: string): number => notes.filter((note) => note.text === text).length;
  const everywhere = new Set(notes.map((note) => note.text).filter((text) => trials > 1 && count(text) === trials));
  return [
    ...[...everywhere].map((text): Item => ({ look: 'note', about: 'All trials', text })),
    ...notes.filter((note) => !everywhere.has(note.text)),
  ];
}

/** The environment as names and values, in the order of a report. */
export function environmentFacts(run: RunRecord): [string, string][] {
  const { environment: e } = run;
  const facts: [string, string | null][] = [
    ['CPU', `${e.cpuModel}, ${e.cores} cores`],
    ['Memory', bytesPhrase(e.memoryBytes)],
    ['Platform', `${e.platform}, kernel ${e.kernel}`],
    ['Virtualisation', e.virtualised],
    ['Node', e.node],
    ['Java', e.java],
    ['PostgreSQL', e.postgres],
    [
      'PostgreSQL settings',
      Object.entries(e.postgresSettings)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ') || null,
    ],
    ['Load generator', e.generator ?? null],
    ['Benchside', `${e.benchside}, samples ${e.samples}`],
    ['Git', e.git === null ? null : `${e.git.commit.slice(0, 12)}${e.git.dirty ? ', with uncommitted changes' : ''}`],
    ['Load average before', e.loadAverageBefore.map((value) => value.toFixed(2)).join(', ')],
    ['Load average after', e.loadAverageAfter?.map((value) => value.toFixed(2)).join(', ') ?? null],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as [string, string]]));
}

/** What had to hold of every trial, if anything had. */
function objectiveFact({ request, load }: RunRecord): [string, string][] {
  const slo = request.slo ?? load.slo;
  return slo === undefined ? [] : [['Objective', sloPhrase(slo)]];
}

const processWords: Readonly<Record<RunRecord['plan']['mode'], string>> = {
  'process-per-setting': 'one for each setting',
  'restart-per-block': 'restarted for each block',
  live: 'one for each target',
};

/** Rounds whose order a report shows; a run without a fixed number of rounds may have dozens. */
const mostRounds = 4;

export function methodFacts(run: RunRecord): [string, string][] {
  const { load, plan } = run;
  const facts: [string, string][] = [
    ['Load', `${load.ratePerS === undefined ? 'closed loop' : `open loop, ${load.ratePerS} requests/s`}, profile ${load.name}`],
    ...listedOptions(run),
    ...objectiveFact(run),
    ...(run.request.topology === undefined ? [] : [['Topology', topologyPhrase(run.request.topology)] satisfies [string, string]]),
    ...Object.entries(run.routes).map(([target, routes]): [string, string] => [`Requests to ${target}`, routes.join(', ')]),
    ['Blocks', `${load.durationS} s each after ${load.settleS} s of settling, in ${plan.order.length} shuffled rounds (seed ${load.seed})`],
    ['Warm-up', `once for each process until steady, ${load.warmUp.minS}–${load.warmUp.maxS} s (JVM up to ${load.warmUp.jvmMaxS} s)`],
    ['Processes', `${processWords[plan.mode]}. ${modeText(plan.modeReasons)}`],
  ];
  const phrases = new Map(run.trials.map((trial) => [trial.key, trialPhrase(run, trial)]));
  const shown = plan.order.length > mostRounds + 1 ? mostRounds : plan.order.length;
  plan.order
    .slice(0, shown)
    .forEach((keys, index) => facts.push([`Round ${index + 1}`, keys.map((key) => phrases.get(key) ?? key).join(' → ')]));
  if (shown < plan.order.length) facts.push(['Further rounds', `${plan.order.length - shown}, in the order that the record tells`]);
  const commands = new Set(
    Object.values(plan.commands).map(({ argv, env }) => `${argv.join(' ')}${env.length === 0 ? '' : ` (sets ${env.join(', ')})`}`),
  );
  for (const command of commands) facts.push(['Command', command]);
  return facts;
}

/** What limits the trials of a run, in their order. Those with the same verdict in the same words are listed together. */
export function reportedVerdicts(run: RunRecord): Item[] {
  const diagnosed = run.trials.flatMap((trial) => (trial.diagnosis === null ? [] : [{ trial, diagnosis: trial.diagnosis }]));
  return [...grouped(diagnosed, ({ diagnosis }) => JSON.stringify(diagnosis)).values()].map((same): Item => {
    const { trial, diagnosis } = same[0] as (typeof diagnosed)[number];
    return {
      look: 'note',
      about: same.map((one) => trialPhrase(run, one.trial)).join(', '),
      text: `${headlineOf(diagnosis)}${diagnosis.confident ? '' : ' Can’t be sure.'}`,
      evidence: diagnosis.evidence.map(wordedFigure).map(({ what, value, threshold, met, source }) => {
        const needed = threshold === null ? '' : ` (${threshold}${source === null ? '' : `, ${source}`})`;
        return `${what}: ${value}${needed}${met ? '' : ', which does not speak for it'}`;
      }),
      more: {
        explanation: explanationOf(diagnosis),
        ruledOut: diagnosis.ruledOut.map(({ kind, because }) => `${limitNames[kind]}: ${verdictText(because)}`),
        next: diagnosis.actions.map((action) => nextStep(action, trial.statements ?? [])),
      },
    };
  });
}

/** More of a statement is for the editor. */
const shownSql = 400;

/** A page has nothing to click: it contains the statement that the panel would open. */
function nextStep(action: NextAction, statements: readonly StatementUse[]): string {
  const { label } = action;
  const named = label.code === 'open-sql' ? (statements.find((one) => one.sql === label.sql) ?? statements[0]) : undefined;
  if (action.kind !== 'sql' || named === undefined) return actionText(action);
  const sql = named.sql.replaceAll(/\s+/g, ' ').trim();
  return `${actionText(action)} (${figure(named.meanMs)} ms per call): ${sql.length > shownSql ? `${sql.slice(0, shownSql)} …` : sql}`;
}
