import { type Failure, toFailure } from '../../../src/model/domain/failure.ts';
import type { FlameSide, ToFlame } from '../../../src/model/domain/flame.ts';
import type { RecordingSummary } from '../../../src/model/domain/recording.ts';
import type { FlameModel } from '../core/flameModel.ts';
import type { FlameNames, Layout } from '../core/layout.ts';
import type { Transform } from '../../../src/calltree/transforms.ts';
import type { DiffSpec } from '../core/viewSpec.ts';
import { type WeightFormat, formatOf } from '../graph/weightFormat.ts';
import type { FlameChannel } from './flameChannel.ts';
import { type Look, type LookHistory, amend, back, firstLook, forward, needsSamples, visit } from './look.ts';
import { type FlameOptions, type SavedFlame, readSavedFlame, recordingKey } from './savedFlame.ts';
import { NameSearch } from './nameSearch.ts';
import { backgroundSampleBytes, SideLoader } from './sideLoader.ts';
import { WorkerAnswers } from './workerAnswers.ts';

/** So many folded boxes may be open at once; the oldest ones fold again. */
const mostOpen = 500;
/** Two movements of the zoom within this time are one step of back and forward. */
const zoomPauseMs = 700;

export interface Notice {
  text: string;
  severity: 'info' | 'warning' | 'bad';
}

/**
 * What a flame graph shows and how it came to be shown: receives messages and what the user does, asks the worker for what is needed, and notifies
 * when something has changed. It draws nothing.
 */
export class FlameSession {
  readonly a: SideLoader;
  readonly b: SideLoader;
  history: LookHistory | null = null;
  options: FlameOptions;
  notice: Notice | null = null;
  others: readonly RecordingSummary[] = [];
  /** A function that the extension wants to show; the page selects it once it is drawn. */
  wanted: { name: string; file: string } | null = null;
  readonly answers: WorkerAnswers;
  readonly search: NameSearch;
  /** What nodes that are focused or left out are called. */
  #nodeNames = new Map<number, string>();
  #saved: SavedFlame;
  #zoomedAt = 0;
  #compared = false;
  #scheduled = false;
  readonly #beganAt = performance.now();
  #firstPictureMs: number | null = null;
  #completeMs: number | null = null;
  #drawnPhase: SideLoader['phase'] = 'none';

