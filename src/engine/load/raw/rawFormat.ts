import * as z from 'zod';
import { errorCountsSchema } from '../../../model/domain/run.ts';

/*
 * The file of raw samples: frames one after the other, each a byte that says what it is, its length (u32), and so many bytes. All numbers are
 * little-endian. A block is a header frame (JSON), frames of rows, and an end frame (JSON); blocks follow each other. A frame that is cut short at
 * the end of the file is one that was being written when its writer died, and counts as not written.
 */
export const frameHeadBytes = 5;
export const frameKinds = { header: 0x48, rows: 0x52, end: 0x45 } as const;

/** Beyond this a length is not one that we wrote. */
export const longestFrameBytes = 4 * 1024 * 1024;

export const rawHeaderSchema = z.object({
  version: z.literal(1),
  idPrefix: z.string(),
  trialKey: z.string(),
  block: z.number().int().nonnegative().max(0x7fffffff),
  share: z.number(),
  timing: z.boolean(),
  routes: z.array(z.string()),
  wallMs: z.number().describe('ms since 1970 at `clockUs`'),
  clockUs: z.number().describe('the worker’s monotonic clock, to which the start of rows belongs'),
});
export type RawHeader = z.infer<typeof rawHeaderSchema>;

/** What a request ended with; 0 is an answer of 2xx or 3xx. The order is the file's. */
export const errorKinds = ['', ...Object.keys(errorCountsSchema.shape).filter((kind) => kind !== 'total')] as const;

export const rowLayout = {
  startUs: 0, // f64
  sequence: 8, // u32
  latencyUs: 12, // u32
  bytes: 16, // u32
  appUs: 20, // u32, `noTime`: not reported
  poolUs: 24,
  dbUs: 28,
  status: 32, // u16, 0: no answer
  route: 34, // u16
  error: 36, // u8, index in errorKinds
  flags: 37, // u8
} as const;
export const rowBytes = 40;
export const noTime = 0xffffffff;

/** Counts in the figures of its block; its latency does. */
export const rowFlags = { counted: 1, timed: 2 } as const;

/** The id that a request carried, of the prefix of its block and its place in it. At most 31 characters. */
export function requestId(idPrefix: string, sequence: number): string {
  return `${idPrefix}-${sequence.toString(36)}`;
}

/** A number in 0…2³²−1 that depends only on the prefix (FNV-1a). */
export function prefixHash(idPrefix: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < idPrefix.length; i++) hash = Math.imul(hash ^ idPrefix.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/**
 * Whether a request is kept: its id, mixed to an evenly spread number (the finaliser of MurmurHash3), is below the share. So the same ids are kept
 * whatever happens, and those of a smaller share are among those of a larger one.
 */
export function isKept(hash: number, sequence: number, share: number): boolean {
  if (share >= 1) return true;
  let mixed = (hash ^ sequence) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32 < share;
}
