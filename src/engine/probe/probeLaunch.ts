import { javaToolOption } from '../supervise/javaOption.ts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { LiveRefusal } from '../../model/domain/liveRefusal.ts';
import { type Runtime, isProbed } from '../../model/domain/runtimes.ts';
import type { ProbeGroup, ProbeServer } from './probeServer.ts';

/** Where probes connect to, and where their files are. */
export interface ProbeSource {
  server: ProbeServer;
  assetsDir: string;
  /** The probe looks at nothing and wraps nothing: it only opens an inspector session when it is asked for one. A JVM then gets none. */
  inspectorOnly?: boolean;
}

/** How an app is started: its command line and environment. */
export interface LaunchCommand {
  argv: string[];
  env: Record<string, string>;
}

/** A command that loads the probe, and the group of its processes; `group` is null where there is no probe for the runtime. */
export interface ProbedCommand extends LaunchCommand {
  group: ProbeGroup | null;
}

/** Where the probes are, from the folder of what comes along. */
export const probeFiles = { node: 'dist/nodeProbe.cjs', jvm: 'dist/jvmProbe.jar' } as const;

/** Why an app of this runtime cannot be given a probe; null when it can. */
export function probeProblem(runtime: Runtime, assetsDir: string): LiveRefusal | null {
  if (!isProbed(runtime)) return { code: 'no-probe-for-it' };
  return existsSync(path.join(assetsDir, probeFiles[runtime])) ? null : { code: 'probe-not-built', runtime };
}

/**
 * Adds the probe to a command without a change to the app. Node takes it from NODE_OPTIONS, so that what `npm start` starts has it too; for
 * `java` it is an argument, which is silent; anything else that starts a JVM (Maven, Gradle, a script) hands it on by JAVA_TOOL_OPTIONS,
 * which the JVM mentions on its standard error.
 */
export function withProbe(command: LaunchCommand, runtime: Runtime, source: ProbeSource | null): ProbedCommand {
  if (source === null || !isProbed(runtime) || probeProblem(runtime, source.assetsDir) !== null) return { ...command, group: null };
  const { inspectorOnly = false } = source;
  if (inspectorOnly && runtime === 'jvm') return { ...command, group: null };
  const group = source.server.expect();
  const env = { ...command.env, ...group.env, ...(inspectorOnly ? { BENCHSIDE_PROBE_ONLY: 'inspector' } : {}) };
  const given = { argv: command.argv, env };
  return { ...(runtime === 'node' ? withNodeProbe(given, source.assetsDir) : withJvmProbe(given, source.assetsDir)), group };
}

/** A command by whose NODE_OPTIONS Node loads the probe, once; unchanged where it was not built. */
export function withNodeProbe(command: LaunchCommand, assetsDir: string): LaunchCommand {
  const file = path.join(assetsDir, probeFiles.node);
  const option = `--require ${/[\s"\\]/.test(file) ? JSON.stringify(file) : file}`;
  const before = command.env['NODE_OPTIONS'];
  if (!existsSync(file) || before?.includes(option) === true) return command;
  return { ...command, env: { ...command.env, NODE_OPTIONS: joined(before, option) } };
}

/** A command whose JVM loads the probe, once; unchanged where it was not built. */
export function withJvmProbe(command: LaunchCommand, assetsDir: string): LaunchCommand {
  const file = path.join(assetsDir, probeFiles.jvm);
  const option = `-javaagent:${file}`;
  const isLoaded = command.argv.includes(option) || command.env['JAVA_TOOL_OPTIONS']?.includes(javaToolOption(option)) === true;
  return isLoaded || !existsSync(file) ? command : withJvmOption(command, option);
}

/** Adds an option to a command that starts a JVM: an argument of `java`, and by JAVA_TOOL_OPTIONS for anything else. Options of its own come later, and count. */
export function withJvmOption({ argv, env }: LaunchCommand, option: string): LaunchCommand {
  const [program = '', ...rest] = argv;
  if (/^java(\.exe)?$/i.test(path.basename(program))) return { argv: [program, option, ...rest], env };
  return { argv, env: { ...env, JAVA_TOOL_OPTIONS: joined(env['JAVA_TOOL_OPTIONS'], javaToolOption(option)) } };
}

function joined(before: string | undefined, option: string): string {
  return before === undefined || before === '' ? option : `${before} ${option}`;
}
