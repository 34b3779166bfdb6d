import { type Parsed, misread, understood } from '../../model/domain/parsed.ts';
import type { VariantKey } from './variantKey.ts';

/** A whole number from `min` to `max`, without its leading zeros. */
export function readWhole(text: string, { min, max }: { min: number; max: number }): Parsed<string> {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) return misread(`“${text}” is no whole number from ${min} to ${max}.`);
  return understood(String(value));
}

const mebibytesOf: Readonly<Record<string, number>> = { m: 1, mb: 1, mib: 1, g: 1024, gb: 1024, gib: 1024 };

const heap = { min: 16, max: 1_048_576 } as const;

/** A size such as `512m` or `2g` as MiB, a number without a unit being one of them; written as `512m`. */
function readMebibytes(text: string, { min, max }: { min: number; max: number }): Parsed<string> {
  const found = /^(\d{1,7})\s*([a-z]*)$/i.exec(text);
  const unit = found?.[2] === '' ? 1 : mebibytesOf[(found?.[2] ?? '').toLowerCase()];
  const value = unit === undefined ? Number.NaN : Number(found?.[1]) * unit;
  if (!(value >= min && value <= max)) return misread(`“${text}” is no size from ${min}m to ${max}m, such as 512m or 2g.`);
  return understood(`${value}m`);
}

export const heapSize: Pick<VariantKey, 'takes' | 'read' | 'copies'> = {
  takes: `sizes from ${heap.min}m to ${heap.max}m, such as 256m or 2g`,
  read: (text) => readMebibytes(text, heap),
  copies: () => ['1024m', '1056m'],
};

/** One of some words; case does not matter. */
export function readWord(text: string, words: readonly string[]): Parsed<string> {
  const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
  return found === undefined ? misread(`“${text}” is none of ${words.join(', ')}.`) : understood(found);
}

/** The MiB of a value that {@link heapSize} reads. */
export function mebibytes(value: string): number {
  return Number(value.slice(0, -1));
}

/** The last number that options give for one, such as `--max-old-space-size`; null where none does. Node takes dashes for underscores. */
export function optionNumber(options: readonly string[], name: string): number | null {
  const words = options.map((word) => word.replace(/^--[^=]+/, (option) => option.replaceAll('_', '-')));
  let found: number | null = null;
  for (const [index, word] of words.entries()) {
    const value = word === name ? words[index + 1] : word.startsWith(`${name}=`) ? word.slice(name.length + 1) : undefined;
    if (value !== undefined && /^\d+$/.test(value)) found = Number(value);
  }
  return found;
}
