import type { AdviceProgress, AdviceRecord, AdviceSummary } from '../../src/model/domain/adviceRecord.ts';
import type { ToPanel } from '../../src/model/protocol/panel.ts';

export interface AdviceState {
  /** What is stored, newest first; `null` until it has arrived. */
  list: AdviceSummary[] | null;
  /** The one on show. */
  record: AdviceRecord | null;
  /** How far the search is that goes on. */
  progress: AdviceProgress | null;
  /** The one to show when the list arrives, of a page that was loaded again. */
  awaited: string | null;
}

export function initialAdvice(awaited: string | null): AdviceState {
  return { list: null, record: null, progress: null, awaited };
}

type Message = Extract<ToPanel, { type: 'advice' | 'adviceProgress' }>;

export function reduceAdvice(state: AdviceState, message: Message): AdviceState {
  if (message.type === 'advice') return { ...state, list: message.list, record: message.record, awaited: null };
  return { ...state, progress: message.progress };
}

/** Whether a search begins with this message; one that a page finds when it is loaded goes on. */
export function beginsAdvice(state: AdviceState, message: Extract<Message, { type: 'adviceProgress' }>): boolean {
  return state.progress === null && message.progress !== null && !message.replay;
}
