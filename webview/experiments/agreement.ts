import type { IconName } from '../kit/controls/icons.ts';

export interface AgreementMark {
  icon: IconName;
  kind: 'good' | 'bad' | 'unsure';
}

/** The icon and the colour of yes, no and what is only seen. */
export function agreementMark(agrees: boolean | null): AgreementMark {
  if (agrees === null) return { icon: 'info', kind: 'unsure' };
  return agrees ? { icon: 'check', kind: 'good' } : { icon: 'warning', kind: 'bad' };
}

/** "agrees", "does not agree", "only seen": short, for lists. */
export function agreementWord(agrees: boolean | null): string {
  if (agrees === null) return 'only seen';
  return agrees ? 'agrees' : 'does not agree';
}
