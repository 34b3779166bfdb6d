import type { CallTree, EventColumn } from '../../model/callTree.ts';
import { BoundedText } from './boundedText.ts';
import { eventTotal, functionTable } from './totals.ts';

/** One JSON document: `{event, unit, total, functions: [{name, file, line, self, total}]}`, the heaviest by self weight first. */
export function writeFunctionJson(tree: CallTree, event: EventColumn): string {
  const out = new BoundedText();
  const head = JSON.stringify({ event: event.name, unit: event.unit, total: eventTotal(event) });
  out.push(`${head.slice(0, -1)},"functions":[`);
  for (const [index, { name, file, line, self, total }] of functionTable(tree, event).entries()) {
    out.push(`${index === 0 ? '\n' : ',\n'}${JSON.stringify({ name, file, line, self, total })}`);
  }
  out.push('\n]}\n');
  return out.toString();
}
