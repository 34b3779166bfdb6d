/** The kinds of themes of a page. */
export type Theme = 'dark' | 'light' | 'contrast' | 'contrastLight';

/** Of targets by their hue (`targetHue.ts`), and of what a request waits for or uses. */
const names = ['hue-0', 'hue-1', 'hue-2', 'hue-3', 'hue-4', 'kind-pool', 'kind-app', 'kind-postgres', 'kind-generator'] as const;

/**
 * The colours of {@link names}, for panel and report alike. Each has a contrast of at least 4.5 to its theme’s background, and each hue has a shape too. Pink
 * marks waiting for the pool and is no target’s.
 */
const colours: Readonly<Record<Theme, readonly string[]>> = {
  dark: ['#e8a33d', '#4ec9b0', '#b9a0f2', '#6cb2f7', '#b6c95c', '#ef8cb6', '#6cb2f7', '#8fbf5a', '#a8a8a8'],
  light: ['#b05a00', '#00786a', '#7547c4', '#0a66b8', '#5a6e00', '#b3266e', '#0a66b8', '#4c7a15', '#6a6a6a'],
  contrast: ['#ffb95c', '#5fe3c8', '#cbb8ff', '#8cc8ff', '#d0e46a', '#ff9fc6', '#8cc8ff', '#b0e070', '#d0d0d0'],
  contrastLight: ['#8a4500', '#005f54', '#5a2fa8', '#004f96', '#465600', '#8c1253', '#004f96', '#3a6000', '#4a4a4a'],
};

/** The palette of a theme as CSS: “--bs-hue-0: #e8a33d; …”. */
export function paletteCss(theme: Theme): string {
  return names.map((name, index) => `--bs-${name}: ${colours[theme][index] ?? ''};`).join(' ');
}
