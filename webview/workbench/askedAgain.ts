import type { FromPanel } from '../../src/model/protocol/panel.ts';
import type { RunRecord } from '../../src/model/domain/run.ts';
import type { PanelState } from './panelState.ts';

/** What asks for a run once more. */
export function requestOf({ result, request }: RunRecord): FromPanel {
  return { type: 'measure', request: result.kind === 'tune' ? { kind: 'tune', ...result.request } : { kind: 'run', ...request } };
}

const starts = ['measure', 'startLive', 'measureAgain', 'whatWouldHelp'] as const;
type Start = Extract<FromPanel, { type: (typeof starts)[number] | 'takeAction' }>;

/** Whether it asks for a measurement: an action of a verdict may start a run or a search at once. */
export function asksToMeasure(state: PanelState, message: FromPanel): message is Start {
  if (message.type !== 'takeAction') return starts.some((type) => type === message.type);
  const kind = state.run?.trials.find(({ key }) => key === message.trialKey)?.diagnosis?.actions[message.action]?.kind;
  return kind === 'set' || kind === 'tune';
}

/** The state once a measurement was asked for: until it begins, or until `answered` says that it does not. */
export function asking(state: PanelState, message: Start): PanelState {
  return {
    ...state,
    starting: true,
    failure: null,
    asked: state.asked + 1,
    experimentAsked: state.experimentAsked || (message.type === 'measure' && message.request.kind === 'experiment'),
  };
}
