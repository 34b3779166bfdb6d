import type { Failure } from '../../../src/model/domain/failure.ts';
import type { FlameSide } from '../../../src/model/domain/flame.ts';
import type { FlameModel } from '../core/flameModel.ts';
import type { SandwichSpec, ViewSpec } from '../core/viewSpec.ts';

/** What can be asked of the worker. Page and worker are of one build, so that the types are the check. */
export type FlameRequest =
  | { kind: 'openSkeleton'; side: FlameSide; packed: Uint8Array }
  | { kind: 'openTree'; side: FlameSide; packed: Uint8Array }
  | { kind: 'openSamples'; side: FlameSide; packed: Uint8Array }
  | { kind: 'setRequests'; side: FlameSide; requests: number | null }
  | { kind: 'close'; side: FlameSide }
  | { kind: 'layout'; spec: ViewSpec }
  | { kind: 'sandwich'; spec: ViewSpec; sandwich: SandwichSpec }
  | { kind: 'search'; text: string; regex: boolean }
  | { kind: 'table'; spec: ViewSpec }
  | { kind: 'sentence'; spec: ViewSpec; samples: Record<FlameSide, number | null> }
  | { kind: 'threadStrip'; spec: ViewSpec; buckets: number };
export type FlameRequestKind = FlameRequest['kind'];

/** What a request of a kind gives. */
export type FlameAnswer<K extends FlameRequestKind> = Awaited<ReturnType<FlameModel[K]>>;

export type ToFlameWorker = FlameRequest & { id: number };

/** What was thrown, as it crosses to the page: a `FailureError` keeps its failure, a `SyntaxError` its name. */
export interface ThrownInWorker {
  name: string;
  message: string;
  failure: Failure | null;
}

export type FromFlameWorker = { id: number; ok: true; answer: unknown } | { id: number; ok: false; thrown: ThrownInWorker };
