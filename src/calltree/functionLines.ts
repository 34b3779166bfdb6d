import type { CallTree, EventColumn } from '../model/domain/callTree.ts';
import { remembered } from '../model/domain/remembered.ts';

/** Lines of functions by their number, from 1; 0 where not known. */
export interface FunctionLines {
  /** The first line that was seen executing. */
  first: Int32Array;
  /** The line that weighs most itself in the event, of which the function's stacks end. */
  hottest: Int32Array;
}

/** The first line of each function that was seen executing; 0 where none was. */
export function firstLines({ functions, func, line, nodeCount }: CallTree): Int32Array {
  const first = new Int32Array(functions.name.length);
  for (let node = 1; node < nodeCount; node += 1) {
    const [of, seen] = [func[node] as number, line[node] as number];
    if (seen > 0 && (first[of] === 0 || seen < (first[of] as number))) first[of] = seen;
  }
  return first;
}

/** Which lines of its functions a recording has seen in an event. */
export function functionLines(tree: CallTree, event: EventColumn): FunctionLines {
  const count = tree.functions.name.length;
  const weights = new Map<number, Map<number, number>>();
  const add = (func: number, line: number, weight: number): void => {
    if (!(weight > 0)) return;
    const ofFunc = remembered(weights, func, () => new Map<number, number>());
    ofFunc.set(line, (ofFunc.get(line) ?? 0) + weight);
  };
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const [func, line] = [tree.func[node] as number, tree.line[node] as number];
    if (line !== 0) add(func, line, event.self[node] as number);
  }
  const { lineTicks } = tree;
  for (let row = 0; lineTicks !== undefined && row < lineTicks.node.length; row += 1) {
    const [node, line] = [lineTicks.node[row] as number, lineTicks.line[row] as number];
    if (node > 0 && (tree.line[node] as number) === 0 && line > 0 && (event.self[node] as number) > 0)
      add(tree.func[node] as number, line, lineTicks.ticks[row] as number);
  }
  const hottest = new Int32Array(count);
  for (const [func, lines] of weights)
    hottest[func] = [...lines].reduce((best, line) => (line[1] > best[1] || (line[1] === best[1] && line[0] < best[0]) ? line : best))[0];
  return { first: firstLines(tree), hottest };
}
