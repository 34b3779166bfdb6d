import { parentPort, Worker } from 'node:worker_threads';
import { type Failure, FailureError, toFailure } from '../../model/domain/failure.ts';

/** What a thread can be asked, by name, and what it says until it answers. Both sides are of one build, so that the types are the check. */
type Questions<Q> = { [Name in keyof Q]: { params: unknown; result: unknown; news?: unknown } };

/** What answers in a thread. */
export type Answers<Q extends Questions<Q>> = {
  [Name in keyof Q]: (params: Q[Name]['params'], tell: (news: Q[Name]['news']) => void) => Q[Name]['result'] | Promise<Q[Name]['result']>;
};

interface Question<Q extends Questions<Q>> {
  id: number;
  name: keyof Q;
  params: Q[keyof Q]['params'];
}
type Answer = { id: number; news: unknown } | { id: number; result: unknown } | { id: number; failure: Failure };

/** Why a thread answers no more: it was ended, or an error has ended it. */
interface Endings {
  ended: () => Error;
  broken: (error: Error & { code?: string }) => Error;
}

interface Waiting {
  onNews: (news: unknown) => void;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** A thread that is asked, one question after the other. Its heap is bounded: what it reads may be anything. */
export class AskedThread<Q extends Questions<Q>> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #ended: Error | null = null;

  constructor(
    workerPath: string,
    readonly heapMb: number,
    private readonly endings: Endings,
  ) {
    this.#worker = new Worker(workerPath, { resourceLimits: { maxOldGenerationSizeMb: heapMb }, stdout: false, stderr: false });
    this.#worker.on('message', (answer: Answer) => this.#receive(answer));
    this.#worker.on('error', (error) => this.#end(endings.broken(error)));
    this.#worker.on('exit', () => this.#end(endings.ended()));
  }

  /** An abort ends the thread. */
  async ask<Name extends keyof Q>(
    name: Name,
    params: Q[Name]['params'],
    signal?: AbortSignal,
    onNews: (news: Q[Name]['news']) => void = () => undefined,
  ): Promise<Q[Name]['result']> {
    signal?.throwIfAborted();
    const abort = (): void => this.#end(signal?.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      if (this.#ended !== null) throw this.#ended;
      const id = this.#nextId++;
      const result = await new Promise<unknown>((resolve, reject) => {
        this.#waiting.set(id, { onNews, resolve, reject });
        this.#worker.postMessage({ id, name, params } satisfies Question<Q>);
      });
      return result as Q[Name]['result'];
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    this.#end(this.endings.ended());
    await this.#worker.terminate();
  }

  #receive(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if ('news' in answer) return waiting?.onNews(answer.news);
    this.#waiting.delete(answer.id);
    if ('failure' in answer) waiting?.reject(new FailureError(answer.failure));
    else waiting?.resolve(answer.result);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended);
    this.#waiting.clear();
    void this.#worker.terminate();
  }
}

/** Answers what this thread is asked. */
export function answerQuestions<Q extends Questions<Q>>(answers: Answers<Q>): void {
  const answer = async ({ id, name, params }: Question<Q>): Promise<unknown> =>
    answers[name](params, (news) => parentPort?.postMessage({ id, news } satisfies Answer));
  parentPort?.on('message', (question: Question<Q>) => {
    const { id } = question;
    answer(question).then(
      (result) => parentPort?.postMessage({ id, result } satisfies Answer),
      (error: unknown) => parentPort?.postMessage({ id, failure: toFailure(error) } satisfies Answer),
    );
  });
}

/** Whether a thread needed more memory than it may have. */
export function isOutOfMemory({ code }: Error & { code?: string }): boolean {
  return code === 'ERR_WORKER_OUT_OF_MEMORY';
}
