import type { FlameSentence } from '../../../src/calltree/sentence/sentenceParts.ts';
import type { FlameSide } from '../../../src/model/domain/flame.ts';
import type { FlameNames, FunctionTableColumns, Layout, SearchResult, ThreadStrip } from './layout.ts';
import type { SandwichSpec, ViewSpec } from './viewSpec.ts';

/**
 * The page's view of its worker: everything that walks the tree is done there. Each request supersedes an earlier one of its kind that has not
 * been begun; a superseded one rejects with an `AbortError`. Bytes are transferred, not copied.
 */
export interface FlameModel {
  /** Takes the packed nodes wide enough to see (see `src/model/domain/packedTree.ts`). Gives the names for its boxes. */
  openSkeleton(side: FlameSide, packed: Uint8Array): Promise<FlameNames>;
  /** Takes the whole packed tree; what was asked for on the skeleton is laid out again on request. */
  openTree(side: FlameSide, packed: Uint8Array): Promise<FlameNames>;
  /** Takes the packed samples: time order, thread and state filters, time ranges and the thread strip need them. */
  openSamples(side: FlameSide, packed: Uint8Array): Promise<void>;
  /** Requests served while each side was recorded, for `perRequest`. */
  setRequests(side: FlameSide, requests: number | null): void;
  close(side: FlameSide): void;
  layout(spec: ViewSpec): Promise<Layout>;
  /** Of one function in the view that `spec` describes. */
  sandwich(spec: ViewSpec, sandwich: SandwichSpec): Promise<Layout>;
  /** Searches the names of the layout that was given last; a wrong regular expression rejects with a `SyntaxError`. */
  search(text: string, regex: boolean): Promise<SearchResult>;
  table(spec: ViewSpec): Promise<FunctionTableColumns>;
  /** What the view shows, in a sentence; `samples`: how many make up the event on each side, null where that is not known. */
  sentence(spec: ViewSpec, samples: Record<FlameSide, number | null>): Promise<FlameSentence>;
  threadStrip(spec: ViewSpec, buckets: number): Promise<ThreadStrip>;
  dispose(): void;
}
