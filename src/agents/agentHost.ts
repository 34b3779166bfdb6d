import type { Failure } from '../model/domain/failure.ts';
import type { ParamsInput, RequestName, ResultOf } from '../model/protocol/protocol.ts';
import type { RunEvent } from '../model/protocol/runEvent.ts';

/** Requests that measure: one at a time, cancelled by `run/cancel`. */
export type MeasuringRequest = 'measure/start' | 'service/leak' | 'service/startup' | 'check/run';

/** The program that serves agents: a terminal, or a window of the editor. */
export interface AgentHost {
  /** The folder of the workspace; null without one. */
  readonly workspaceDir: string | null;
  /** What the names of the tools begin with there. */
  readonly toolPrefix: string;
  /** Why nothing may be asked for now; null where the user has allowed it. Asked before every call. */
  refusal(): Promise<Failure | null>;
  /** Asks the engine, which is started when needed. Rejects with a `FailureError`. */
  request<N extends RequestName>(name: N, params: ParamsInput<N>, signal?: AbortSignal): Promise<ResultOf<N>>;
  /** As `request`, where it is to be seen by the user that something is measured. */
  measure<N extends MeasuringRequest>(name: N, params: ParamsInput<N>, signal: AbortSignal): Promise<ResultOf<N>>;
  onRunEvent(listener: (event: RunEvent) => void): { dispose(): void };
  /** Does not wait: fails with `run-in-progress` while another program measures on this machine. Returns the function that ends the turn. */
  takeTurn(): () => void;
}
