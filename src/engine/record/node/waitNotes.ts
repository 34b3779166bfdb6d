import type { WaitReport } from './waitProbe.ts';

/** What a reader of the wait tree should know about how it was made. */
export function waitNotes({ totals }: WaitReport): string[] {
  const notes: string[] = [];
  const count = (value: number): string => Math.round(value).toLocaleString('en');
  if (totals.asks + totals.queries === 0) {
    return ['Nothing asked a pool of pg for a client, and no query was sent while it was recorded; there are no waits.'];
  }
  const asks =
    totals.asks === 0
      ? 'No client was asked of a pool of pg: waits for pools of other packages are not recorded.'
      : `Pool waits count only while no client of the pool was idle: ${count(totals.waits)} of ${count(totals.asks)} requests to a pool waited.`;
  notes.push(
    `${asks} ${count(totals.queries)} queries were timed from their sending to their result, the time in which the event loop was busy included.`,
  );
  if (totals.opening > 0) notes.push(`${count(totals.opening)} ms of the waits for the pool were spent in opening new connections.`);
  const chances = totals.asks + totals.queries;
  if (totals.stacks < 0.9 * chances && totals.stacks < totals.asks) {
    notes.push(
      `Stacks were taken for ${count(totals.stacks)} of these at random, to keep the cost low; the sums are exact, the shares of stacks are estimates.`,
    );
  }
  if (totals.streams > 0) notes.push(`${count(totals.streams)} cursors, streams and prepared query objects were not timed.`);
  if (totals.cut > 0) notes.push(`${count(totals.cut)} stacks were cut short, as there were too many different ones.`);
  return notes;
}
