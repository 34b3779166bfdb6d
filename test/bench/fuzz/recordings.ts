import { type Bytes, type ChunkSpec, chunk, compressed, metadata } from '../../unit/calltree/jfr/jfrWriter.ts';
import { period, pools, sample, types } from '../../unit/calltree/jfr/jfrExample.ts';
import { Chance } from './chance.ts';
import { changedBytes } from './mutate.ts';

/** A recording as it is before any change. */
export const plainRecording = chunk({ types, pools, events: [sample(1, 5), sample(2, 6), period] });

const numbers: readonly (number | bigint)[] = [
  ...[0, 1, 5, 7, 14, 17, 100, 127, 128, 255, 65_535, 2 ** 31, 2 ** 32],
  ...[2n ** 53n, 2n ** 63n - 1n, 2n ** 64n - 1n],
];

/** So many declarations of other types, and so many recordings, are kept: making one takes longer than reading it. */
const keptDeclarations = 2_000;
const keptRecordings = 500;
const declarations: Bytes[] = [];
const recordings: Uint8Array[] = [];

/** A recording of another structure, or one of those that can be read, with its bytes changed. */
export function changedRecording(chance: Chance, isReadable: (recording: Uint8Array) => boolean): Uint8Array {
  if (chance.once(2)) return recordingOfOtherStructure(chance);
  const which = chance.below(keptRecordings);
  recordings[which] ??= readableRecording(new Chance(`kept ${which}`), isReadable);
  return changedBytes(recordings[which], chance, []);
}

/** One that can be read, where a few attempts find one: a change to what is refused already says little. */
function readableRecording(chance: Chance, isReadable: (recording: Uint8Array) => boolean): Uint8Array {
  for (let left = 8; ; left -= 1) {
    const recording = recordingOfOtherStructure(chance);
    if (left === 0 || isReadable(recording)) return recording;
  }
}

function some<T>(list: readonly T[], chance: Chance, change: (one: T) => T): T[] {
  return list.map((one) => (chance.once(list.length + 1) ? change(one) : one));
}

/** The types of which a recording says that its events are, with other numbers, or other fields. */
function otherDeclaration(chance: Chance): Bytes {
  const which = chance.below(keptDeclarations);
  const own = new Chance(`types ${which}`);
  declarations[which] ??= metadata(
    some(types, own, (type) => ({
      ...type,
      id: own.once(2) ? type.id : own.below(20),
      ...(type.fields === undefined
        ? {}
        : { fields: some(type.fields, own, ([name, id, ...way]) => [name, own.once(2) ? id : own.below(20), ...way]) }),
    })),
  );
  return declarations[which];
}

const plainDeclaration = metadata(types);

/** A recording of which numbers, keys and order are others, framed as its format wants. */
function recordingOfOtherStructure(chance: Chance): Uint8Array {
  const other = (body: Bytes): Bytes => {
    const at = chance.below(body.length + 1);
    return [...body.slice(0, at), ...compressed(chance.one(numbers)), ...body.slice(at + chance.below(3))];
  };
  const spec: ChunkSpec = {
    types,
    metadata: chance.once(2) ? plainDeclaration : otherDeclaration(chance),
    pools: some(pools, chance, ({ type, constants }) => ({
      type,
      constants: some(constants, chance, ([key, body]) => [chance.once(4) ? chance.one(numbers) : key, other(body)]),
    })),
    events: some([sample(1, 5), sample(2, 6), period, { type: 102, body: [0, 9, 7, 5] }], chance, ({ type, body }) => ({
      type,
      body: other(body),
    })),
    ...(chance.once(10) ? { ticksPerSecond: chance.one([1, 1_000, 2 ** 40]) } : {}),
    ...(chance.once(20) ? { delta: chance.one([-1, 1, -68, 2 ** 31]) } : {}),
  };
  return chunk(spec);
}
