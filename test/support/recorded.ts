import type { PlainFinding } from '../../src/model/domain/findingKinds.ts';

/** Findings of which only the sentences matter. */
export function recorded(...sentences: string[]): Extract<PlainFinding, { code: 'recorded' }>[] {
  return sentences.map((sentence) => ({ code: 'recorded', sentence }));
}
