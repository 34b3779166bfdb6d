import { misread, understood } from '../../../model/domain/parsed.ts';
import { seenInCopy } from '../variantKey.ts';
import type { VariantKey } from '../variantKey.ts';

const most = 1000;

export const rows: VariantKey = {
  key: 'rows',
  meaning: 'How many times the rows of the database each side has in a copy of its own.',
  takes: `1x to ${most}x, such as 1x,3x,10x`,
  example: 'rows=1x,10x',
  fits: ({ postgres, running }) => postgres !== undefined && running === undefined,
  of: 'a target that is given PostgreSQL by Benchside',
  means: 'copy of the database',
  effect: 'Which statements grow with the data, and how.',
  cost: 'Each side takes so many times the disk space of the database while it is measured.',
  source: 'https://www.postgresql.org/docs/current/using-explain.html',
  read: (text) => {
    const factor = /^(\d{1,4})x?$/i.exec(text)?.[1];
    const value = factor === undefined ? Number.NaN : Number(factor);
    return value >= 1 && value <= most ? understood(`${value}x`) : misread(`“${text}” is no multiple from 1x to ${most}x.`);
  },
  copies: () => ['1x'],
  activation: (value) => ({ copy: { rows: Number.parseInt(value, 10) } }),
  seen: (_value, view) => seenInCopy(view),
};
