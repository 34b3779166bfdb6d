import * as z from 'zod';
import { emptyLiveForm, liveFormSchema } from '../live/liveForm.ts';
import { type PanelState, views } from './panelState.ts';

/** What survives hiding and reload. `shownRunId` is also read by the extension when it restores the panel. */
export const savedStateSchema = z.object({
  view: z.enum(views),
  shownRunId: z.string().nullable(),
  shownAdviceId: z.string().nullable().default(null),
  liveForm: liveFormSchema.default(emptyLiveForm),
  chosen: z.object({ a: z.string(), b: z.string(), trialA: z.string().optional(), trialB: z.string().optional() }),
  scrollY: z.number(),
  moreSettings: z.boolean(),
});
export type SavedState = z.infer<typeof savedStateSchema>;

export const firstState: SavedState = {
  view: 'tune',
  liveForm: emptyLiveForm,
  shownRunId: null,
  shownAdviceId: null,
  chosen: { a: '', b: '' },
  scrollY: 0,
  moreSettings: false,
};

/** Reads what was kept. What does not fit (it was written by another version) counts as nothing. */
export function readSavedState(value: unknown): SavedState {
  const parsed = savedStateSchema.safeParse(value);
  return parsed.success ? parsed.data : firstState;
}

/** What to keep of the panel's state. A run that is still awaited stays the shown one. */
export function toSavedState(state: PanelState, scrollY: number, moreSettings: boolean): SavedState {
  const shownRunId = state.run?.id ?? state.awaitedRunId;
  const { view, liveForm, chosen, advice } = state;
  const shownAdviceId = advice.record?.id ?? advice.awaited;
  return { view, liveForm, shownRunId, shownAdviceId, chosen, scrollY, moreSettings };
}
