import type { Failure } from '../../../src/model/domain/failure.ts';
import type { FlameModel } from '../core/flameModel.ts';

/** What can be asked of the worker: all that the model does but its end. */
export type FlameRequestKind = Exclude<keyof FlameModel, 'dispose'>;
/** A method of the model with its arguments. Page and worker are of one build, so that the types are the check. */
export type FlameRequest = { [Kind in FlameRequestKind]: { kind: Kind; args: Parameters<FlameModel[Kind]> } }[FlameRequestKind];
/** What a request of a kind gives. */
export type FlameAnswer<Kind extends FlameRequestKind> = Awaited<ReturnType<FlameModel[Kind]>>;

export type ToFlameWorker = FlameRequest & { id: number };

/** What was thrown, as it crosses to the page: a `FailureError` keeps its failure, a `SyntaxError` its name. */
export interface ThrownInWorker {
  name: string;
  message: string;
  failure: Failure | null;
}

export type FromFlameWorker = { id: number; ok: true; answer: unknown } | { id: number; ok: false; thrown: ThrownInWorker };
