import type { FlameSentence } from '../../../src/calltree/sentence/sentenceParts.ts';
import type { FlameSide } from '../../../src/model/domain/flame.ts';
import type { FlameModel } from '../core/flameModel.ts';
import type { FunctionTableColumns, Layout, ThreadStrip } from '../core/layout.ts';
import type { DiffSpec, ViewSpec } from '../core/viewSpec.ts';
import type { Look } from './look.ts';
import type { SideLoader } from './sideLoader.ts';

const stripBuckets = 400;

export interface Wanted {
  look: Look;
  /** Null: one recording alone. */
  diff: DiffSpec | null;
  /** Changes with the trees that are in the worker. */
  trees: string;
  phase: SideLoader['phase'];
  /** The function table is shown next to the graph. */
  table: boolean;
  /** How many samples make up the event, on each side; null where that is not known. */
  samples: Record<FlameSide, number | null>;
  /** The strip of threads is on show, and the samples are there. */
  strip: boolean;
}

/** The newest answer to a question that changes: an answer to an older one is dropped, an equal question is not asked again. */
class Latest<T> {
  value: T | null = null;
  /** An answer is on its way. */
  pending = false;
  #key: string | null = null;

  constructor(
    private readonly changed: () => void,
    private readonly failed: (error: unknown) => void,
    private readonly dropped: () => void,
  ) {}

  /** Asks, unless `key` is that of the last question. The old answer stays until the new one is here. */
  want(key: string, ask: () => Promise<T>): void {
    if (key === this.#key) return;
    this.#key = key;
    this.pending = true;
    ask().then(
      (value) => {
        if (key !== this.#key) return;
        this.pending = false;
        this.value = value;
        this.changed();
      },
      (error: unknown) => {
        if (key !== this.#key) return;
        this.pending = false;
        // The worker dropped the question for a newer one of the same kind, which was not for this answer: it is asked again if still wanted.
        if (error instanceof Error && error.name === 'AbortError') {
          this.#key = null;
          this.dropped();
        } else this.failed(error);
      },
    );
  }

  clear(): void {
    this.#key = null;
    this.value = null;
    this.pending = false;
  }
}

/** The worker's newest answers to what is on show. */
export class WorkerAnswers {
  readonly layouts: Latest<Layout>;
  readonly sandwiches: Latest<{ func: number; callers: Layout; callees: Layout }>;
  readonly tables: Latest<FunctionTableColumns>;
  readonly strips: Latest<ThreadStrip>;
  readonly sentences: Latest<FlameSentence>;
  /** Of how much of the recording a layout was made. */
  readonly #phases = new WeakMap<Layout, SideLoader['phase']>();

  constructor(
    private readonly model: FlameModel,
    on: { laidOut: () => void; changed: () => void; failed: (error: unknown) => void; dropped: () => void },
  ) {
    const latest = <T>(changed = on.changed): Latest<T> => new Latest(changed, on.failed, on.dropped);
    this.layouts = latest(on.laidOut);
    this.sandwiches = latest();
    this.tables = latest();
    this.strips = latest();
    this.sentences = latest();
  }

  clear(): void {
    for (const answer of [this.layouts, this.sandwiches, this.tables, this.strips, this.sentences]) answer.clear();
  }

  phaseOf(layout: Layout): SideLoader['phase'] | undefined {
    return this.#phases.get(layout);
  }

  /** Asks for what is wanted and not there. */
  ask({ look, diff, trees, phase, table, strip, samples }: Wanted): void {
    const { model } = this;
    const spec = specOf(look, diff);
    // The callers view is possible for any function, those of libraries too.
    if (look.view === 'callers') spec.transforms = spec.transforms.filter(({ kind }) => kind !== 'foldLibraries');
    const heavy: ViewSpec = { ...spec, order: 'heavy' };
    const version = `${trees} ${JSON.stringify(spec)}`;
    this.layouts.want(version, async () => {
      const layout = await model.layout(spec);
      this.#phases.set(layout, phase);
      return layout;
    });
    // Asked for after the picture, which does not wait for it. Order and width change nothing of it.
    const said: ViewSpec = { ...spec, order: 'heavy', diff: diff === null ? null : { ...diff, width: 'union' } };
    this.sentences.want(`${trees} ${JSON.stringify(said)}`, () => model.sentence(said, samples));
    if (phase !== 'complete') return;
    if (table || diff !== null || look.view === 'table' || look.view === 'callers') {
      this.tables.want(`${trees} ${JSON.stringify(heavy)}`, () => model.table(heavy));
    }
    const { subject } = look;
    if (look.view === 'callers' && subject !== null) {
      this.sandwiches.want(`${subject} ${version}`, async () => {
        const [callers, callees] = await Promise.all([
          model.sandwich(heavy, { func: subject, direction: 'callers' }),
          model.sandwich(heavy, { func: subject, direction: 'callees' }),
        ]);
        return { func: subject, callers, callees };
      });
    }
    if (strip && diff === null) {
      const all: ViewSpec = { ...heavy, threads: null, timeRange: null, transforms: [] };
      this.strips.want(`${trees} ${JSON.stringify(all)}`, () => model.threadStrip(all, stripBuckets));
    }
  }
}

function specOf({ event, view, transforms, threads, states, showIdle, timeRange }: Look, diff: DiffSpec | null): ViewSpec {
  return { event, order: view === 'time' && diff === null ? 'time' : 'heavy', threads, states, showIdle, timeRange, transforms, diff };
}
