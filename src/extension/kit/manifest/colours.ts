import { colourIds } from '../ids.ts';

interface Colour {
  description: string;
  defaults: Readonly<Record<'dark' | 'light' | 'highContrast' | 'highContrastLight', `#${string}`>>;
}

const table: Readonly<Record<keyof typeof colourIds, Colour>> = {
  sourceMark: {
    description: 'Text before a line of source that takes 5 % or more in the flame graph on show.',
    defaults: { dark: '#e8a557', light: '#8a4600', highContrast: '#ffb870', highContrastLight: '#6b3500' },
  },
  quietSourceMark: {
    description: 'Text before a line of source that takes less than 5 %, or whose figures are stale.',
    defaults: { dark: '#9d9d9d', light: '#5f5f5f', highContrast: '#d4d4d4', highContrastLight: '#292929' },
  },
};

/** Colours that themes and users can change. */
export const colours = Object.entries(table).map(([name, colour]) => ({ id: colourIds[name as keyof typeof colourIds], ...colour }));
