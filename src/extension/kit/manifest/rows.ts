/** Rows of the Targets view by their `contextValue` (`targets/targetsView.ts`): target or service, and its state. */
export const targetRows = {
  any: /^target\./,
  measurable: /^target\.(stopped|running|failed)$/,
  startable: /^(target|service)\.(stopped|failed)$/,
  stoppable: /^(target|service)\.(running|starting)$/,
  withOutput: /^(target|service)\.(running|starting|stopping|failed)$/,
} as const;

/** Rows of runs in the Results view (`runs/runRow.ts`): pinned or not, tuned or not. */
export const runRows = {
  /** Damaged ones and what runs, too. */
  any: /^run/,
  readable: /^run(\.pinned)?(\.tuned)?$/,
  unpinned: /^run(\.tuned)?$/,
  pinned: /^run\.pinned(\.tuned)?$/,
  tuned: /^run(\.pinned)?\.tuned$/,
} as const;

/** Recordings there: on demand, and of runs. */
export const recordingRows = /^recording(\.run)?$/;
