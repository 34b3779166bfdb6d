import * as z from 'zod';
import { formSchema } from '../../src/model/panel.ts';
import type { PanelState } from './panelState.ts';
import { views } from './panelState.ts';

/** What survives hiding and reload. `shownRunId` is also read by the extension when it restores the panel. */
export const savedStateSchema = z.object({
  view: z.enum(views),
  form: formSchema.nullable(),
  shownRunId: z.string().nullable(),
  chosen: z.object({ a: z.string(), b: z.string() }),
  scrollY: z.number(),
  moreSettings: z.boolean(),
});
export type SavedState = z.infer<typeof savedStateSchema>;

export const firstState: SavedState = {
  view: 'result',
  form: null,
  shownRunId: null,
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
  return { view: state.view, form: state.catalog ? state.form : null, shownRunId, chosen: state.chosen, scrollY, moreSettings };
}
