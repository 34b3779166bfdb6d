import { type NextAction, explanationOf, headlineOf } from '../../domain/diagnosis.ts';
import { limitNames } from '../../domain/diagnosisKind.ts';
import { figure } from '../../domain/format.ts';
import { grouped } from '../../domain/grouped.ts';
import type { RunRecord } from '../../domain/run.ts';
import type { StatementUse } from '../../domain/statement.ts';
import { verdictText } from '../../domain/verdict/verdictKinds.ts';
import { trialPhrase } from '../settingWords.ts';
import type { Item } from './document.ts';

/** What limits the trials of a run, in their order. Those with the same verdict in the same words are listed together. */
export function reportedVerdicts(run: RunRecord): Item[] {
  const diagnosed = run.trials.flatMap((trial) => (trial.diagnosis === null ? [] : [{ trial, diagnosis: trial.diagnosis }]));
  return [...grouped(diagnosed, ({ diagnosis }) => JSON.stringify(diagnosis)).values()].map((same): Item => {
    const { trial, diagnosis } = same[0] as (typeof diagnosed)[number];
    return {
      look: 'note',
      about: same.map((one) => trialPhrase(run, one.trial)).join(', '),
      text: `${headlineOf(diagnosis)}${diagnosis.confident ? '' : ' Can’t be sure.'}`,
      evidence: diagnosis.evidence.map(({ what, value, threshold, met, source }) => {
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
function nextStep(action: NextAction, [first]: readonly StatementUse[]): string {
  if (action.kind !== 'sql' || first === undefined) return action.label;
  const sql = first.sql.replaceAll(/\s+/g, ' ').trim();
  return `${action.label} (${figure(first.meanMs)} ms per call): ${sql.length > shownSql ? `${sql.slice(0, shownSql)} …` : sql}`;
}
