import { type Category, categories } from '../../../../webview/flame/core/colours.ts';
import type { Layout, SearchResult, ThreadStrip } from '../../../../webview/flame/core/layout.ts';
import '../../../../webview/flame/graph/flameGraph.ts';
import '../../../../webview/flame/graph/legend.ts';
import '../../../../webview/flame/graph/threadStrip.ts';
import type { FlameGraphElement } from '../../../../webview/flame/graph/flameGraph.ts';
import { type Call, type Drawn, javaCalls, largeLayout, layoutOf, randomFrom } from './layouts.ts';

/** What a test in Node calls inside the page. */
export interface FlameTestPage {
  graph: FlameGraphElement;
  events: { type: string; detail: unknown }[];
  frames: number[];
  show(drawn: Drawn): void;
  java(): Drawn;
  compared(): Drawn;
  calls(calls: readonly Call[]): Drawn;
  large(boxCount: number): Drawn;
  searchFor(text: string): SearchResult;
  strip(threads: number, buckets: number): ThreadStrip;
  /** Resolves after a frame in which whatever was asked for has been drawn. */
  drawn(): Promise<void>;
}

declare global {
  interface Window {
    flame: FlameTestPage;
  }
}

function matching(drawn: { layout: Layout; names: readonly string[] }, text: string): SearchResult {
  const { layout, names } = drawn;
  const matches = Uint8Array.from(layout.func, (func) => Number(func >= 0 && (names[func] ?? '').includes(text)));
  const order = Uint32Array.from([...matches.keys()].filter((box) => matches[box] === 1));
  return { matches, order, matchedWeight: 0, matchedShare: 0 };
}

/** Two sides of the sample: a pool of 2 that is waited for, and one of 16 that is not; a cache that only the other one had. */
function comparedCalls(): Call[] {
  const withOther = (call: Call, factor: (call: Call) => number): Call => ({
    ...call,
    ...(call.self === undefined ? {} : { selfB: call.self * factor(call) }),
    ...(call.calls === undefined ? {} : { calls: call.calls.map((callee) => withOther(callee, factor)) }),
  });
  const shares: Record<string, number> = {
    futex_wait: 0.02,
    __libc_recv: 1.15,
    'bulletin.AdsHandler.write': 0,
    'java.lang.String.getBytes': 2.2,
  };
  const calls = javaCalls().map((call) => withOther(call, ({ name }) => shares[name] ?? 1));
  return [...calls, { name: 'bulletin.Cache.refresh', self: 0, selfB: 60e6 }];
}

function exampleStrip(threads: number, buckets: number): ThreadStrip {
  const random = randomFrom(3);
  const kinds: readonly Category[] = ['app', 'poolWait', 'poolWait', 'databaseWait', 'runtime', 'idle'];
  const category = new Uint8Array(threads * buckets).fill(255);
  const weight = new Float64Array(threads * buckets);
  for (let row = 0; row < threads; row++) {
    let kind: Category = 'idle';
    for (let bucket = 0; bucket < buckets; bucket++) {
      if (random() < 0.12) kind = kinds[Math.floor(random() * kinds.length)] ?? 'app';
      if (random() < 0.02) continue;
      category[row * buckets + bucket] = categories.indexOf(kind);
      weight[row * buckets + bucket] = 1e6 * (1 + random());
    }
  }
  return {
    threads: Int32Array.from({ length: threads }, (_, row) => row),
    buckets,
    fromUs: 0,
    toUs: 10_000_000,
    category,
    state: new Uint8Array(threads * buckets),
    weight,
  };
}

const graph = document.createElement('benchside-flame-graph');
graph.id = 'graph';
document.body.append(graph);
const events: FlameTestPage['events'] = [];
for (const type of ['box-hover', 'box-select', 'box-open', 'box-menu', 'viewport-change', 'range-select', 'thread-select']) {
  document.body.addEventListener(type, (event) => events.push({ type, detail: (event as CustomEvent<unknown>).detail }));
}
const frames: number[] = [];
graph.onFrame = (scriptMs) => frames.push(scriptMs);

window.flame = {
  graph,
  events,
  frames,
  show({ layout, names }) {
    graph.names = names;
    graph.layout = layout;
  },
  java: () => layoutOf(javaCalls()),
  compared: () => layoutOf(comparedCalls(), true),
  calls: (calls) => layoutOf(calls),
  large: (boxCount) => largeLayout(boxCount),
  searchFor: (text) => {
    const { layout, names } = graph;
    if (layout === null || names === null) throw new Error('Nothing is shown.');
    return matching({ layout, names: names.name }, text);
  },
  strip: exampleStrip,
  drawn: () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
};
