import { shortened } from '../../../src/model/domain/plainText.ts';
import type { FlameSession } from './flameSession.ts';
import { stateLabel } from './flameWords.ts';
import type { PageActions } from './pageActions.ts';
import type { MenuItem } from './popupMenu.ts';
import type { FlameOptions } from './savedFlame.ts';

export function exportMenu(session: FlameSession, { savePicture, canDraw }: PageActions): MenuItem[] {
  const event = session.look?.event;
  const formats = session.channel.hosted && event !== undefined ? (session.a.head?.exports ?? []) : [];
  return [
    { text: 'PNG picture of what is shown', disabled: !canDraw(), run: savePicture },
    ...formats.map(({ id: format, label }, index) => ({
      text: label,
      apart: index === 0,
      run: () => session.channel.post({ type: 'export', format, event: event ?? '' }),
    })),
  ];
}

export function compareMenu(session: FlameSession): MenuItem[] {
  return [
    ...session.others.slice(0, 30).map((other) => ({
      text: shortened(other.title, 80),
      hint: startedPhrase(other.startedAt),
      run: () => session.compare(other.id),
    })),
    {
      text: session.others.length === 0 ? 'Choose a recording…' : 'Another one…',
      apart: session.others.length > 0,
      run: () => session.compare(null),
    },
  ];
}

function startedPhrase(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime())
    ? ''
    : new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }).format(date);
}

/** The choice after `index` has been pressed: from all to that one alone, then one more or one less; none is all. */
export function toggled(chosen: readonly number[] | null, index: number): number[] | null {
  if (chosen === null) return [index];
  const next = chosen.includes(index) ? chosen.filter((one) => one !== index) : [...chosen, index].sort((a, b) => a - b);
  return next.length === 0 ? null : next;
}

const mostThreads = 500;

export function filterMenu(session: FlameSession, what: 'threads' | 'states'): MenuItem[] {
  const names = session.a.head?.[what] ?? [];
  const chosen = session.look?.[what] ?? null;
  const set = (value: number[] | null): void => session.visit({ [what]: value, zoom: null });
  return [
    { text: what === 'threads' ? 'All threads' : 'All states', checked: chosen === null, run: () => set(null) },
    ...names.slice(0, mostThreads).map((name, index) => ({
      text: what === 'states' ? stateLabel(name) : shortened(name, 80) || '(no name)',
      checked: chosen?.includes(index) ?? false,
      apart: index === 0,
      run: () => set(toggled(chosen, index)),
    })),
  ];
}

const colourTexts: Record<FlameOptions['colourBy'], string> = { category: 'Kind of code', tier: 'How it was compiled', package: 'Package' };

export function colourMenu(session: FlameSession): MenuItem[] {
  const hasTiers = session.answers.layouts.value?.tier !== null;
  return (['category', 'tier', 'package'] as const).map((colourBy) => ({
    text: colourTexts[colourBy],
    checked: session.options.colourBy === colourBy,
    disabled: colourBy === 'tier' && !hasTiers,
    ...(colourBy === 'tier' && !hasTiers ? { hint: 'not recorded' } : {}),
    run: () => session.setOptions({ colourBy }),
  }));
}
