/** What a JVM says of itself that a recording depends on. */
export interface JvmRuntime {
  /** Version of the JDK, such as 21.0.8; null when it does not say. */
  version: string | null;
  /** Whether compiled code knows the lines of all of its instructions; null when it does not say. */
  hasExactLines: boolean | null;
}

/** Runs commands of `jcmd` in a JVM. Fails with a `FailureError` when the JVM refuses one. */
export interface DiagnosticChannel {
  jcmd(command: string, options?: { timeoutMs?: number }): Promise<string>;
}

/** Asks with two commands, of some ms each. */
export async function askRuntime(channel: DiagnosticChannel): Promise<JvmRuntime> {
  const version = parseVersion(await channel.jcmd('VM.version'));
  const flags = await channel.jcmd('VM.flags').catch(() => null);
  return { version, hasExactLines: flags === null ? null : isOn(flags, 'DebugNonSafepoints') };
}

export function parseVersion(text: string): string | null {
  return /^JDK (\S+)/m.exec(text)?.[1] ?? null;
}

/** 8 for 1.8.0_402 and for 8.0.402, 21 for 21.0.8; null for anything else. */
export function majorVersion(version: string | null): number | null {
  const match = /^(?:1\.)?(\d{1,3})(?:\D|$)/.exec(version ?? '');
  return match === null ? null : Number(match[1]);
}

/** Whether a flag is set in a list such as `-XX:+UseG1GC -XX:-UsePerfData`; the last one counts. */
export function isOn(flags: string, name: string): boolean {
  return [...flags.matchAll(/-XX:([+-])(\w+)/g)].filter((match) => match[2] === name).at(-1)?.[1] === '+';
}
