export type Theme = 'dark' | 'light' | 'contrast' | 'contrastLight';

type Colour = Readonly<Record<Theme, string>>;

/**
 * Of targets, a line each (see `targetHue.ts`). Each has a contrast of at least 4.5 to its theme’s background. One more changes the marks of nearly all
 * targets.
 */
const hues: readonly Colour[] = [
  { dark: '#e8a33d', light: '#b05a00', contrast: '#ffb95c', contrastLight: '#8a4500' },
  { dark: '#4ec9b0', light: '#00786a', contrast: '#5fe3c8', contrastLight: '#005f54' },
  { dark: '#b9a0f2', light: '#7547c4', contrast: '#cbb8ff', contrastLight: '#5a2fa8' },
  { dark: '#6cb2f7', light: '#0a66b8', contrast: '#8cc8ff', contrastLight: '#004f96' },
  { dark: '#b6c95c', light: '#5a6e00', contrast: '#d0e46a', contrastLight: '#465600' },
];

/** Of what a request waits for or uses. Pink marks waiting for the pool and is no target’s. */
const kinds: Readonly<Record<string, Colour>> = {
  pool: { dark: '#ef8cb6', light: '#b3266e', contrast: '#ff9fc6', contrastLight: '#8c1253' },
  app: { dark: '#6cb2f7', light: '#0a66b8', contrast: '#8cc8ff', contrastLight: '#004f96' },
  postgres: { dark: '#8fbf5a', light: '#4c7a15', contrast: '#b0e070', contrastLight: '#3a6000' },
  generator: { dark: '#a8a8a8', light: '#6a6a6a', contrast: '#d0d0d0', contrastLight: '#4a4a4a' },
};

/** How many hues a target may have. What waits for the pool has one of its own, which is no target's. */
export const targetHueCount = hues.length;

/** The colours of a theme, for panel and report alike, as CSS: “--bs-hue-0: #e8a33d; …”. */
export function paletteCss(theme: Theme): string {
  return [
    ...hues.map((colour, hue) => `--bs-hue-${hue}: ${colour[theme]};`),
    ...Object.entries(kinds).map(([kind, colour]) => `--bs-kind-${kind}: ${colour[theme]};`),
  ].join(' ');
}

/** Classes that give `--hue` a target’s colour, as CSS: “.hue-0 { --hue: var(--bs-hue-0); } …”. */
export function hueClassesCss(): string {
  return hues.map((_colour, hue) => `.hue-${hue} { --hue: var(--bs-hue-${hue}); }`).join(' ');
}
