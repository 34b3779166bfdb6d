import type { DoctorHint } from '../domain/recording.ts';

const sentences = new Map([
  ['event-loop', 'The event loop was blocked: single steps of JavaScript kept all other requests waiting.'],
  ['io', 'The process was idle much of the time: it probably waits for a database, a file or another service.'],
  ['gc', 'Memory went up and down a lot: it may be garbage collection that takes the time. Doctor also says this of pure computing.'],
  ['none', 'Nothing conspicuous.'],
  ['data', 'There were too few samples to say anything. Record longer, under load.'],
]);

/** What clinic's doctor thinks it saw, by its category. */
export function doctorText({ category }: Pick<DoctorHint, 'category'>): string {
  return sentences.get(category) ?? 'Several things were conspicuous at once, which fit no single cause.';
}
