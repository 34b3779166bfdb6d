import type { Failure } from '../../../src/model/domain/failure.ts';
import { type FromFlame, type ToFlame, toFlameSchema } from '../../../src/model/domain/flame.ts';

/** How a flame graph talks to the owner of the recording: an extension, the run page around it, or the page's own data. */
export interface FlameChannel {
  /** False where the host cannot open sources, compare, or write other formats. */
  readonly hosted: boolean;
  post(message: FromFlame): void;
  /** Calls back with every message; gives what ends that. */
  listen(callback: (message: ToFlame) => void): () => void;
  /** What was kept with `keep` before a reload, unchecked; `undefined` the first time. */
  kept(): unknown;
  keep(state: unknown): void;
}

const notUnderstood: Failure = {
  code: 'flame-message',
  message: 'The flame graph received a message that it does not understand.',
  cure: 'Close it and open it again. If that does not help, reload the window.',
};

/** The message in `data`; one that does not fit the protocol becomes a failure instead of being lost. */
export function readMessage(data: unknown): ToFlame {
  const parsed = toFlameSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const detail = issue === undefined ? {} : { detail: `${issue.path.join('.')}: ${issue.message}` };
  return { type: 'failure', side: 'a', failure: { ...notUnderstood, ...detail } };
}
