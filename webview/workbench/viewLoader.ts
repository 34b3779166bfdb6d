import type { View } from './panelState.ts';

/** Each view is a part of the bundle of its own, loaded when it is first opened: the form is there before the charts are. */
const loaders: Record<Exclude<View, 'flame'>, () => Promise<unknown>> = {
  tune: () => import('../tune/tuneView.ts'),
  live: () => import('../live/liveView.ts'),
  advise: () => import('../advice/adviceView.ts'),
  compare: () => import('../compare/compareView.ts'),
  versions: () => import('../versions/versionsView.ts'),
  experiments: () => import('../experiments/experimentsView.ts'),
  raw: () => import('../raw/rawFigures.ts'),
};

type Loaded = 'loading' | 'there' | 'failed';
const loaded = new Map<View, Loaded>();

/** How far a view's code is loaded; the first call starts loading it, and `onChange` is called when that has ended. */
export function viewLoaded(view: View, onChange: () => void): Loaded {
  if (view === 'flame') return 'there';
  const known = loaded.get(view);
  if (known !== undefined) return known;
  const settle = (outcome: Loaded): void => {
    loaded.set(view, outcome);
    onChange();
  };
  loaded.set(view, 'loading');
  loaders[view]().then(
    () => settle('there'),
    () => settle('failed'),
  );
  return 'loading';
}