  constructor(
    readonly channel: FlameChannel,
    model: FlameModel,
    private readonly changed: () => void,
  ) {
    this.#saved = readSavedFlame(channel.kept());
    this.options = this.#saved.options;
    const post = channel.post.bind(channel);
    const loaded = (): void => this.#loaded();
    this.a = new SideLoader('a', model, post, loaded);
    this.b = new SideLoader('b', model, post, loaded);
    this.answers = new WorkerAnswers(model, {
      laidOut: () => this.#laidOut(),
      changed,
      failed: (error) => this.#broke(error),
      dropped: loaded,
    });
    this.search = new NameSearch(model, changed, this.#saved.search);
  }

  /** Says that the page is there; gives what ends listening. */
  start(): () => void {
    const stop = this.channel.listen((message) => this.receive(message));
    this.channel.post({ type: 'ready', comparedWith: this.#saved.comparedWith });
    return stop;
  }

  get look(): Look | null {
    return this.history?.now ?? null;
  }

  get comparing(): boolean {
    return this.b.phase === 'complete' && !this.b.isEmpty && this.a.phase === 'complete';
  }

  /** Names for what is on show: in a comparison those of both recordings. */
  get names(): FlameNames | null {
    return this.comparing ? this.b.names : this.a.names;
  }

  /** Null where one of the two does not know how many requests it served. */
  get perRequestKnown(): boolean {
    return (this.a.head?.requests ?? 0) > 0 && (this.b.phase === 'none' || (this.b.head?.requests ?? 0) > 0);
  }

  get diff(): DiffSpec | null {
    if (!this.comparing) return null;
    const { normalise, width } = this.options;
    return { normalise: normalise === 'perRequest' && !this.perRequestKnown ? 'share' : normalise, width };
  }

  /** Samples are on their way that the look needs. */
  get awaitsSamples(): boolean {
    return this.look !== null && needsSamples(this.look, false) && this.a.samples !== 'here';
  }

  formatOf(layout: Layout): WeightFormat {
    return formatOf(layout, layout.diff === null ? (this.a.head?.requests ?? null) : null);
  }

  nameOfNode(node: number): string {
    return this.#nodeNames.get(node) ?? 'a frame';
  }

  nameNode(node: number, name: string): void {
    this.#nodeNames.set(node, name.slice(0, 200));
  }

  /** A step that “back” reverts. */
  visit(change: Partial<Look>): void {
    if (this.history === null) return;
    const before = this.history.now;
    this.history = visit(this.history, { ...before, ...change });
    if (change.event !== undefined && change.event !== before.event) this.channel.post({ type: 'eventShown', event: change.event });
    this.#moved();
  }

  back(): void {
    this.#travel(back);
  }

  forward(): void {
    this.#travel(forward);
  }

  transform(transform: Transform): void {
    if (this.look === null) return;
    this.visit({ transforms: [...this.look.transforms, transform], zoom: null });
  }

  /** Splits one folded box into its frames; the others stay folded, and the view where it is. */
  unfold(node: number): void {
    // Before all nodes are here they have other numbers.
    if (this.look === null || this.a.phase !== 'complete') return;
    const transforms = this.look.transforms.map((one) =>
      one.kind === 'foldLibraries' ? { ...one, open: [...(one.open ?? []), node].slice(-mostOpen) } : one,
    );
    this.visit({ transforms });
  }

  removeTransform(index: number): void {
    if (this.look === null) return;
    this.visit({ transforms: this.look.transforms.filter((_, at) => at !== index), zoom: null });
  }

  /** The function whose callers and callees are shown, chosen by the page itself: no step of its own. */
  choose(subject: number): void {
    if (this.history === null) return;
    this.history = amend(this.history, { ...this.history.now, subject });
    this.#moved();
  }

  reset(): void {
    this.visit({
      transforms: this.look?.transforms.flatMap(({ kind }) => (kind === 'foldLibraries' ? [{ kind }] : [])) ?? [],
      threads: null,
      states: null,
      timeRange: null,
      zoom: null,
    });
  }

  /** The graph has been zoomed or dragged to these shares of its width. */
  zoomed(from: number, to: number): void {
    if (this.history === null) return;
    const zoom = from <= 1e-9 && to >= 1 - 1e-9 ? null : { from, to };
    const before = this.history.now.zoom;
    if (before?.from === zoom?.from && before?.to === zoom?.to) return;
    const at = performance.now();
    const look = { ...this.history.now, zoom };
    this.history = at - this.#zoomedAt > zoomPauseMs ? visit(this.history, look) : amend(this.history, look);
    this.#zoomedAt = at;
    this.keep();
    this.changed();
  }

  setOptions(change: Partial<FlameOptions>): void {
    this.options = { ...this.options, ...change };
    this.#moved();
  }

  compare(recordingId: string | null): void {
    this.channel.post({ type: 'compare', recordingId });
  }

  stopComparing(): void {
    this.channel.post({ type: 'stopComparing' });
    this.#closeOther();
  }

  retry(): void {
    this.a.loading(this.a.title);
    this.notice = null;
    this.channel.post({ type: 'retry' });
    this.changed();
  }

  dismissNotice(): void {
    this.notice = null;
    this.changed();
  }

  /** The origin of a function on show: its side, the recording, and its number there. */
  placeOf(func: number): { side: FlameSide; profileId: string; func: number } | null {
    const { names } = this;
    if (func < 0 || names === null) return null;
    const inA = names.inA === null ? func : (names.inA[func] ?? -1);
    const side = inA >= 0 ? this.a : this.b;
    const number = inA >= 0 ? inA : (names.inB?.[func] ?? -1);
    return side.head === null || number < 0 ? null : { side: side.side, profileId: side.head.profileId, func: number };
  }

  openSource(func: number, line: number, beside: boolean): void {
    const place = this.placeOf(func);
    if (place !== null && this.channel.hosted) this.channel.post({ type: 'openSource', ...place, line: Math.max(0, line), beside });
  }

  /** The picture of a layout is on the screen: reports when the first and the complete one were. */
  drawn(layout: Layout): void {
    const phase = this.answers.phaseOf(layout);
    if (phase === undefined || phase === this.#drawnPhase) return;
    this.#drawnPhase = phase;
    const ms = performance.now() - this.#beganAt;
    this.#firstPictureMs ??= ms;
    if (phase === 'complete') this.#completeMs ??= ms;
    this.channel.post({ type: 'drawn', side: 'a', firstPictureMs: this.#firstPictureMs, completeMs: this.#completeMs });
  }

  keep(): void {
    const { head } = this.a;
    if (head === null || this.look === null) return;
    const other = this.b.head?.recording?.id;
    this.channel.keep({
      recording: recordingKey(head),
      look: this.look,
      options: this.options,
      search: { text: this.search.text, regex: this.search.regex },
      comparedWith: other === undefined ? null : { kind: 'recording', id: other },
      nodeNames: [...this.#nodeNames].slice(-50),
    } satisfies SavedFlame);
  }

  receive(message: ToFlame): void {
    (this.#receivers[message.type] as (message: ToFlame) => void)(message);
    this.#moved();
  }

  /** What a message of each type changes. */
  readonly #receivers: { readonly [Type in ToFlame['type']]: (message: Extract<ToFlame, { type: Type }>) => void } = {
    loading: ({ side, title }) => this[side].loading(title),
    open: (message) => this.#opened(message),
    piece: (message) => this[message.side].take(message),
    close: ({ side }) => (side === 'b' ? this.#closeOther() : undefined),
    failure: ({ side, failure }) => this.#failed(side, failure),
    notice: ({ message, severity }) => (this.notice = { text: message, severity }),
    focusFunction: ({ name, file }) => (this.wanted = { name, file }),
    others: ({ recordings }) => (this.others = recordings),
  };

  #opened({ side, head }: Extract<ToFlame, { type: 'open' }>): void {
    if (side === 'b') {
      this.b.open(head, null);
      return;
    }
    this.answers.clear();
    this.search.clear();
    const { look, recording, nodeNames } = this.#saved;
    const known = look !== null && recording === recordingKey(head) && head.events.some(({ name }) => name === look.event);
    const now = known ? look : firstLook(head);
    this.#nodeNames = new Map(known ? nodeNames : []);
    this.history = { past: [], now, future: [] };
    // The wide nodes have other numbers than the whole tree's, and no samples.
    const plain = now.transforms.every((one) => !('node' in one) && !('func' in one)) && now.subject === null && !needsSamples(now, false);
    this.a.open(head, plain ? now.event : null);
    this.channel.post({ type: 'eventShown', event: now.event });
  }

  #failed(side: FlameSide, failure: Failure): void {
    if (side === 'a' && !this.a.drawable) {
      this.a.fail(failure);
      return;
    }
    this.notice = { text: `${failure.message} ${failure.cure}`, severity: 'bad' };
    if (side === 'b' && !this.b.drawable) this.b.close();
  }

  #closeOther(): void {
    this.b.close();
    this.#compared = false;
    this.#renumbered();
    this.#moved();
  }

  /**
   * Another tree is on show. Functions of `a` keep their numbers in a comparison; those that only `b` has are gone after it, and nodes have
   * other numbers altogether.
   */
  #renumbered(): void {
    if (this.history === null) return;
    const known = this.a.head?.functionCount ?? 0;
    const { now } = this.history;
    const transforms = now.transforms.filter((one) => !('node' in one) && (!('func' in one) || one.func < known));
    const subject = now.subject !== null && now.subject < known ? now.subject : null;
    const view = now.view === 'time' && this.comparing ? 'flame' : now.view;
    this.history = {
      past: [],
      now: { ...now, view, transforms, subject, zoom: null, threads: null, states: null, timeRange: null },
      future: [],
    };
  }

  #travel(step: (history: LookHistory) => LookHistory): void {
    if (this.history === null) return;
    const before = this.history.now.event;
    this.history = step(this.history);
    this.#zoomedAt = 0;
    if (this.history.now.event !== before) this.channel.post({ type: 'eventShown', event: this.history.now.event });
    this.#moved();
  }

  /** Something came into the worker. */
  #loaded(): void {
    const { head } = this.a;
    if (this.comparing !== this.#compared) {
      this.#compared = this.comparing;
      if (this.#compared) this.#renumbered();
    }
    if (this.b.phase === 'failed' && this.b.failure !== null) {
      this.notice = { text: `${this.b.failure.message} The comparison is not shown.`, severity: 'bad' };
      this.b.close();
    }
    if (head !== null && head.sampleBytes < backgroundSampleBytes) this.a.fetchSamples();
    this.#moved();
  }

  #moved(): void {
    this.keep();
    this.changed();
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#ask();
    });
  }

