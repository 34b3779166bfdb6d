import {
  type CancellationToken,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  createMessageConnection,
} from 'vscode-jsonrpc/node';
import { type Failure, failure, isCancellation, toFailure } from '../../model/domain/failure.ts';
import {
  type NotificationName,
  type NotificationOf,
  type Params,
  type RequestName,
  type ResultOf,
  failureErrorCode,
  requests,
} from '../../model/protocol/protocol.ts';

/** By this a client asks whether the engine hears anything; it is none of the requests that do something. */
export const lifeSign = 'engine/alive';

/** One function for each request; it gets parsed parameters and a signal that is aborted when the client cancels. */
export type Handlers = { [N in RequestName]: (params: Params<N>, signal: AbortSignal) => Promise<ResultOf<N>> };

/** Finds the handler of a request as it comes in; fails where it cannot be answered now. */
export type FindHandler = (name: RequestName) => Handlers[RequestName];

/** Sends a notification to the client. */
export type Notify = <N extends NotificationName>(name: N, value: NotificationOf<N>) => void;

/** How the client learns of what an app may have printed: failures, and progress messages. */
export interface OutgoingFilter {
  failure: (value: Failure) => Failure;
  notification: <N extends NotificationName>(name: N, value: NotificationOf<N>) => NotificationOf<N>;
}

/** Answers requests that come in on `input`. Parameters are checked on receipt; what a handler throws goes back as a failure. */
export function serve(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  handlersWith: (notify: Notify) => FindHandler,
  filter: OutgoingFilter = { failure: (value) => value, notification: (_, value) => value },
): void {
  const connection = createMessageConnection(new StreamMessageReader(input), new StreamMessageWriter(output));
  const find = handlersWith((name, value) => {
    try {
      void connection.sendNotification(name, filter.notification(name, value)).catch(() => undefined);
    } catch {
      // It throws at once when the client has gone: a message without a reader must not abort the cleanup that sends it.
    }
  });
  for (const name of Object.keys(requests) as RequestName[]) {
    connection.onRequest(name, async (params: unknown, token: CancellationToken) => {
      const controller = new AbortController();
      const subscription = token.onCancellationRequested(() => controller.abort());
      try {
        const parsed = requests[name].params.safeParse(params);
        if (!parsed.success) {
          throw failure(
            'bad-request',
            `The request ${name} is not understood.`,
            'Check what was typed; if it came from a window, reload it.',
            parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
          );
        }
        const handler = find(name) as (params: never, signal: AbortSignal) => Promise<unknown>;
        return await handler(parsed.data as never, controller.signal);
      } catch (error) {
        const value = filter.failure(toFailure(isCancellation(error) ? failure('cancelled', 'Cancelled.') : error));
        throw new ResponseError(failureErrorCode, value.message, value);
      } finally {
        subscription.dispose();
      }
    });
  }
  connection.onRequest(lifeSign, () => ({}));
  connection.onError(() => undefined);
  connection.listen();
}
