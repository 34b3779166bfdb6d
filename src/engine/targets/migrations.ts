import type { Step } from '../../model/domain/progress/stepKinds.ts';
import { exitPhrase } from '../../model/domain/exitWords.ts';
import { failure } from '../../model/domain/failure.ts';
import { isProbed } from '../../model/domain/runtimes.ts';
import { preparationOf } from '../../model/domain/target.ts';
import { appliesSql } from '../services/prepareDatabase.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import { runProgram } from '../supervise/runTool.ts';
import type { DeclaredTarget } from './catalog.ts';
import { type LaunchOptions, completeSettings, targetCommand } from './launchTarget.ts';

/** Hundreds of migrations, and a tool that is built first, have this long. */
const longestMs = 300_000;

export type MigrationTools = Pick<LaunchOptions, 'supervisor' | 'toolchain' | 'cookieEnvironment' | 'signal'>;

/** Whether a database may be migrated: ours, and one of our making on a server of the user's. What is in any other is the user's, and stays as it is. */
export function mayMigrate(address: DatabaseAddress): boolean {
  return appliesSql(address) && (!address.external || address.mode === 'own');
}

/**
 * Runs the migrations of a target by its own tool, as the owner of its database and with its own folder and variables; nothing where it declares none, or where
 * they may not be run. The probe leads a tool of Node or of the JVM there as well: one that has an address in its code would change that database. Fails with `migrations-failed` and what the tool said last.
 */
export async function migrate(
  declared: DeclaredTarget,
  address: DatabaseAddress,
  tools: MigrationTools,
  onProgress: (step: Step) => void,
): Promise<void> {
  const { target } = declared;
  const { command } = preparationOf(target);
  if (command === null || !mayMigrate(address)) return;
  const label = target.label ?? target.id;
  onProgress({ code: 'migrating', target: label, command });
  const given = { ...tools, database: address };
  const own = targetCommand(declared, completeSettings(label, target.settings, {}), 0, given);
  // It is no process that takes settings: arguments of these would end up behind its own.
  const tool: DeclaredTarget = { ...declared, target: { ...target, command, settings: {} } };
  const { argv, cwd, env } = targetCommand(ledThere(tool), {}, 0, given);
  const { code, tail } = await runProgram(
    tools.supervisor,
    { name: `migrations of ${label}`, kind: 'tool', argv, cwd, env: withoutDaemon({ ...own.env, ...env }) },
    { timeoutMs: longestMs, signal: tools.signal },
  );
  if (code === 0) return;
  throw failure(
    'migrations-failed',
    `The migrations of ${label} failed: ${command.join(' ')} ${exitPhrase({ code, signal: null })}.`,
    'Look at what it printed; correct it, or "prepare" in benchside.json. It runs in the folder of the service, with its variables.',
    tail,
  );
}

/** A daemon of Gradle that runs already has no probe: the tool gets a process of its own. */
function withoutDaemon(env: Readonly<Record<string, string>>): Record<string, string> {
  return { ...env, GRADLE_OPTS: `${env['GRADLE_OPTS'] ?? ''} -Dorg.gradle.daemon=false`.trim() };
}

function ledThere(declared: DeclaredTarget): DeclaredTarget {
  const { target } = declared;
  if (!isProbed(target.runtime) || target.postgres === undefined) return declared;
  return { ...declared, target: { ...target, postgres: { ...target.postgres, probe: true } } };
}