  /** Threads over time: wherever they were asked for, and above what one of them did in the order of time. */
  get stripShown(): boolean {
    const { head } = this.a;
    if (this.look === null || head === null || this.comparing || head.sampleCount === 0 || head.threads.length === 0) return false;
    return this.options.strip || this.look.view === 'time';
  }

  #ask(): void {
    const { look, options, diff } = this;
    if (look === null || !this.a.drawable || this.a.isEmpty) return;
    if (needsSamples(look, this.stripShown)) this.a.fetchSamples();
    // Until the samples are here, what was drawn before stays.
    if (this.awaitsSamples) return;
    const { head, phase } = this.a;
    // Samples change nothing that could be asked for without them.
    const trees = `${head?.profileId} ${phase} ${diff === null ? '' : this.b.head?.profileId}`;
    const samplesOf = (side: SideLoader): number | null => side.head?.events.find(({ name }) => name === look.event)?.samples ?? null;
    const samples = { a: samplesOf(this.a), b: diff === null ? null : samplesOf(this.b) };
    this.answers.ask({ look, diff, trees, phase, table: options.tablePane, strip: this.stripShown && this.a.samples === 'here', samples });
  }

  #laidOut(): void {
    this.search.again();
    this.changed();
  }

  #broke(error: unknown): void {
    const { message, cure } = toFailure(error);
    this.notice = { text: `${message} ${cure}`, severity: 'bad' };
    this.changed();
  }
}
