import { sendJson } from '../../../node/answers.mjs';
import { numberIn } from '../../../node/parameters.mjs';

/** A node below takes 64 bytes: three words that every object has, and five of its own. */
const NODES_PER_KB = 16;

/** The newest results, the oldest first. */
const kept = [];

/** Makes garbage, and keeps the results of the last requests alive: what a heap and its collector are tried with. */
export function allocate({ response, query }) {
  const kb = numberIn(query, 'kb', 1, 65_536, 256);
  const keep = numberIn(query, 'keep', 0, 10_000, 0);
  kept.push(linkedNodes(kb * NODES_PER_KB));
  if (kept.length > keep) kept.splice(0, kept.length - keep);
  sendJson(response, 200, { allocatedKb: kb, kept: kept.length });
}

function linkedNodes(count) {
  let head = null;
  for (let i = 0; i < count; i += 1) head = { next: head, number: i, a: i, b: i, c: i };
  return head;
}
