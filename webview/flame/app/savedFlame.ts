import * as z from 'zod';
import { type ProfileHead, profileSourceSchema } from '../../../src/model/domain/flame.ts';
import { lookSchema } from './look.ts';

/** The sortable columns of the function table; those of the other recording and of the change only in a comparison. */
export const sortColumns = ['name', 'self', 'total', 'selfEach', 'totalEach', 'change', 'changeTotal'] as const;
export type SortColumn = (typeof sortColumns)[number];

/** How things are shown, whatever is on show. */
export const optionsSchema = z.object({
  orientation: z.enum(['icicle', 'flame']),
  colourBy: z.enum(['category', 'tier', 'package']),
  strip: z.boolean(),
  tablePane: z.boolean(),
  tableHeight: z.number(),
  sort: z
    .object({ column: z.enum(sortColumns), descending: z.boolean() })
    .nullable()
    .describe('null: the one that fits what is on show'),
  normalise: z.enum(['perRequest', 'share', 'raw']),
  width: z.enum(['union', 'a', 'b']),
});
export type FlameOptions = z.infer<typeof optionsSchema>;

export const firstOptions: FlameOptions = {
  orientation: 'icicle',
  colourBy: 'category',
  strip: false,
  tablePane: true,
  tableHeight: 190,
  sort: null,
  normalise: 'perRequest',
  width: 'union',
};

/** What survives hiding and reload. The look belongs to one recording; `comparedWith` is sent to the extension when the page is ready again. */
export const savedFlameSchema = z.object({
  recording: z.string().describe('what tells the recording from others'),
  look: lookSchema.nullable(),
  options: optionsSchema,
  search: z.object({ text: z.string(), regex: z.boolean() }),
  comparedWith: profileSourceSchema.nullable(),
  nodeNames: z.array(z.tuple([z.number(), z.string()])).describe('what the nodes that the look names are called'),
});
export type SavedFlame = z.infer<typeof savedFlameSchema>;

export const nothingSaved: SavedFlame = {
  recording: '',
  look: null,
  options: firstOptions,
  search: { text: '', regex: false },
  comparedWith: null,
  nodeNames: [],
};

/** Reads what was kept. What does not fit (it was written by another version) counts as nothing. */
export function readSavedFlame(value: unknown): SavedFlame {
  const parsed = savedFlameSchema.safeParse(value);
  return parsed.success ? parsed.data : nothingSaved;
}

/** Distinguishes a recording from others: a look names functions and nodes by number, so it fits only the same content. */
export function recordingKey(head: ProfileHead): string {
  return [head.recording?.id ?? '', head.title, head.nodeCount, head.functionCount, head.sampleCount, head.treeBytes].join('|');
}
