import * as z from 'zod';
import type { ProfileHead } from '../../../src/model/domain/flame.ts';
import type { Transform } from '../../../src/calltree/transforms.ts';
import { isFiltered } from '../core/tree/selection.ts';

/** The views, in the order of the switch. */
export const flameViews = ['flame', 'time', 'callers', 'table'] as const;
export type FlameView = (typeof flameViews)[number];

const func = z.number().int().nonnegative();
const node = z.number().int().nonnegative();
const transformSchema: z.ZodType<Transform> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('focusNode'), node }),
  z.object({ kind: z.literal('focusFunction'), func }),
  z.object({ kind: z.literal('hideFunction'), func }),
  z.object({ kind: z.literal('dropFunction'), func }),
  z.object({ kind: z.literal('dropNode'), node }),
  z.object({ kind: z.literal('foldRecursion') }),
  z.object({ kind: z.literal('foldLibraries'), open: z.array(node).max(500).optional() }),
]);

/** What is on show, and what back and forward go over. Threads and states are indexes into the recording's; `zoom` is in shares of the width. */
export const lookSchema = z.object({
  event: z.string(),
  view: z.enum(flameViews),
  transforms: z.array(transformSchema),
  threads: z.array(z.number().int()).nullable(),
  states: z.array(z.number().int()).nullable(),
  showIdle: z.boolean(),
  timeRange: z.tuple([z.number(), z.number()]).nullable(),
  subject: func.nullable().describe('the function whose callers and callees are shown'),
  zoom: z.object({ from: z.number(), to: z.number() }).nullable(),
});
export type Look = z.infer<typeof lookSchema>;

/** How a recording is shown first. */
export function firstLook(head: Pick<ProfileHead, 'defaultEvent' | 'events'>): Look {
  const event = head.events.some(({ name }) => name === head.defaultEvent)
    ? head.defaultEvent
    : (head.events[0]?.name ?? head.defaultEvent);
  return {
    event,
    view: 'flame',
    transforms: [{ kind: 'foldLibraries' }],
    threads: null,
    states: null,
    showIdle: false,
    timeRange: null,
    subject: null,
    zoom: null,
  };
}

/** Whether anything but the view, the event and the zoom differs from the first look: what “Reset” reverts. */
export function differsFromFirst(look: Look): boolean {
  return look.transforms.some(({ kind }) => kind !== 'foldLibraries') || isFiltered(look);
}

/** Whether samples are needed to show this. */
export function needsSamples(look: Look, strip: boolean): boolean {
  return strip || look.view === 'time' || isFiltered(look);
}

export interface LookHistory {
  past: readonly Look[];
  now: Look;
  future: readonly Look[];
}

const mostKept = 100;

/** A new look on top; what was ahead is forgotten. */
export function visit(history: LookHistory, look: Look): LookHistory {
  return { past: [...history.past, history.now].slice(-mostKept), now: look, future: [] };
}

/** The look that is on show, changed without a step of its own. */
export function amend(history: LookHistory, look: Look): LookHistory {
  return { ...history, now: look };
}

export function back(history: LookHistory): LookHistory {
  const now = history.past.at(-1);
  return now === undefined ? history : { past: history.past.slice(0, -1), now, future: [history.now, ...history.future] };
}

export function forward(history: LookHistory): LookHistory {
  const [now, ...future] = history.future;
  return now === undefined ? history : { past: [...history.past, history.now], now, future };
}
