import type { ErrorCounts } from '../../model/domain/run.ts';
import type { Reach } from './connection.ts';
import type { BlockCommand, LoadMeasurement, FromWorker, LoadTick, MixRequest, SliceCommand } from './loadProtocol.ts';

type Asked = Omit<BlockCommand, 'type' | 'id' | 'mode' | 'mix' | 'morePorts'>;
type Preset = 'thinkTimeMs' | 'tickMs' | 'tls' | 'keepAlive';

/**
 * One block of load on a target on this machine: see `blockCommandSchema`, whose presets count for what is left out. A host that is no loopback address is
 * refused. In an open loop the block takes up to a second longer than its window when answers are slow to come.
 */
export type BlockPlan = Omit<Asked, Preset> &
  Partial<Pick<Asked, Preset>> & {
    mix: readonly MixRequest[];
    morePorts?: readonly number[];
  };

/** What a block's plan says of how its target is spoken to. */
export function reachPlan({ host, tls, socketPath }: Reach): Pick<BlockPlan, 'host' | 'tls' | 'socketPath'> {
  return { host, ...(tls ? { tls } : {}), ...(socketPath === undefined ? {} : { socketPath }) };
}

/** A measured block. `windowStart` and `windowEnd` are this process's `performance.now()` when its window opened and closed. */
export type BlockResult = LoadMeasurement & { windowStart: number; windowEnd: number };

export interface BlockOptions {
  onTick?: (tick: LoadTick) => void;
  /** Called when the measured window opens and closes, to read meters at its edges, so many ms after the edge; not at laps. */
  onWindow?: (edge: 'open' | 'close', lateMs: number) => void;
  signal?: AbortSignal;
}

/** Mirrored slices of several sides. Times in ms; see `sliceCommandSchema`. */
export type SlicePlan = Omit<SliceCommand, 'type' | 'id'>;

export interface SliceOptions {
  onTick?: (side: number, tick: LoadTick) => void;
  /** A slice of this side begins. Where the plan is `turned`, its load begins when this resolves. */
  onSlice?: (side: number) => Promise<void> | void;
  signal?: AbortSignal;
}

/** For each side what all its slices measured together, and every slice in order. */
export type SlicesResult = Omit<Extract<FromWorker, { type: 'slices' }>, 'type' | 'id'>;

export interface StartOptions {
  nodePath: string;
  workerPath: string;
  env: Readonly<Record<string, string>>;
  /** Ends the waiting, and the worker with it. */
  signal?: AbortSignal;
  timeoutMs?: number;
}

export interface WarmUpOptions extends BlockOptions {
  /** Asked after each tick with all ticks so far. */
  isSteady: (ticks: readonly LoadTick[]) => boolean;
  minMs: number;
  maxMs: number;
}

export interface WarmUpResult {
  durationMs: number;
  steady: boolean;
  ticks: LoadTick[];
  requests: number;
  errors: ErrorCounts;
}
