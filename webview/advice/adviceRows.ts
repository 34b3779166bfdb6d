import { type Advice, type Tried, isAdvised, isUseful, savingsOf } from '../../src/model/domain/advice.ts';
import { adviceGroups, bestOf } from '../../src/model/domain/adviceRecord.ts';
import {
  answerPhrase,
  cheaperSentences,
  costPhrase,
  helpSentence,
  savingsPhrase,
} from '../../src/model/presentation/documents/adviceDocument.ts';
import { bytesPhrase, changePhrase, changeRange, listPhrase, noFigure, changeSize, wholeNumber } from '../../src/model/domain/format.ts';
import { type ForestScale, forestScale } from '../../src/model/presentation/forest.ts';
import type { SettingValues } from '../../src/model/domain/setting.ts';
import type { Ratio, Verdict } from '../../src/model/domain/tuning.ts';

/** A cost in a column: what differs beyond chance as a change, memory as it was seen. */
export interface CostCell {
  text: string;
  look: 'good' | 'bad' | '';
  title: string;
}

/** A line of the forest with its figures. */
export interface AdviceRow {
  key: string;
  name: string;
  /** What it is about, quieter. */
  about: string;
  ratio: Ratio | null;
  verdict: Verdict;
  change: string;
  interval: string;
  /** What was found, where the group does not say it. */
  answer: string;
  cpu: CostCell;
  memory: CostCell;
  /** All that it costs, in words; for where there is no room for columns, and what has no column. */
  costs: string;
  /** What it takes to have it; `null`: it is not advised. */
  ways: Ways | null;
}

/** How a change is had: values of settings that can be applied, SQL, and all of it as text. */
export interface Ways {
  changes: string[];
  values: SettingValues | null;
  /** There are variables that can be written into benchside.json. */
  hasVariables: boolean;
  hasSql: boolean;
  lines: { where: string; text: string }[];
}

export interface AdviceGroup {
  id: string;
  title: string;
  /** Behind a disclosure, where there is something that helps. */
  fold: boolean;
  rows: AdviceRow[];
}

const none: CostCell = { text: noFigure, look: '', title: 'not known' };

/** What was tried, in the order of effect, on one scale. `settings`: names of those that the target declares; until it is over, nothing is grouped or advised. */
export function adviceRows(
  advice: Pick<Advice, 'tried' | 'together'>,
  settings: ReadonlySet<string>,
  isOver = true,
): { groups: AdviceGroup[]; scale: ForestScale } {
  const { together, tried } = advice;
  const { helps, cheaper, slower, nothing } = adviceGroups(advice);
  const row = (one: Tried): AdviceRow => ({
    ...common(one),
    key: one.id,
    name: one.id,
    about: one.statement === null ? '' : `for ${one.statement.replaceAll(/\s+/g, ' ').slice(0, longestStatement)}`,
    costs: costPhrase(one),
    answer: isUseful(one) ? '' : answerPhrase(one),
    ways: isOver && isAdvised(one) ? waysOf([one], settings) : null,
  });
  /** What it saves says what it is about, so that its other costs are those that are left. */
  const saving = (one: Tried): AdviceRow => {
    const saved = savingsOf(one);
    return {
      ...row(one),
      about: savingsPhrase(one),
      answer: '',
      costs: costPhrase({ ...one, costs: one.costs.filter((cost) => !saved.includes(cost)) }),
    };
  };
  const all: AdviceRow[] =
    together === null
      ? []
      : [
          {
            ...common(together),
            key: 'together',
            name: 'Together',
            about: listPhrase(together.ids),
            costs: costPhrase({ ...together, index: null }),
            answer: isUseful(together) ? '' : answerPhrase(together),
            ways: isUseful(together) ? waysOf(bestOf(advice), settings) : null,
          },
        ];
  const ended: AdviceGroup[] = [
    { id: 'helps', title: 'Helps', fold: false, rows: [...all, ...helps.map(row)] },
    { id: 'cheaper', title: 'The same, but cheaper', fold: false, rows: cheaper.map(saving) },
    { id: 'slower', title: 'Makes it slower', fold: true, rows: slower.map(row) },
    { id: 'nothing', title: 'Did nothing, or was not proven to', fold: true, rows: nothing.map(row) },
  ];
  const groups = isOver ? ended : [{ id: 'sofar', title: 'So far; a screening is no proof', fold: false, rows: tried.map(row) }];
  const shown = groups.filter(({ rows }) => rows.length > 0);
  return {
    groups: helps.length + cheaper.length === 0 ? shown.map((group) => ({ ...group, fold: false })) : shown,
    scale: forestScale(shown.flatMap(({ rows }) => rows.flatMap(({ ratio }) => ratio ?? []))),
  };
}

