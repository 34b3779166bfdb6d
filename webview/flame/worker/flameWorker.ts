import '../../kit/page/withoutEval.ts';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { FlameEngine } from './flameEngine.ts';
import type { FlameModel } from '../core/flameModel.ts';
import type { FlameAnswer, FlameRequest, FlameRequestKind, FromFlameWorker, ThrownInWorker, ToFlameWorker } from './workerMessages.ts';

/** The part of a worker's global scope that is used here; the types of a page's scope differ. */
interface WorkerScope {
  onmessage: ((event: { data: ToFlameWorker }) => void) | null;
  postMessage(message: FromFlameWorker, transfer: ArrayBufferLike[]): void;
}

const scope = globalThis as unknown as WorkerScope;
/** The engine does what the model is asked for, at once. */
const engine: { [Kind in FlameRequestKind]: (...args: Parameters<FlameModel[Kind]>) => FlameAnswer<Kind> } = new FlameEngine();

scope.onmessage = ({ data }) => {
  const { id } = data;
  try {
    const answer = answerTo(data);
    scope.postMessage({ id, ok: true, answer }, data.kind.startsWith('open') ? [] : columnsOf(answer));
  } catch (thrown) {
    scope.postMessage({ id, ok: false, thrown: described(thrown) }, []);
  }
};

function answerTo({ kind, args }: FlameRequest): unknown {
  const serve: (...args: never[]) => unknown = engine[kind];
  return Reflect.apply(serve, engine, args);
}

/** The buffers of all columns in an answer, to be handed over: nothing of an answer is kept here. (Names are kept and so copied.) */
function columnsOf(answer: unknown): ArrayBufferLike[] {
  const buffers = new Set<ArrayBufferLike>();
  const collect = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer);
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) collect(each);
  };
  collect(answer);
  return [...buffers];
}

function described(thrown: unknown): ThrownInWorker {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown), failure: null };
  return { name: thrown.name, message: thrown.message, failure: thrown instanceof FailureError ? thrown.failure : null };
}
