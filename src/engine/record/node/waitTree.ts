import type { CallTree } from '../../../model/domain/callTree.ts';
import { CallTreeBuilder } from '../../../calltree/callTreeBuilder.ts';
import { classifyFrame } from '../../../calltree/frameKind.ts';
import { fileOfUrl } from './scriptUrl.ts';
import type { WaitReport } from './waitProbe.ts';

/** Where a place in a loaded script comes from: a source file with a line from 1. */
export interface SourcePlace {
  file: string;
  line: number;
}

/** Gives the source of a place in a script (line from 1, column from 1); null where no source map has it. */
export type PlaceResolver = (script: string, line: number, column: number) => SourcePlace | null;

const noPlace: PlaceResolver = () => null;

/**
 * The call tree of a wait report, with the events `poolWait` and `database` in ns: below the stack that asked is `[pool wait]` or `[query]`. Where a client was
 * made instead of waited for, `[new connection]` is below `[pool wait]`. The weights of randomly sampled stacks are scaled such that the sums are the ones that
 * were measured; time without any stack is named so.
 */
export function waitTree(report: WaitReport, resolve: PlaceResolver = noPlace): CallTree {
  const builder = new CallTreeBuilder([
    { name: 'poolWait', unit: 'ns' },
    { name: 'database', unit: 'ns' },
  ]);
  const frames = report.frames.map((frame) => frameOf(builder, frame, resolve));
  const waitFunc = builder.func('[pool wait]', '', 0, 'waiting');
  const openingFunc = builder.func('[new connection]', '', 0, 'waiting');
  const queryFunc = builder.func('[query]', '', 0, 'waiting');
  const scale = (kind: 'pool' | 'opening' | 'query'): number =>
    report.sampled[kind] > 0 ? (report.totals[kind] / report.sampled[kind]) * nsPerMs : 0;
  const factors = { pool: scale('pool'), opening: scale('opening'), query: scale('query') };
  const places: number[] = [];
  const add = (place: number, poolNs: number, openingNs: number, queryNs: number): void => {
    if (poolNs > 0) builder.add(builder.child(place, waitFunc), 0, poolNs);
    if (openingNs > 0) builder.add(builder.child(builder.child(place, waitFunc), openingFunc), 0, openingNs);
    if (queryNs > 0) builder.add(builder.child(place, queryFunc), 1, queryNs);
  };
  for (const [parent, frame, pool, opening, query] of report.nodes) {
    const known = frames[frame];
    const place = known === undefined ? 0 : builder.child(places[parent] ?? 0, known.func, known.line);
    places.push(place);
    add(place, pool * factors.pool, opening * factors.opening, query * factors.query);
  }
  const missing = (kind: 'pool' | 'opening' | 'query'): number => (report.sampled[kind] > 0 ? 0 : report.totals[kind] * nsPerMs);
  const [pool, opening, query] = [missing('pool'), missing('opening'), missing('query')];
  if (pool + opening + query > 0) add(builder.child(0, builder.func('(stack not taken)', '', 0, 'other')), pool, opening, query);
  return builder.build();
}

const nsPerMs = 1e6;

function frameOf(builder: CallTreeBuilder, frame: WaitReport['frames'][number], resolve: PlaceResolver): { func: number; line: number } {
  const [name, script, line, column, functionLine, functionColumn] = frame;
  const shown = name === '' ? '(anonymous)' : name;
  const place = resolve(script, line, column);
  const declared = functionLine > 0 ? resolve(script, functionLine, functionColumn) : null;
  // Both must come from one file, or one of them was mapped by mistake.
  if (place !== null && declared !== null && place.file === declared.file) {
    return { func: builder.func(shown, place.file, declared.line, classifyFrame(shown, place.file)), line: place.line };
  }
  const file = fileOfUrl(script);
  return { func: builder.func(shown, file, functionLine, classifyFrame(shown, file)), line };
}
