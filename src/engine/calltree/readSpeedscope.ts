import { type CallTree, frameKinds } from '../../model/domain/callTree.ts';
import { type EventHead, type StackFrame, CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { classifyFrame } from '../../calltree/frameKind.ts';
import { type JsonObject, listOf, numberOf, numberOr, objectOf, textOr } from './jsonDocument.ts';
import { damaged } from '../../calltree/treeLimits.ts';
import { unitOf } from './weightUnits.ts';

const format = 'speedscope';

const eventNames = { ns: 'cpu', bytes: 'alloc', count: 'samples' } as const;

interface Part {
  profile: JsonObject;
  factor: number;
  /** The node below which its stacks are. */
  root: number;
  record: (timeNs: number, node: number, weight: number) => void;
}

/**
 * Reads a speedscope file. Its profiles are threads of the events `cpu`, `alloc` or `samples`, by their unit; in a file that Benchside wrote each profile is an
 * event under its name. Where several are not measured in time, each is below a frame of its name. Profiles of a foreign file that are measured in time give
 * samples in the order of time.
 */
export function readSpeedscope(document: JsonObject): CallTree {
  const own = textOr(document['exporter'], '').startsWith('benchside');
  const profiles = listOf(document['profiles'], format, '“profiles”').map((profile) => objectOf(profile, format, 'a profile'));
  if (profiles.length === 0) throw damaged(format, 'it has no profiles');
  const events: EventHead[] = [];
  const placed = profiles.map((profile) => {
    const { unit, factor } = unitOf(textOr(profile['unit'], ''));
    const name = own ? textOr(profile['name'], eventNames[unit]) : eventNames[unit];
    let event = events.findIndex((one) => one.name === name && one.unit === unit);
    if (event === -1) event = events.push({ name, unit }) - 1;
    return { profile, event, factor };
  });
  const builder = new CallTreeBuilder(events);
  const frames = readFrames(builder, document);
  for (const { profile, event, factor } of placed) {
    const timed = !own && events[event]?.unit === 'ns';
    const name = textOr(profile['name'], '') || '(unnamed)';
    // What has no time has no threads to choose from.
    const root = !own && !timed && placed.length > 1 ? builder.child(0, builder.func(name, '', 0, 'other')) : 0;
    const thread = timed ? builder.thread(name) : -1;
    const record: Part['record'] = (timeNs, node, weight) =>
      timed ? builder.sample(timeNs / 1000, node, thread, event, weight) : builder.add(node, event, weight);
    const part: Part = { profile, factor, root, record };
    if (profile['type'] === 'sampled') readSampled(builder, frames, part);
    else if (profile['type'] === 'evented') readEvented(builder, frames, part);
    else throw damaged(format, 'a profile is neither “sampled” nor “evented”');
  }
  return builder.build();
}

function readFrames(builder: CallTreeBuilder, document: JsonObject): StackFrame[] {
  const shared = objectOf(document['shared'], format, '“shared”');
  return listOf(shared['frames'], format, '“frames”').map((value) => {
    const frame = objectOf(value, format, 'a frame');
    const name = textOr(frame['name'], '(unnamed)');
    const file = textOr(frame['file'], '');
    const kind = frameKinds.find((known) => known === frame['kind']) ?? classifyFrame(name, file);
    const executing = numberOr(frame['executingLine'], 0);
    const func = builder.func(name, file, numberOr(frame['line'], 0), kind);
    return { func, line: Number.isInteger(executing) && executing > 0 && executing <= 0x7fffffff ? executing : 0 };
  });
}

function frameAt(frames: readonly StackFrame[], index: unknown): StackFrame {
  const frame = typeof index === 'number' ? frames[index] : undefined;
  if (frame === undefined) throw damaged(format, 'a stack names a frame that is not there');
  return frame;
}

function readSampled(builder: CallTreeBuilder, frames: readonly StackFrame[], part: Part): void {
  const samples = listOf(part.profile['samples'], format, '“samples”');
  const weights = listOf(part.profile['weights'], format, '“weights”');
  if (samples.length !== weights.length) throw damaged(format, `it has ${samples.length} samples but ${weights.length} weights`);
  let time = numberOr(part.profile['startValue'], 0) * part.factor;
  for (const [index, sample] of samples.entries()) {
    const stack = listOf(sample, format, 'a sample').map((frame) => frameAt(frames, frame));
    const node = builder.stack(stack, part.root);
    const weight = numberOf(weights[index], format, 'a weight') * part.factor;
    part.record(time, node, weight);
    time += weight;
  }
}

function readEvented(builder: CallTreeBuilder, frames: readonly StackFrame[], part: Part): void {
  const open: { frame: StackFrame; node: number }[] = [];
  let last = numberOr(part.profile['startValue'], 0);
  const advance = (to: number): void => {
    if (to < last) throw damaged(format, 'its events are not in the order of time');
    if (to > last) part.record(last * part.factor, open.at(-1)?.node ?? part.root, (to - last) * part.factor);
    last = to;
  };
  for (const value of listOf(part.profile['events'], format, '“events”')) {
    const event = objectOf(value, format, 'an event');
    const frame = frameAt(frames, event['frame']);
    const at = numberOf(event['at'], format, 'the time of an event');
    // Before the first frame opens nothing was recorded.
    if (open.length > 0) advance(at);
    else last = Math.max(last, at);
    if (event['type'] === 'O') {
      open.push({ frame, node: builder.child(open.at(-1)?.node ?? part.root, frame.func, frame.line) });
    } else if (event['type'] === 'C') {
      const top = open.pop();
      if (top?.frame !== frame) throw damaged(format, 'a frame is closed that is not the one on top');
    } else {
      throw damaged(format, 'an event neither opens nor closes a frame');
    }
  }
  const end = numberOr(part.profile['endValue'], last);
  if (open.length > 0 && end > last) advance(end);
}
