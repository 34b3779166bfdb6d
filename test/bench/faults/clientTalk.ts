import type { ParamsInput } from '../../../src/model/protocol/protocol.ts';
import type { Phase } from '../../../src/model/protocol/runEvent.ts';
import type { Activity } from './activities.ts';

/** What a client is started with, as its one argument. */
export interface ClientTask {
  nodePath: string;
  enginePath: string;
  env: Record<string, string>;
  initialize: ParamsInput<'engine/initialize'>;
}

/** What a client is to let its engine do. */
export interface Act {
  activity: Activity;
  target: string;
  record: boolean;
  /** A run that only shows that one is possible. */
  isShort: boolean;
}

/** `resize`: a setting of a running process is being changed. */
export type ScenePhase = Phase | 'resize';

/** One line that a client prints. */
export type ClientSays =
  | { type: 'engine'; pid: number }
  | { type: 'greeted'; pid: number; reaped: number }
  | { type: 'engine-ended'; pid: number; how: string }
  | { type: 'phase'; phase: ScenePhase }
  | { type: 'ended'; outcome: 'complete' | 'cancelled' | 'failed'; stored: string | null; code: string | null; said?: string | null };

/** The messages to a client, a line of JSON each. */
export type ClientOrder = 'close-output' | 'break-off' | 'reload' | 'leave' | Act;
