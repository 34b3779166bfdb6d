import * as z from 'zod';

/**
 * An option of a run and of a tuning that is on or off. It is declared once, here: its field in what is asked of both, the option of the command line, the box of
 * the form with its part of the summary, and the command that repeats a run follow from this. What it does is up to the procedures.
 */
interface RunFlag {
  /** What is asked for by it, as a schema says it. */
  asked: string;
  cli: { option: `--${string}`; run: string; tune: string };
  /** Its box under Afterwards. */
  form: { label: string; help: string; summary: string };
}

const runFlags = {
  confirm: {
    asked: 'measure the answer and the best once more in fresh processes',
    cli: {
      option: '--confirm',
      run: 'measure the answer and the best once more in fresh processes',
      tune: 'measure the answer once more in fresh processes',
    },
    form: {
      label: 'Confirm in fresh processes',
      help: 'Measures the answer once more in processes that start with it',
      summary: 'confirmed in fresh processes',
    },
  },
} as const satisfies Record<string, RunFlag>;

export type RunFlagName = keyof typeof runFlags;
/** Flags as a request has them; absent is off. */
type RunFlagValues = { readonly [N in RunFlagName]?: boolean | undefined };

export const eachRunFlag = Object.entries(runFlags) as readonly (readonly [RunFlagName, RunFlag])[];

function byName<T>(make: (flag: RunFlag, name: RunFlagName) => T): Record<RunFlagName, T> {
  return Object.fromEntries(eachRunFlag.map(([name, flag]) => [name, make(flag, name)])) as Record<RunFlagName, T>;
}

/** Their fields in what is asked of a run. */
export const runFlagFields = byName(({ asked }) => z.boolean().optional().describe(asked));
/** Their fields in what is asked of a tuning, and in the form. */
export const setFlagFields = byName(({ asked }) => z.boolean().default(false).describe(asked));

export function allFlags(values: RunFlagValues): Record<RunFlagName, boolean> {
  return byName((_flag, name) => values[name] === true);
}

/** Those that are on, and nothing else. */
export function askedFlags(values: RunFlagValues): Partial<Record<RunFlagName, true>> {
  return Object.fromEntries(eachRunFlag.flatMap(([name]) => (values[name] === true ? [[name, true as const]] : [])));
}

/** The arguments that ask for the same flags again. */
export function repeatedFlags(values: RunFlagValues): string[] {
  return eachRunFlag.flatMap(([name, { cli }]) => (values[name] === true ? [cli.option] : []));
}
