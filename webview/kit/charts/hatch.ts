import type { Markish } from '@observablehq/plot';
import { hueColor } from '../style/hues.ts';

const namespace = 'http://www.w3.org/2000/svg';

/** The fill of a discarded trial's mark: stripes in its target's hue. */
export function hatchUrl(hue: number): string {
  return `url(#bs-hatch-${hue})`;
}

/** Puts the stripe patterns for these hues into the chart; `color` instead of the hues' own. */
export function hatchMark(hues: readonly number[], color?: string): Markish {
  return () => {
    const definitions = document.createElementNS(namespace, 'defs');
    for (const hue of new Set(hues)) {
      const pattern = element('pattern', {
        id: `bs-hatch-${hue}`,
        width: '3',
        height: '3',
        patternUnits: 'userSpaceOnUse',
        patternTransform: 'rotate(45)',
      });
      pattern.append(
        element('rect', { width: '3', height: '3', fill: 'var(--bs-bg)' }),
        element('rect', { width: '1.2', height: '3', fill: color ?? hueColor(hue) }),
      );
      definitions.append(pattern);
    }
    return definitions;
  };
}

function element(name: string, attributes: Record<string, string>): SVGElement {
  const node = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}
