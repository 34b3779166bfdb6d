import { existsSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';
import type { Target } from '../../model/domain/target.ts';
import { largestTextBytes, readBoundedText } from '../files/boundedFile.ts';

/** A command without a shell, and the folder in which it runs, relative to the version’s top. */
export interface BuildStep {
  argv: readonly string[];
  cwd: string;
}

/**
 * What makes a version ready to start: what the target declares as "build", else what its files ask for (a lockfile of npm, pnpm or Yarn with a build script,
 * Maven, Gradle). `folder` is that of `benchside.json` and `cwd` that of the target, both relative to the version’s top `dir`.
 */
export function buildSteps(dir: string, folder: string, target: Pick<Target, 'build' | 'cwd'>): BuildStep[] {
  const cwd = path.join(folder, target.cwd);
  if (target.build !== undefined) return target.build.map((argv) => ({ argv, cwd }));
  // A lockfile of a workspace is above its packages.
  for (let at = cwd; ; at = path.dirname(at)) {
    const steps = stepsIn(dir, at);
    if (steps.length > 0 || at === '.' || at === '') return steps;
  }
}

function stepsIn(dir: string, cwd: string): BuildStep[] {
  const has = (file: string): boolean => existsSync(path.join(dir, cwd, file));
  const step = (...argv: string[]): BuildStep => ({ argv, cwd });
  if (has('package.json')) {
    const [manager = 'npm', ...install] = has('pnpm-lock.yaml')
      ? ['pnpm', 'install', '--frozen-lockfile']
      : has('yarn.lock')
        ? ['yarn', 'install', '--immutable']
        : ['npm', has('package-lock.json') ? 'ci' : 'install', '--no-audit', '--no-fund'];
    const build = hasScript(path.join(dir, cwd, 'package.json'), 'build') ? [step(manager, 'run', 'build')] : [];
    return [step(manager, ...install), ...build];
  }
  if (has('mvnw')) return [step('./mvnw', '-q', '-B', '-DskipTests', 'package')];
  if (has('pom.xml')) return [step('mvn', '-q', '-B', '-DskipTests', 'package')];
  if (has('gradlew')) return [step('./gradlew', '-q', 'assemble')];
  return has('build.gradle') || has('build.gradle.kts') ? [step('gradle', '-q', 'assemble')] : [];
}

function hasScript(file: string, name: string): boolean {
  return attempt(() => {
    const manifest = JSON.parse(readBoundedText(file, { largestBytes: largestTextBytes })) as { scripts?: Record<string, unknown> };
    return typeof manifest.scripts?.[name] === 'string';
  }, false);
}
