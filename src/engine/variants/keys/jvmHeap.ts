import { mebibytes, readMebibytes } from '../reading.ts';
import type { VariantKey } from '../variantKey.ts';

/** A heap is made of regions or pages of up to 32 MiB, and is rounded up to whole ones. */
const roundedMebibytes = 32;

export const jvmHeap: VariantKey = {
  key: 'jvm.heap',
  meaning: 'The most that the heap of the JVM may grow to.',
  takes: 'sizes from 16m to 1048576m, such as 256m or 2g',
  example: 'jvm.heap=256m,512m',
  fits: ({ runtime }) => runtime === 'jvm',
  of: 'a JVM',
  means: 'option at the start',
  effect: 'With more of it the collector runs less often; with too little it hardly does anything else.',
  cost: 'Memory of the machine or the container; full collections of a larger heap can take longer.',
  source: 'https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html',
  read: (text) => readMebibytes(text, { min: 16, max: 1_048_576 }),
  copies: () => ['1024m', '1056m'],
  activation: (value) => ({ jvmOptions: [`-Xmx${value}`] }),
  replaces: /^-(Xmx.*|XX:(MaxHeapSize|MaxRAMPercentage|MaxRAMFraction)=.*)$/,
  seen: async (value, view) => {
    const bytes = /=(\d+)\s*$/.exec((await view.jvmFlag('MaxHeapSize')) ?? '')?.[1];
    if (bytes === undefined) return null;
    const shown = Number(bytes) / 2 ** 20;
    const beyond = shown - mebibytes(value);
    return { holds: beyond >= 0 && beyond < roundedMebibytes, shown: `${Math.round(shown)}m` };
  },
};
