import { type CallTree, type EventColumn, nodeRoles } from '../../model/domain/callTree.ts';
import type { CpuCoverage } from '../../calltree/cpuCoverage.ts';
import { functionDocument } from './boundedText.ts';
import { cutWeight } from '../../calltree/cutStacks.ts';
import { functionLines } from '../../calltree/functionLines.ts';
import { libraryName } from '../../calltree/sentence/libraryName.ts';
import { type FunctionRow, eventTotal, functionTable } from '../../calltree/totals.ts';
import { treeLimits } from '../../calltree/treeLimits.ts';

/** A function of which a file is wanted; `line` is 0 where no line of it is known. */
export type FileOf = (row: Pick<FunctionRow, 'name' | 'file' | 'kind' | 'line'>) => string;

/**
 * One JSON document: `{event, unit, total, sentence, functions: [{name, file, line, hotLine, self, total, own, library}]}`, the heaviest by self weight first.
 * `own`: it is the app's; `library`, of those that are a library's: what that is called, with its version where it is known. What a thread without work weighs
 * is in none of it but in `idle`, where there is any; a wait is its own of the function in which it begins. `cpu`, of a recording that Benchside made:
 * `{kernelNs, recordedNs, recorderNs}`, CPU time by the kernel, in the recording, and of the recorder itself. `line` is that of the declaration, or the first
 * one that was seen executing where the declaration is not known; `hotLine` the one with most weight of its own; both 0 where nothing is known. `leftOut`,
 * where samples of the recorder itself were left out: `{samples, ofSamples}`; `cut`, where stacks were deeper than is read: `{frames, weight}`, the weight
 * being that of the function `(deeper frames)`.
 */
export function writeFunctionJson(
  tree: CallTree,
  recorded: EventColumn,
  fileOf: FileOf,
  { sentence, cpu = null }: { sentence: string; cpu?: CpuCoverage | null },
): string {
  const { event, idle } = withWholeWaits(tree, recorded);
  const leftOut = tree.leftOut?.find((one) => one.event === event.name);
  const deeper = cutWeight(tree, event);
  const head = {
    event: event.name,
    unit: event.unit,
    total: eventTotal(event),
    ...(idle === 0 ? {} : { idle }),
    sentence,
    ...(cpu === null ? {} : { cpu }),
    ...(deeper === 0 ? {} : { cut: { frames: treeLimits.depth, weight: deeper } }),
    ...(leftOut === undefined ? {} : { leftOut: { samples: leftOut.samples, ofSamples: leftOut.ofSamples } }),
  };
  const lines = functionLines(tree, event);
  return functionDocument(head, functionTable(tree, event), ({ func, name, file, line: declared, kind, self, total }) => {
    const line = declared === 0 ? (lines.first[func] ?? 0) : declared;
    return {
      name,
      file: fileOf({ name, file, kind, line }),
      line,
      hotLine: lines.hottest[func] ?? 0,
      self,
      total,
      own: kind === 'app',
      ...(kind === 'dependency' ? { library: libraryName(tree.functions, func) } : {}),
    };
  });
}

const idleRole = nodeRoles.indexOf('idle');

/** An event with the weight of each wait where it begins, and without that of idle threads. */
function withWholeWaits({ role, parent }: CallTree, event: EventColumn): { event: EventColumn; idle: number } {
  if (role === undefined) return { event, idle: 0 };
  const self = event.self.slice();
  const begins = new Int32Array(self.length);
  let idle = 0;
  for (let node = 1; node < self.length; node += 1) {
    const own = role[node] as number;
    const caller = parent[node] as number;
    begins[node] = own !== 0 && role[caller] === own ? (begins[caller] as number) : node;
    if (own === 0) continue;
    const weight = self[node] as number;
    self[node] = 0;
    if (own === idleRole) idle += weight;
    else self[begins[node] as number] = (self[begins[node] as number] as number) + weight;
  }
  return { event: { ...event, self }, idle };
}
