import type * as z from 'zod';
import { redactStrings } from './redact.ts';

/**
 * A record without secrets, checked by its schema. A short password may be a word that the schema asks for (a runtime, a state): such a value stays unchanged,
 * since it reveals nothing.
 */
export function redactRecord<T>(schema: z.ZodType<T>, record: unknown, secrets: readonly string[]): z.ZodSafeParseResult<T> {
  const redacted = redactStrings(record, secrets);
  const first = schema.safeParse(redacted);
  if (first.success || !schema.safeParse(record).success) return first;
  for (const { path } of first.error.issues) restore(redacted, record, path);
  return schema.safeParse(redacted);
}

/** What a client receives, without secrets; the result may no longer match its schema, which is no reason to send it unredacted. */
export function told<T>(schema: z.ZodType, value: T, secrets: readonly string[]): T {
  const redacted = redactRecord(schema, value, secrets);
  return redacted.success ? (redacted.data as T) : redactStrings(value, secrets);
}

function restore(target: unknown, source: unknown, path: readonly PropertyKey[]): void {
  const [key, ...rest] = path;
  if (key === undefined || !isObject(target) || !isObject(source)) return;
  const value = source[key];
  // Only where a single text was asked for: what holds others is never put back as a whole.
  if (rest.length > 0) restore(target[key], value, rest);
  else if (typeof value === 'string') target[key] = value;
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}