const longestStatement = 100;

type Common = Pick<AdviceRow, 'ratio' | 'verdict' | 'change' | 'interval' | 'cpu' | 'memory'>;

function common(one: Pick<Tried, 'ratio' | 'verdict' | 'costs' | 'answersDiffer'>): Common {
  const { ratio, verdict, costs } = one;
  return {
    ratio,
    verdict: one.answersDiffer ? 'unknown' : verdict,
    change: ratio === null ? noFigure : changePhrase(ratio.mean),
    interval: ratio === null ? '' : changeRange(ratio),
    cpu: costCell(costs.find(({ id }) => id === 'cpu')),
    memory: costCell(costs.find(({ id }) => id === 'memory')),
  };
}

function costCell(cost: Tried['costs'][number] | undefined): CostCell {
  if (cost === undefined) return none;
  const { id, base, other, verdict } = cost;
  const look = verdict === 'better' ? 'good' : verdict === 'worse' ? 'bad' : '';
  if (verdict === 'same') return { text: 'same', look, title: '' };
  if (id === 'memory') {
    const by = other - base;
    const seen = verdict === null ? ', as it was seen' : verdict === 'unknown' ? ', not told apart' : '';
    return {
      text: `${by < 0 ? '−' : '+'}${bytesPhrase(Math.abs(by))}`,
      look,
      title: `${bytesPhrase(base)} → ${bytesPhrase(other)}${seen}`,
    };
  }
  if (verdict === 'unknown') return { text: noFigure, look, title: 'not told apart' };
  return { text: base === 0 ? noFigure : changePhrase(other / base), look, title: '' };
}

function waysOf(changes: readonly Tried[], settings: ReadonlySet<string>): Ways {
  const values = Object.fromEntries(changes.flatMap((one) => Object.entries(one.settings)).filter(([name]) => settings.has(name)));
  const lines = changes.flatMap(({ apply }) => apply);
  return {
    changes: changes.map(({ id }) => id),
    values: Object.keys(values).length === 0 ? null : values,
    hasVariables: lines.some(({ variable }) => variable !== undefined),
    hasSql: lines.some(({ where }) => where === 'sql'),
    lines,
  };
}

const counted = ['No change', 'One change', 'Two changes', 'Three changes', 'Four changes', 'Five changes', 'Six changes'];

/** The answer of the page: its title, its figures, and how all that helps is had; `null`: nothing helps. */
export function adviceAnswerOf(advice: Advice, settings: ReadonlySet<string>): { title: string; figures: string; ways: Ways | null } {
  const best = bestOf(advice);
  const [first] = best;
  const { together, throughput } = advice;
  if (first === undefined) return { title: helpSentence(advice), figures: cheaperSentences(advice).join(' '), ways: null };
  const isTogether = best.length > 1 && together !== null;
  const { ratio, ...effect } = isTogether ? { ...together, index: null } : first;
  const what = isTogether ? `${counted[best.length] ?? `${best.length} changes`} together` : first.id;
  const more = ratio === null ? '' : `: ${changeSize(ratio.mean)} more requests per second`;
  const figures = [
    ...(ratio === null || throughput === null ? [] : [`${wholeNumber(throughput)} → ${wholeNumber(throughput * ratio.mean)} requests/s`]),
    ...(ratio === null ? [] : [`95 % interval ${changeRange(ratio)}`]),
    ...(costPhrase(effect) === '' ? [] : [costPhrase(effect)]),
  ];
  return {
    title: `${what}${more}`,
    figures: `${figures.join(', ')}. The same first requests were answered the same.`,
    ways: waysOf(best, settings),
  };
}
