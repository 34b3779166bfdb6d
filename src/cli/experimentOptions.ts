import { defined } from '../model/domain/defined.ts';
import { soakRangeS } from '../model/domain/experiment.ts';
import type { TuneRequest } from '../model/domain/tuning.ts';
import { command } from './command.ts';
import { generatorOption } from './k6Options.ts';
import { flag, one } from './options.ts';
import { rawOption } from './rawOptions.ts';
import { seconds, wrong } from './values.ts';

/** What `benchside experiment` is to repeat. */
export interface ExperimentAsked {
  /** Null: nothing; what there is is listed. */
  experiment: string | null;
  full: boolean;
  soakS: number | null;
  keep: Pick<TuneRequest, 'raw' | 'record' | 'generator'>;
}

/** What is kept in addition to the figures. */
export function kept({ raw, record }: { raw: TuneRequest['raw']; record: boolean }): Pick<TuneRequest, 'raw' | 'record'> {
  return defined({ raw, record: record ? { events: [], seconds: 10 } : undefined });
}

export const experimentCommand = command({
  words: 'experiment [experiment]',
  description: 'run an experiment that was saved or is in a file, or repeat a published one by its id (C1; C for all of C1 to C4)',
  options: {
    list: flag('--list', 'show what there is, how long it takes and what it needs'),
    full: flag('--full', 'the full form of a published experiment instead of the short one'),
    soak: one('--soak <time>', 'how long its soak lasts instead, e.g. 12h (D1)', seconds(soakRangeS)),
    raw: rawOption,
    record: flag('--record', 'record a flame graph of each variant at its largest load, after everything was measured'),
    generator: generatorOption,
  },
  measures: true,
  means: ({ list, full, soak, raw, record, generator }, experiment?: string): ExperimentAsked => {
    if (list && experiment !== undefined) throw wrong('“benchside experiment --list” lists all: leave out the name.');
    if (!list && experiment === undefined)
      throw wrong('“benchside experiment” needs one, by its name or as a file; --list shows what there is.');
    const keep = { ...kept({ raw, record }), ...defined({ generator }) };
    return { experiment: experiment ?? null, full, soakS: soak ?? null, keep };
  },
});
