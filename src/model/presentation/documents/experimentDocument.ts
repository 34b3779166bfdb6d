import { type Item, type Part, list, noAnswer, quiet, section, tables, text } from './document.ts';
import type { ExperimentRecord } from '../../domain/experiment.ts';
import { verdictText } from '../../domain/verdict/verdictKinds.ts';
import { measuredTables, publishedTable, sentenceWithTier, stepsTable, successTable } from '../experimentTables.ts';
import { basisWords, experimentSummary, shapeWords } from '../shapeWords.ts';

/** What a document says of an experiment: published next to measured, the rules, and the tables of before and after and of steps. */
export function experimentDocument(record: ExperimentRecord): Part[] {
  const { experiment, form, agrees, shape, ladders, success, steps } = record;
  const labels = new Map(experiment.variants.map(({ name, label }) => [name, label]));
  const measured = tables(...measuredTables(record));
  return [
    quiet(`${experiment.id} · ${experiment.source} · ${form} form`),
    text(experiment.asks),
    {
      kind: 'answers',
      answers: [
        {
          ...noAnswer,
          headline: sentenceWithTier(record),
          look: agrees === null ? 'muted' : agrees ? 'good' : 'bad',
          text: experimentSummary(record),
        },
      ],
    },
    {
      kind: 'beside',
      sections: [
        ...section(basisWords[experiment.basis].heading, tables(...experiment.published.map(publishedTable))),
        ...section('Measured here', measured.length === 0 ? [text('No point was measured.')] : measured),
      ],
    },
    ...section(
      'What makes it agree',
      list([
        ...shape.map((rule): Item => ({
          look: rule.agrees === false ? 'problem' : 'note',
          about: rule.agrees === null ? 'Undecided' : rule.agrees ? 'Agrees' : 'Does not agree',
          text: `${shapeWords(rule, experiment).sentence} ${rule.because}`,
        })),
        ...ladders
          .filter(({ sign }) => verdictText(sign.said) !== '')
          .map(({ variant, sign }): Item => ({
            look: 'note',
            about: ladders.length > 1 ? (labels.get(variant) ?? variant) : '',
            text: verdictText(sign.said),
          })),
      ]),
    ),
    ...section('Why it may not agree today', [text(experiment.notToday)]),
    ...section('Before against after', tables(successTable(success))),
    ...section('Steps of the roles', tables(stepsTable(steps))),
  ];
}
