import { featureOf, installedJava, installedJavas } from '../../targets/installedRuntimes.ts';
import { readInstalled, refusedInstalled, seenInstalled, versionAndProgram } from '../installed.ts';
import type { VariantKey } from '../variantKey.ts';

export const java: VariantKey = {
  key: 'java',
  meaning: 'The JDK that the target runs on.',
  takes: 'feature versions that are installed, such as 17,25, or folders of JDKs',
  example: 'java=17,25',
  fits: ({ runtime, running }) => runtime === 'jvm' && running === undefined,
  of: 'a JVM that Benchside starts',
  means: 'another program',
  effect: 'Newer versions have better collectors and compilers, and start faster.',
  cost: 'The service has to run on it, where it is deployed, too.',
  source: 'https://docs.oracle.com/en/java/javase/25/migrate/getting-started.html',
  read: readInstalled,
  refuses: (value) => refusedInstalled('JDK', value, { program: installedJava(value), all: installedJavas() }),
  copies: () => versionAndProgram(installedJavas()),
  activation: (value) => {
    const program = installedJava(value);
    return program === null ? {} : { java: program };
  },
  seen: (value, view) => Promise.resolve(seenInstalled(installedJava(value), view.program(), featureOf)),
};
