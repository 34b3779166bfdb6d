import { realpathSync } from 'node:fs';
import type { Failure } from '../../model/domain/failure.ts';
import { listPhrase } from '../../model/domain/format.ts';
import type { Parsed } from '../../model/domain/parsed.ts';
import { misread, understood } from '../../model/domain/parsed.ts';
import type { InstalledRuntime } from '../targets/installedRuntimes.ts';
import type { Seen } from './variantKey.ts';

/** A version such as 17, or a path. */
export function readInstalled(text: string): Parsed<string> {
  if (/^\d{1,2}$/.test(text)) return understood(String(Number(text)));
  return /^(~\/|\.{0,2}\/|[A-Za-z]:[\\/])[^\0-\x1f,]{1,400}$/.test(text) && text.trim() === text
    ? understood(text)
    : misread(`“${text}” is neither a version, such as 17, nor a path.`);
}

/** A version that is installed, and the same by its program. */
export function versionAndProgram([first]: readonly InstalledRuntime[]): readonly [string, string] {
  return [String(first?.feature ?? 0), first?.program ?? '.'];
}

/** Why a value cannot be had: nothing is installed that it means. */
export function refusedInstalled(
  what: string,
  value: string,
  { program, all }: { program: string | null; all: readonly InstalledRuntime[] },
): Failure | null {
  if (program !== null) return null;
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
export function seenInstalled(meant: string | null, runs: string | null, featureOf: (program: string) => number | null): Seen {
  if (runs === null || meant === null) return null;
  const feature = featureOf(runs);
  return {
    holds: isSameFile(meant, runs) || (feature !== null && feature === featureOf(meant)),
    shown: feature === null ? runs : `${feature} (${runs})`,
  };
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}
