import { interferencePhrase, runInterference } from '../presentation/interferenceWords.ts';
import { isNoticeable } from '../domain/interference.ts';
import { noFigure } from '../domain/format.ts';
import type { RunRecord, Trial } from '../domain/run.ts';
import { isNameColumn, presentedRun, runTable } from '../presentation/runTable.ts';
import { plainWord } from './agentAnswer.ts';

/** A trial with its number in the run, from 1: what an agent names it by. */
export interface NumberedTrial {
  number: number;
  trial: Trial;
}

/** The trials that are meant: “#2”, or those whose key has every part of the focus in it; all without one. */
export function focusedTrials(trials: readonly Trial[], focus: string | undefined): NumberedTrial[] {
  const all = trials.map((trial, index) => ({ number: index + 1, trial }));
  if (focus === undefined || focus.trim() === '') return all;
  const asked = /^#?(\d+)$/.exec(focus.trim());
  if (asked !== null) return all.filter(({ number }) => number === Number(asked[1]));
  const parts = focus.toLowerCase().split(/[\s,|]+/);
  return all.filter(({ trial }) =>
    parts.every((part) =>
      trial.key
        .toLowerCase()
        .split(/[\s|]+/)
        .some((word) => word.includes(part)),
    ),
  );
}

/** “#2 orders pool=8 c=32”, of plain words alone. */
export function trialName({ number, trial }: NumberedTrial): string {
  const settings = Object.entries(trial.settings).map(([name, value]) => `${plainWord(name)}=${plainWord(value)}`);
  return [`#${number}`, plainWord(trial.target), ...settings, `connections=${trial.connections}`].join(' ');
}

/** The figures of a trial in the run's table, the number of its blocks that count, and whether it counts. Only a missing interval is written, as a dash. */
export function trialLine(one: NumberedTrial, run: RunRecord): string {
  const { valid, blocks } = one.trial;
  const { columns, rows } = runTable(presentedRun(run));
  const cells = rows[one.number - 1]?.cells ?? [];
  const figures = columns.flatMap((column, index) => {
    const text = cells[index]?.text ?? '';
    const isSaid = text !== '' && (text !== noFigure || column.id === 'interval');
    return isSaid && !isNameColumn(column) ? [`${column.title} ${text}`] : [];
  });
  const counted = `${blocks.filter((block) => block.valid).length} of ${blocks.length} blocks count`;
  return `${trialName(one)}: ${[...(valid ? [] : ['VOID']), ...figures, counted].join(', ')}`;
}

export function interferenceLine({ trials }: Pick<RunRecord, 'trials'>): string {
  const interference = runInterference(trials);
  const discardedBlocks = trials.flatMap(({ blocks }) => blocks).filter(({ valid }) => !valid).length;
  const taken =
    interference === null
      ? 'not known'
      : isNoticeable(interference)
        ? interferencePhrase(interference.takenPercent).replace(/^interference: /, '')
        : 'hardly';
  return `disturbed: ${taken}${discardedBlocks === 0 ? '' : `; ${discardedBlocks} blocks discarded`}`;
}
