import { type CallTree, type EventColumn, frameKinds } from '../../model/domain/callTree.ts';
import { jsonText } from '../../model/domain/plainText.ts';
import { remembered } from '../../model/domain/remembered.ts';
import { BoundedText } from './boundedText.ts';
import { eachStack } from './stackFrames.ts';

const units = { ns: 'nanoseconds', bytes: 'bytes', count: 'none' } as const;

/** A speedscope file with one sampled profile per event; each stack is in it once, with all its weight. */
export function writeSpeedscope(tree: CallTree, events: readonly EventColumn[], name: string): string {
  const { frameOf, frames } = frameTable(tree);
  const out = new BoundedText();
  out.push(
    `{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"benchside","name":${jsonText(name)},"shared":{"frames":[`,
  );
  for (const [index, frame] of frames.entries()) out.push(index === 0 ? frame : `,${frame}`);
  out.push(']},"profiles":[');
  for (const [index, event] of events.entries()) {
    if (index > 0) out.push(',');
    writeProfile(out, tree, event, frameOf);
  }
  out.push(']}\n');
  return out.toString();
}

function writeProfile(out: BoundedText, tree: CallTree, event: EventColumn, frameOf: Int32Array): void {
  out.push(`{"type":"sampled","name":${jsonText(event.name)},"unit":"${units[event.unit]}","startValue":0,"samples":[`);
  const weights: number[] = [];
  let total = 0;
  eachStack(
    tree,
    (node) => frameOf[node],
    (node, path) => {
      const weight = event.self[node] as number;
      if (weight === 0) return;
      out.push(`${weights.length === 0 ? '' : ','}[${path.join(',')}]`);
      weights.push(weight);
      total += weight;
    },
  );
  out.push(`],"weights":[${weights.join(',')}],"endValue":${total}}`);
}

/** speedscope's frames: one for each function and executing line. */
function frameTable(tree: CallTree): { frameOf: Int32Array; frames: string[] } {
  const { name, file, line, kind } = tree.functions;
  const numbers = new Map<string, number>();
  const frames: string[] = [];
  const frameOf = new Int32Array(tree.nodeCount).fill(-1);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const func = tree.func[node] as number;
    const executing = tree.line[node] as number;
    frameOf[node] = remembered(numbers, `${func}:${executing}`, () => {
      const declared = line[func] ?? 0;
      const frame = {
        name: name[func],
        ...(file[func] === '' ? {} : { file: file[func] }),
        ...(declared === 0 ? {} : { line: declared }),
        kind: frameKinds[kind[func] ?? 0] ?? 'other',
        ...(executing === 0 ? {} : { executingLine: executing }),
      };
      return frames.push(jsonText(frame)) - 1;
    });
  }
  return { frameOf, frames };
}
