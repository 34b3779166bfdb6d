import type { CallTree, EventColumn } from '../../model/callTree.ts';
import { BoundedText } from './boundedText.ts';
import { cutWeight } from '../../calltree/cutStacks.ts';
import { functionLines } from '../../calltree/functionLines.ts';
import { eventTotal, functionTable } from '../../calltree/totals.ts';
import { treeLimits } from '../../calltree/treeLimits.ts';
import type { FunctionRow } from '../../calltree/totals.ts';
import { jsonText } from '../../model/plainText.ts';

/** A function of which a file is wanted; `line` is 0 where no line of it is known. */
export type FileOf = (row: Pick<FunctionRow, 'name' | 'file' | 'kind' | 'line'>) => string;

/**
 * One JSON document: `{event, unit, total, sentence, functions: [{name, file, line, hotLine, self, total}]}`, the heaviest by self weight first. `line` is
 * that of the declaration, or the first one that was seen executing where the declaration is not known; `hotLine` the one with most weight of
 * its own; both 0 where nothing is known. `leftOut`, where samples of the recorder itself were left out: `{samples, ofSamples}`;
 * `cut`, where stacks were deeper than is read: `{frames, weight}`, the weight being that of the function `(deeper frames)`.
 */
export function writeFunctionJson(tree: CallTree, event: EventColumn, fileOf: FileOf, sentence: string): string {
  const out = new BoundedText();
  const leftOut = tree.leftOut?.find((one) => one.event === event.name);
  const deeper = cutWeight(tree, event);
  const head = jsonText({
    event: event.name,
    unit: event.unit,
    total: eventTotal(event),
    sentence,
    ...(deeper === 0 ? {} : { cut: { frames: treeLimits.depth, weight: deeper } }),
    ...(leftOut === undefined ? {} : { leftOut: { samples: leftOut.samples, ofSamples: leftOut.ofSamples } }),
  });
  const lines = functionLines(tree, event);
  out.push(`${head.slice(0, -1)},"functions":[`);
  for (const [index, { func, name, file, line: declared, kind, self, total }] of functionTable(tree, event).entries()) {
    const line = declared === 0 ? (lines.first[func] ?? 0) : declared;
    const row = { name, file: fileOf({ name, file, kind, line }), line, hotLine: lines.hottest[func] ?? 0, self, total };
    out.push(`${index === 0 ? '\n' : ',\n'}${jsonText(row)}`);
  }
  out.push('\n]}\n');
  return out.toString();
}
