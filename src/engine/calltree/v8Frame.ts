import type { CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { classifyFrame } from '../../calltree/frameKind.ts';
import type { ScriptPlace, ScriptPlaces } from './scriptPlaces.ts';
import { type JsonObject, listIn, numberOr, objectOf, textOr } from './jsonDocument.ts';

/** Calls back for each node of a profile that is a tree, from its `head` down, with what the call for its caller returned. */
export function eachTreeNode<Place>(
  document: JsonObject,
  format: string,
  root: Place,
  use: (node: JsonObject, above: Place) => Place,
): void {
  const open = [{ node: objectOf(document['head'], format, '“head”'), above: root }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { node } = entry;
    const above = use(node, entry.above);
    for (const child of listIn(node, 'children', format).toReversed()) open.push({ node: objectOf(child, format, 'a node'), above });
  }
}

/** The place that a `callFrame` of V8 names. */
export function scriptPlace(frame: JsonObject): ScriptPlace {
  return {
    functionName: textOr(frame['functionName'], ''),
    url: textOr(frame['url'], ''),
    line: numberOr(frame['lineNumber'], -1),
    column: numberOr(frame['columnNumber'], -1),
  };
}

/** A function as V8 describes it, or as its source has it where `scripts` knows it. It has no name where the source has none. */
export function v8FunctionOf(builder: CallTreeBuilder, place: ScriptPlace, scripts: ScriptPlaces | null): number {
  const source = scripts?.sourceOf(place) ?? null;
  const name = (source ?? place).functionName || '(anonymous)';
  const file = source?.file ?? v8File(place.url);
  return builder.func(name, file, file === '' ? 0 : (source ?? place).line + 1, v8Kind(name, file));
}

function v8Kind(name: string, file: string): ReturnType<typeof classifyFrame> {
  if (file !== '') return classifyFrame(name, file);
  const kind = classifyFrame(name, '');
  return kind === 'idle' || kind === 'gc' ? kind : 'native';
}

/** A file as a path where V8 gives a file URL, as it is where it gives anything else (`node:fs`, `evalmachine.<anonymous>`). */
function v8File(url: string): string {
  if (!url.startsWith('file://')) return url;
  try {
    const file = decodeURIComponent(url.slice('file://'.length));
    return /^\/[A-Za-z]:/.test(file) ? file.slice(1) : file;
  } catch {
    return url;
  }
}

const lineAndColumn = /:(\d{1,9})(?::\d{1,9})?$/;
/** What a script's address begins with, after the blank that ends the function's name. */
const fileMarks = [' file://', ' node:', ' internal/', ' /', ' evalmachine.'];

/**
 * Takes apart what V8 calls code in its logs: `name file:line:column`, of which all but the name may be missing, and the name too. Linear, whatever it is
 * given.
 */
export function codeName(text: string): { name: string; file: string; line: number } {
  const tail = lineAndColumn.exec(text);
  const rest = ` ${tail === null ? text : text.slice(0, tail.index)}`;
  const marks = fileMarks.map((mark) => rest.indexOf(mark)).filter((at) => at !== -1);
  const at = marks.length > 0 ? Math.min(...marks) : tail === null ? rest.length : rest.lastIndexOf(' ');
  return {
    name: rest.slice(0, at).trim() || '(anonymous)',
    file: v8File(rest.slice(at).trim()),
    line: tail === null ? 0 : Number(tail[1]),
  };
}
