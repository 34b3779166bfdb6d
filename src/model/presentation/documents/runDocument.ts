import { answerHeadline } from '../../domain/answerFacts.ts';
import { capital } from '../../domain/sentence.ts';
import { findingText } from '../../domain/findings.ts';
import { conditionSentence, interferenceSentence, hasInterference } from '../interferenceWords.ts';
import { type Answer, type Part, list, noAnswer, quiet, section } from './document.ts';
import { figure, wholeNumber } from '../../domain/format.ts';
import { repeatCommand } from '../repeatCommand.ts';
import type { Recommendation, RunRecord, Trial } from '../../domain/run.ts';
import { instanceTable, presentedRun, resourceTable, runTable, tableNote } from '../runTable.ts';
import { interferenceChip, openRange, runBadge, runSubtitle, statusWord } from '../runWords.ts';
import { trialPhrase } from '../settingWords.ts';
import { whyText } from '../../domain/tuningAnswers.ts';
import { evidenceText } from '../../domain/answerEvidence.ts';
import { disagreement, evidenceNames, evidenceSays } from '../evidenceWords.ts';
import { experimentDocument } from './experimentDocument.ts';
import { environmentFacts, methodFacts, remarks, reportedVerdicts, timePhrase } from './runFacts.ts';

/** A run as a document: answers and figures first, then what they were measured with and on. */
export function runDocument(run: RunRecord): Part[] {
  const shown = presentedRun(run);
  const found = remarks(run);
  const { kind, text } = runBadge(run);
  const disturbed = interferenceChip(run);
  const instances = instanceTable(shown);
  return [
    {
      kind: 'heading',
      text: run.title,
      about: runSubtitle(run, timePhrase(run.startedAt)),
      chips: [
        ...(text === '' ? [] : [{ text, look: kind }]),
        ...(disturbed === '' ? [] : [{ text: disturbed, look: 'warning', section: 'interference' }]),
      ],
    },
    ...(run.result.kind === 'experiment' ? experimentDocument(run.result) : [{ kind: 'answers' as const, answers: answers(run) }]),
    ...section('What limits it', list(reportedVerdicts(run))),
    ...list(found.filter((remark) => remark.look === 'problem')),
    { kind: 'drawn', id: 'charts' },
    ...(hasInterference(run.trials)
      ? section('Interference over the run', [{ kind: 'drawn', id: 'strip' }, quiet(interferenceSentence(run.trials))], {
          id: 'interference',
        })
      : []),
    ...section('Figures', [
      { kind: 'table', table: runTable(shown) },
      quiet(tableNote(shown)),
      ...list(found.filter((remark) => remark.look === 'note')),
    ]),
    ...section(
      'Resources',
      [
        { kind: 'table', table: resourceTable(shown) },
        quiet(
          'Means over the measured blocks. CPU: 100 % is one core. “Other” and “stolen” CPU are of the whole machine; requests in flight for each connection of the load are about 1 when the generator keeps up.',
        ),
      ],
      { fold: true },
    ),
    ...section(
      'Instances',
      instances.rows.length === 0
        ? []
        : [{ kind: 'table', table: instances }, quiet('Each process alone, means over the measured blocks. CPU: 100 % is one core.')],
      { fold: true },
    ),
    {
      kind: 'beside',
      sections: [
        ...section('How it was done', [{ kind: 'facts', facts: methodFacts(run) }], { fold: true }),
        ...section('Environment', [{ kind: 'facts', facts: environmentFacts(run) }], { fold: true }),
      ],
    },
    ...section('To repeat it', [{ kind: 'lines', lines: [repeatCommand(run)], command: true }]),
  ];
}

/** What is recommended; else the best figure of each target; else why there is none. */
function answers(run: RunRecord): Answer[] {
  if (run.recommendations.length > 0) return run.recommendations.map((answer) => recommended(run, answer));
  const best = bestTrials(run);
  if (best.length > 0) return best.map((trial) => bestFigure(run, trial));
  const [headline, text] = nothingMeasured(run);
  return [{ ...noAnswer, headline, text }];
}

function nothingMeasured(run: RunRecord): [string, string] {
  if (run.failure !== null) return ['The run failed', `${run.failure.message} ${run.failure.cure}`];
  if (run.state === 'cancelled') return ['Cancelled before anything was measured', 'Run it again to see figures.'];
  const [first] = run.trials.flatMap((trial) => trial.reasons);
  return [
    'Something else was measured',
    `${first === undefined ? 'No reason was recorded.' : findingText(first)} No trial counts; what was seen all the same stands in the table.`,
  ];
}

function recommended(run: RunRecord, answer: Recommendation): Answer {
  const range = answer.status === 'confirmed' ? '' : openRange(answer);
  const trial = run.trials.find(({ key }) => key === answer.trialKey);
  return {
    target: answer.target,
    label: answer.targetLabel,
    headline: answerHeadline(answer),
    aside: range === '' ? '' : `(${range})`,
    status: statusWord(answer),
    text: whyText(answer),
    evidence: answer.evidence.map((item) => ({
      name: evidenceNames[item.kind],
      says: item.says,
      word: evidenceSays[item.says],
      text: capital(evidenceText(item)),
    })),
    warning: disagreement(answer.evidence),
    condition: trial === undefined ? '' : conditionSentence(trial),
  };
}

function bestFigure(run: RunRecord, trial: Trial): Answer {
  const { ciLow, ciHigh, mean } = trial.throughput;
  const { cpuUsPerRequest } = trial.resources.app;
  const details = [
    ...(trial.latencyMs === null ? [] : [`p50 ${figure(trial.latencyMs.p50)} ms, p99 ${figure(trial.latencyMs.p99)} ms`]),
    ...(cpuUsPerRequest === null ? [] : [`${figure(cpuUsPerRequest)} µs of CPU per request`]),
  ];
  return {
    ...noAnswer,
    target: trial.target,
    label: trialPhrase(run, trial),
    headline: `${wholeNumber(mean)} requests/s`,
    aside: ciLow === null || ciHigh === null ? '' : `[${wholeNumber(ciLow)} – ${wholeNumber(ciHigh)}]`,
    text: details.join('; '),
    condition: conditionSentence(trial),
  };
}

/** The best valid trial of each target. */
function bestTrials(run: RunRecord): Trial[] {
  const best = new Map<string, Trial>();
  for (const trial of run.trials) {
    const known = best.get(trial.target);
    if (trial.valid && trial.requests > 0 && (known === undefined || trial.throughput.mean > known.throughput.mean))
      best.set(trial.target, trial);
  }
  return [...best.values()];
}
