import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildSteps } from '../../../src/engine/versions/buildCommands.ts';
import { writeFiles } from '../../support/writeFiles.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchside-build-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function steps(files: Readonly<Record<string, string>>, folder = '.', cwd = '.'): string[] {
  writeFiles(dir, files);
  return buildSteps(dir, folder, { cwd }).map((step) => `${step.cwd}: ${step.argv.join(' ')}`);
}

describe('what makes a copy of the code ready', () => {
  it('is what the target declares, in its folder', () => {
    expect(buildSteps(dir, 'a', { cwd: 'b', build: [['make', 'all']] })).toEqual([{ argv: ['make', 'all'], cwd: 'a/b' }]);
    expect(buildSteps(dir, '.', { cwd: '.', build: [] })).toEqual([]);
  });

  it('is an installation by the lockfile, and the build script where there is one', () => {
    expect(steps({ 'package.json': '{"scripts":{"build":"tsc"}}', 'package-lock.json': '{}' })).toEqual([
      '.: npm ci --no-audit --no-fund',
      '.: npm run build',
    ]);
    expect(steps({ 'pnpm-lock.yaml': '' })[0]).toBe('.: pnpm install --frozen-lockfile');
  });

  it('stands above the folder of a package in a monorepo', () => {
    expect(steps({ 'package.json': '{}', 'package-lock.json': '{}', 'services/a/server.js': '' }, 'services/a')).toEqual([
      '.: npm ci --no-audit --no-fund',
    ]);
  });

  it('is Maven’s or Gradle’s packaging, by their wrappers where they are there', () => {
    expect(steps({ 'm/pom.xml': '' }, '.', 'm')).toEqual(['m: mvn -q -B -DskipTests package']);
    expect(steps({ 'm/mvnw': '' }, '.', 'm')).toEqual(['m: ./mvnw -q -B -DskipTests package']);
    expect(steps({ 'g/build.gradle.kts': '' }, '.', 'g')).toEqual(['g: gradle -q assemble']);
  });

  it('is nothing where nothing is known', () => {
    expect(steps({ 'server.js': '' })).toEqual([]);
  });
});
