import type { EventColumn } from '../../model/domain/callTree.ts';
import { withoutControls } from '../../model/domain/plainText.ts';

/** Made once: making one costs more than a frame. */
const countFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** A weight for people, in its unit. */
export function amount(weight: number, unit: EventColumn['unit']): string {
  const size = Math.abs(weight);
  if (unit === 'ns') {
    if (size >= 1e9) return `${(weight / 1e9).toFixed(2)} s`;
    return size >= 1e6 ? `${(weight / 1e6).toFixed(2)} ms` : `${(weight / 1e3).toFixed(1)} µs`;
  }
  if (unit === 'bytes') {
    if (size >= 1048576) return `${(weight / 1048576).toFixed(1)} MB`;
    return size >= 1024 ? `${(weight / 1024).toFixed(1)} kB` : `${Math.round(weight)} B`;
  }
  return `${countFormat.format(weight)} samples`;
}

/** Text as XML can hold it: marks escaped, and characters that no XML document may contain left out or replaced. */
export function xmlText(text: string): string {
  return withoutControls(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
