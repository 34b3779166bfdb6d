import { featureOf, installedNode, installedNodes } from '../../targets/installedRuntimes.ts';
import { readInstalled, refusedInstalled, seenInstalled, versionAndProgram } from '../installed.ts';
import type { VariantKey } from '../variantKey.ts';

export const node: VariantKey = {
  key: 'node',
  meaning: 'The Node.js that the target runs on.',
  takes: 'major versions that are installed, such as 20,22, or their folders',
  example: 'node=20,22',
  fits: ({ runtime, running }) => runtime === 'node' && running === undefined,
  of: 'a Node process that Benchside starts',
  means: 'another program',
  effect: 'Newer versions have a newer V8 and a faster http, and other defaults, such as of the young space.',
  cost: 'The service and its native packages have to run on it, where it is deployed, too.',
  source: 'https://nodejs.org/en/about/previous-releases',
  read: readInstalled,
  refuses: (value) => refusedInstalled('Node.js', value, { program: installedNode(value), all: installedNodes() }),
  copies: () => versionAndProgram(installedNodes()),
  activation: (value) => {
    const program = installedNode(value);
    return program === null ? {} : { node: program };
  },
  seen: (value, view) => Promise.resolve(seenInstalled(installedNode(value), view.program(), featureOf)),
};
