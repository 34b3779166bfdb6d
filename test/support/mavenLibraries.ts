import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { repositoryDir } from './samples.ts';
import { writeFiles } from './writeFiles.ts';

/** The class path of artifacts (`group:artifact:version`) with all that they need; the first time Maven fetches them, and afterwards they are kept. */
export function mavenLibraries(...artifacts: readonly string[]): string {
  const folder = path.join(repositoryDir, '.cache', 'maven-libraries', artifacts.join('+').replace(/[^\w.+-]+/g, '_'));
  if (!existsSync(folder)) {
    const making = `${folder}.${process.pid}`;
    writeFiles(making, { 'pom.xml': pomOf(artifacts) });
    const copied = spawnSync(
      'mvn',
      ['-q', '-B', '-ntp', 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies', '-DoutputDirectory=.'],
      { cwd: making, encoding: 'utf8' },
    );
    if (copied.status !== 0) throw new Error(`${artifacts.join(', ')} could not be fetched: ${copied.stdout}${copied.stderr}`);
    if (existsSync(folder)) rmSync(making, { recursive: true });
    else renameSync(making, folder);
  }
  return path.join(folder, '*');
}

function pomOf(artifacts: readonly string[]): string {
  const dependencies = artifacts.map((one) => {
    const [group, artifact, version] = one.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project><modelVersion>4.0.0</modelVersion><groupId>fixture</groupId><artifactId>libraries</artifactId><version>1</version>
<dependencies>${dependencies.join('')}</dependencies></project>`;
}
