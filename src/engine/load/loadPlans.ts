import type { ErrorCounts } from '../../model/domain/run.ts';
import type { Reach } from './connection.ts';
import type { BlockMeasurement, FromWorker, LoadTick, MixRequest, OpenLoopPlan, ScenarioPlan, SliceCommand } from './loadProtocol.ts';
import type { RawCommand } from './raw/rawCommand.ts';

/** One block of load on a target on this machine. Times in ms. */
export interface BlockPlan {
  /** A loopback address; anything else is refused. */
  host: string;
  port: number;
  connections: number;
  /** Under load before the window opens, not counted. */
  settleMs: number;
  /** The measured window. */
  windowMs: number;
  timeoutMs: number;
  /** Mean pause of a connection between an answer and its next request; see `ThinkTime`. */
  thinkTimeMs?: number;
  tickMs?: number;
  /** See `blockSeed`: the same seed gives the same requests in the same order. */
  seed: number;
  mix: readonly MixRequest[];
  /**
   * Open loop: so many requests/s, evenly spaced, whatever the target does; `connections` are then not used. At most `maxInFlight` are in progress; what would
   * exceed that is dropped and counted. The block takes up to a second longer than its window when answers are slow to come.
   */
  open?: OpenLoopPlan;
  /** Additional ports of the same target: the connections (or the rate) are shared evenly among all. */
  morePorts?: readonly number[];
  /** A Unix socket in place of host and port; `{port}` in it is replaced by each of the ports. */
  socketPath?: string;
  /** HTTPS, with whatever certificate the target has. */
  tls?: boolean;
  /** false: each request has a connection of its own, by `Connection: close`. */
  keepAlive?: boolean;
  /** The window closes when so many requests were answered in it, and after `windowMs` at the latest. */
  requests?: number;
  /** The window opens at this time of the machine's monotonic clock ({@link machineMs}) instead of after `settleMs`, which is then not used. */
  openAtMs?: number;
  /** Users who come and go instead of connections; see {@link LoadGenerator.runRoles}. */
  scenario?: ScenarioPlan;
  /** Keep the requests as raw samples; what was kept is the result's `raw`. */
  raw?: RawCommand;
}

/** What a block's plan says of how its target is spoken to. */
export function reachPlan({ host, tls, socketPath }: Reach): Pick<BlockPlan, 'host' | 'tls' | 'socketPath'> {
  return { host, ...(tls ? { tls } : {}), ...(socketPath === undefined ? {} : { socketPath }) };
}

/** A measured block. `windowStart` and `windowEnd` are this process's `performance.now()` when its window opened and closed. */
export type BlockResult = BlockMeasurement & { windowStart: number; windowEnd: number };

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
  cwd?: string;
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
