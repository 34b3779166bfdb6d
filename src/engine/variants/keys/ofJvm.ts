import { heapSize, mebibytes, readWord } from '../reading.ts';
import type { VariantKey } from '../variantKey.ts';

const ofJvm: Pick<VariantKey, 'fits' | 'of'> = { fits: ({ runtime }) => runtime === 'jvm', of: 'a JVM' };

const flagOf: Readonly<Record<string, string>> = {
  G1: 'UseG1GC',
  Parallel: 'UseParallelGC',
  Serial: 'UseSerialGC',
  ZGC: 'UseZGC',
  Shenandoah: 'UseShenandoahGC',
};

/** Out of its trial: ZGC by JEP 377 and Shenandoah by JEP 379. */
const sinceOf: Readonly<Record<string, number>> = { ZGC: 15, Shenandoah: 15 };

export const jvmGc: VariantKey = {
  key: 'jvm.gc',
  meaning: 'The garbage collector of the JVM.',
  takes: Object.keys(flagOf).join(', '),
  example: 'jvm.gc=G1,Parallel',
  ...ofJvm,
  since: (value) => sinceOf[value] ?? 0,
  source: 'https://docs.oracle.com/en/java/javase/21/gctuning/available-collectors.html',
  read: (text) => readWord(text, Object.keys(flagOf)),
  copies: () => ['G1'],
  activation: (value) => ({ jvmOptions: [`-XX:+${flagOf[value] ?? ''}`] }),
  replaces: /^-XX:[+-]Use(G1|Parallel|ParallelOld|Serial|Z|Shenandoah|ConcMarkSweep|Epsilon)GC$/,
  seen: async (value, view) => {
    let known = false;
    for (const [name, flag] of Object.entries(flagOf)) {
      const printed = await view.jvmFlag(flag);
      known ||= printed !== null;
      if (printed === `-XX:+${flag}`) return { holds: name === value, shown: name };
    }
    return known ? { holds: false, shown: 'none of these' } : null;
  },
};

/** A heap is made of regions or pages of up to 32 MiB, and is rounded up to whole ones. */
const roundedMebibytes = 32;

export const jvmHeap: VariantKey = {
  key: 'jvm.heap',
  meaning: 'The most that the heap of the JVM may grow to.',
  example: 'jvm.heap=256m,512m',
  ...ofJvm,
  ...heapSize,
  source: 'https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html',
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
