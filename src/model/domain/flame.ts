import { profileNoteSchema } from './profileNoteKinds.ts';
import * as z from 'zod';
import { failureSchema } from './failure.ts';
import { doctorHintSchema, recordingRecordSchema, recordingSummarySchema } from './recording.ts';

/** A recording, as the client names it: a file that the user opened, or a recording of Benchside by its id. */
export const profileSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('file'), path: z.string() }),
  z.strictObject({ kind: z.literal('recording'), id: z.string() }),
]);
export type ProfileSource = z.infer<typeof profileSourceSchema>;

/** The id of a format that a recording can be written in; the engine has the list, and a recording brings it along. */
export const profileExportSchema = z.string().regex(/^[a-z0-9-]{1,40}$/);

/** What is known of an opened recording before any of its nodes has crossed. */
export const profileHeadSchema = z.object({
  profileId: z.string(),
  title: z.string(),
  format: z.string().describe('for people: "V8 CPU profile", "Java Flight Recorder" …'),
  recording: recordingRecordSchema.nullable(),
  events: z
    .array(
      z.object({
        name: z.string(),
        unit: z.enum(['ns', 'bytes', 'count']),
        total: z.number(),
        samples: z.number().nullable().default(null).describe('null: not known'),
      }),
    )
    .describe('those that weigh anything'),
  defaultEvent: z.string(),
  nodeCount: z.number(),
  functionCount: z.number(),
  sampleCount: z.number().describe('0: the order of time is not known'),
  threads: z.array(z.string()),
  states: z.array(z.string()),
  requests: z.number().nullable().describe('served while it was recorded: the divisor of “per request”'),
  durationMs: z.number().nullable(),
  notes: z.array(profileNoteSchema),
  treeBytes: z.number().describe('of the packed tree, about'),
  sampleBytes: z.number().describe('of the packed samples, about'),
  hint: doctorHintSchema.nullable(),
  exports: z.array(z.object({ id: profileExportSchema, label: z.string() })).describe('what it can be written as'),
});
export type ProfileHead = z.infer<typeof profileHeadSchema>;

/**
 * The parts of a recording that cross one after the other, each in pieces: `skeleton` is a packed tree of the nodes wide enough to see (one
 * piece, for one event), `tree` the whole packed tree, `samples` the packed samples (see `packedTree.ts`).
 */
export const profilePartSchema = z.enum(['skeleton', 'tree', 'samples']);
export type ProfilePart = z.infer<typeof profilePartSchema>;

/** Bytes of a piece of `tree` and `samples`; the last one is shorter. */
export const pieceBytes = 1_500_000;

/** The two sides of a comparison: `a` is the recording on show, `b` the one it is compared with (the older, or the other setting). */
export const flameSideSchema = z.enum(['a', 'b']);
export type FlameSide = z.infer<typeof flameSideSchema>;

const bytesSchema = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'bytes are needed');

const place = z.number().int().nonnegative();
const ofProfile = { side: flameSideSchema, profileId: z.string() };
const ofPart = { ...ofProfile, part: profilePartSchema, event: z.string().nullable() };

/** From the extension to a flame graph's page. */
export const toFlameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('loading'), side: flameSideSchema, title: z.string() }),
  z.object({ type: z.literal('open'), side: flameSideSchema, head: profileHeadSchema }),
  z.object({ type: z.literal('piece'), ...ofPart, index: z.number(), last: z.boolean(), data: bytesSchema }),
  z.object({ type: z.literal('close'), side: flameSideSchema }),
  z.object({ type: z.literal('failure'), side: flameSideSchema, failure: failureSchema }),
  z.object({ type: z.literal('notice'), message: z.string(), severity: z.enum(['info', 'warning']) }),
  z.object({ type: z.literal('focusFunction'), name: z.string(), file: z.string() }),
  z.object({ type: z.literal('others'), recordings: z.array(recordingSummarySchema).describe('what this one can be compared with') }),
]);
export type ToFlame = z.infer<typeof toFlameSchema>;

/** From a flame graph's page to the extension. Functions are named by their number in the recording, never by a path. */
export const fromFlameSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    comparedWith: profileSourceSchema
      .nullable()
      .describe('what the page was comparing with before it was reloaded, as it was told by `open`'),
  }),
  z.object({ type: z.literal('readPiece'), ...ofPart, index: place }),
  z.object({ type: z.literal('openSource'), ...ofProfile, func: place, line: place, beside: z.boolean() }),
  z.object({ type: z.literal('compare'), recordingId: z.string().nullable().describe('null: ask the user') }),
  z.object({ type: z.literal('stopComparing') }),
  z.object({ type: z.literal('eventShown'), event: z.string() }),
  z.object({ type: z.literal('export'), format: profileExportSchema, event: z.string() }),
  z.object({ type: z.literal('savePicture'), name: z.string(), png: bytesSchema }),
  z.object({ type: z.literal('copyText'), text: z.string().max(100_000) }),
  z.object({ type: z.literal('retry') }),
  z.object({ type: z.literal('drawn'), side: flameSideSchema, firstPictureMs: z.number().nullable(), completeMs: z.number().nullable() }),
  z.object({ type: z.literal('policyViolation'), directive: z.string(), blocked: z.string() }),
]);
export type FromFlame = z.infer<typeof fromFlameSchema>;

/** Weights of one source line or function, one number for each event of the containing table, in the unit of the event. */
const weightsSchema = z.array(z.number());

/** The small table from which marks in the source are made; all weights are right for recursion and inlined code. */
export const lineTableSchema = z.object({
  events: z.array(z.object({ name: z.string(), unit: z.enum(['ns', 'bytes', 'count']), total: z.number() })),
  requests: z.number().nullable(),
  files: z.array(
    z.object({
      file: z
        .string()
        .describe(
          'a path as recorded, or for `javaClass` a path made of the package and the outermost class, such as bulletin/Database.java',
        ),
      kind: z.enum(['path', 'javaClass']),
      lines: z.array(
        z.object({
          line: z.number().int(),
          self: weightsSchema,
          total: weightsSchema,
          callers: z
            .array(z.object({ name: z.string(), weights: weightsSchema }))
            .describe('the heaviest callers of the function the line is in, at most 5'),
        }),
      ),
      functions: z.array(
        z.object({
          name: z.string(),
          line: z.number().int().describe('of the declaration; 0: the first line seen'),
          self: weightsSchema,
          total: weightsSchema,
        }),
      ),
    }),
  ),
});
export type LineTable = z.infer<typeof lineTableSchema>;
