import { readWord } from '../reading.ts';
import type { VariantKey } from '../variantKey.ts';

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
  fits: ({ runtime }) => runtime === 'jvm',
  of: 'a JVM',
  since: (value) => sinceOf[value] ?? 0,
  means: 'option at the start',
  effect: 'Collectors that work beside the app (ZGC, Shenandoah) stop it for less than a millisecond, Parallel gives the most throughput.',
  cost: 'Throughput, CPU time and memory: those that work beside the app need cores and room for it.',
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
