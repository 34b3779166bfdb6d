import { realpathSync } from 'node:fs';
import { attempt } from '../../../model/domain/attempt.ts';
import type { Failure } from '../../../model/domain/failure.ts';
import { listPhrase } from '../../../model/domain/format.ts';
import { type Parsed, misread, understood } from '../../../model/domain/parsed.ts';
import {
  type InstalledRuntime,
  featureOf,
  installedJava,
  installedJavas,
  installedNode,
  installedNodes,
} from '../../targets/installedRuntimes.ts';
import type { Activation, Seen, VariantKey } from '../variantKey.ts';

export const java: VariantKey = {
  key: 'java',
  meaning: 'The JDK that the target runs on.',
  takes: 'feature versions that are installed, such as 17,25, or folders of JDKs',
  example: 'java=17,25',
  fits: ({ runtime, running }) => runtime === 'jvm' && running === undefined,
  of: 'a JVM that Benchside starts',
  source: 'https://docs.oracle.com/en/java/javase/25/migrate/getting-started.html',
  ...anotherProgram({ what: 'JDK', installed: installedJava, all: installedJavas, activation: (program) => ({ java: program }) }),
};

export const node: VariantKey = {
  key: 'node',
  meaning: 'The Node.js that the target runs on.',
  takes: 'major versions that are installed, such as 20,22, or their folders',
  example: 'node=20,22',
  fits: ({ runtime, running }) => runtime === 'node' && running === undefined,
  of: 'a Node process that Benchside starts',
  source: 'https://nodejs.org/en/about/previous-releases',
  ...anotherProgram({ what: 'Node.js', installed: installedNode, all: installedNodes, activation: (program) => ({ node: program }) }),
};

/** What is the same of every runtime whose program is another version’s. */
function anotherProgram(runtime: {
  what: string;
  installed: (value: string) => string | null;
  all: () => InstalledRuntime[];
  activation: (program: string) => Activation;
}): Pick<VariantKey, 'read' | 'refuses' | 'copies' | 'activation' | 'seen'> {
  const { what, installed, all, activation } = runtime;
  return {
    read: readInstalled,
    refuses: (value) => (installed(value) === null ? missing(what, value, all()) : null),
    // A version that is installed, and the same by its program.
    copies: () => {
      const [first] = all();
      return [String(first?.feature ?? 0), first?.program ?? '.'];
    },
    activation: (value) => {
      const program = installed(value);
      return program === null ? {} : activation(program);
    },
    seen: (value, view) => Promise.resolve(seenProgram(installed(value), view.program())),
  };
}

/** A version such as 17, or a path. */
function readInstalled(text: string): Parsed<string> {
  if (/^\d{1,2}$/.test(text)) return understood(String(Number(text)));
  return /^(~\/|\.{0,2}\/|[A-Za-z]:[\\/])[^\0-\x1f,]{1,400}$/.test(text) && text.trim() === text
    ? understood(text)
    : misread(`“${text}” is neither a version, such as 17, nor a path.`);
}

function missing(what: string, value: string, all: readonly InstalledRuntime[]): Failure {
  return {
    code: 'runtime-missing',
    message: /^\d+$/.test(value) ? `No ${what} ${value} was found on this machine.` : `There is no ${what} at ${value}.`,
    cure:
      all.length === 0
        ? `Name the folder of one as the value.`
        : `Found are ${listPhrase(all.map(({ feature }) => String(feature)))}; of any other, name the folder as the value.`,
  };
}

/** Whether a process runs the program that was meant, by its file or, where that only starts the real one, by its version. */
function seenProgram(meant: string | null, runs: string | null): Seen {
  if (runs === null || meant === null) return null;
  const feature = featureOf(runs);
  const isSameFile = attempt(() => realpathSync(meant) === realpathSync(runs), false);
  return {
    holds: isSameFile || (feature !== null && feature === featureOf(meant)),
    shown: feature === null ? runs : `${feature} (${runs})`,
  };
}
