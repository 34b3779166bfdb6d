import { attempt } from '../../model/domain/attempt.ts';

/** What a JSON text says; undefined for other text. */
export function parsedJson(text: string): unknown {
  return attempt(() => JSON.parse(text) as unknown, undefined);
}
