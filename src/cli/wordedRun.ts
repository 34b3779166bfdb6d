import { findingTexts } from '../model/findings.ts';
import type { RunRecord } from '../model/run.ts';

/** A run as `--json` prints it: its record, with what was found in words. Codes and figures stand in the stored `run.json`. */
export function wordedRun(run: RunRecord): object {
  return {
    ...run,
    reasons: findingTexts(run.reasons),
    trials: run.trials.map((trial) => ({
      ...trial,
      reasons: findingTexts(trial.reasons),
      notes: findingTexts(trial.notes),
      blocks: trial.blocks.map((block) => ({ ...block, reasons: findingTexts(block.reasons) })),
    })),
  };
}
