import '../../kit/page/withoutEval.ts';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { FlameEngine } from './flameEngine.ts';
import type { FlameRequest, FromFlameWorker, ThrownInWorker, ToFlameWorker } from './workerMessages.ts';

/** The part of a worker's global scope that is used here; the types of a page's scope differ. */
interface WorkerScope {
  onmessage: ((event: { data: ToFlameWorker }) => void) | null;
  postMessage(message: FromFlameWorker, transfer: ArrayBufferLike[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const engine = new FlameEngine();

scope.onmessage = ({ data }) => {
  const { id } = data;
  try {
    const answer = answerTo(data);
    scope.postMessage({ id, ok: true, answer }, data.kind.startsWith('open') ? [] : columnsOf(answer));
  } catch (thrown) {
    scope.postMessage({ id, ok: false, thrown: described(thrown) }, []);
  }
};

function answerTo(request: FlameRequest): unknown {
  switch (request.kind) {
    case 'openSkeleton':
      return engine.openSkeleton(request.side, request.packed);
    case 'openTree':
      return engine.openTree(request.side, request.packed);
    case 'openSamples':
      return engine.openSamples(request.side, request.packed);
    case 'setRequests':
      return engine.setRequests(request.side, request.requests);
    case 'close':
      return engine.close(request.side);
    case 'layout':
      return engine.layout(request.spec);
    case 'sandwich':
      return engine.sandwich(request.spec, request.sandwich);
    case 'search':
      return engine.search(request.text, request.regex);
    case 'table':
      return engine.table(request.spec);
    case 'sentence':
      return engine.sentence(request.spec, request.samples);
    case 'threadStrip':
      return engine.threadStrip(request.spec, request.buckets);
  }
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
