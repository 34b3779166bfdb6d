import type { FromPanel } from '../../src/model/panel.ts';
import type { RunRecord } from '../../src/model/run.ts';
import type { PanelState } from './panelState.ts';

/** What asks for a run once more. */
export function requestOf({ result, request }: RunRecord): FromPanel {
  return result.kind === 'tune' ? { type: 'startTune', request: result.request } : { type: 'startRun', request };
}

/** Whether an action of a verdict starts a run or a search at once. */
export function actionMeasures(state: PanelState, { trialKey, action }: Extract<FromPanel, { type: 'takeAction' }>): boolean {
  const kind = state.run?.trials.find((trial) => trial.key === trialKey)?.diagnosis?.actions[action]?.kind;
  return kind === 'set' || kind === 'tune';
}
