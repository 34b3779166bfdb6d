import type { CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { classifyFrame } from '../../calltree/frameKind.ts';
import { numberOr, objectOf, textOr } from './jsonDocument.ts';

/** The function of a `callFrame` of V8. */
export function v8Function(builder: CallTreeBuilder, callFrame: unknown, format: string): number {
  const frame = objectOf(callFrame, format, 'a callFrame');
  return v8FunctionOf(builder, textOr(frame['functionName'], ''), textOr(frame['url'], ''), numberOr(frame['lineNumber'], -1));
}

/** A function as V8 tells of it: its lines count from 0, and it has no name where the source has none. */
export function v8FunctionOf(builder: CallTreeBuilder, functionName: string, url: string, lineNumber: number): number {
  const name = functionName || '(anonymous)';
  const file = v8File(url);
  return builder.func(name, file, file === '' ? 0 : lineNumber + 1, v8Kind(name, file));
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
