// Builds the probe that is loaded into JVMs, and puts it where the engine looks for it: dist/jvmProbe.jar. Needs a JDK 17 or later and Maven.
// Usage: node scripts/buildJvmProbe.mjs
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkedMaven } from './mavenArtefacts.mjs';

const projectDir = 'src/probe/jvm';
/** What the jar is made of, below the repository; for who wants to know whether it must be built again. */
export const jvmProbeInputs = [`${projectDir}/pom.xml`, `${projectDir}/src`];
export const jvmProbeFile = 'dist/jvmProbe.jar';

/** Throws with what Maven says when it cannot be built, and where it would be built with another artefact than was checked. */
export async function buildJvmProbe({ root }) {
  const built = spawnSync('mvn', ['-q', '-B', '-ntp', ...(await checkedMaven(root)), 'package'], {
    cwd: path.join(root, projectDir),
    stdio: 'pipe',
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 1 << 28,
  });
  if (built.status !== 0) {
    const said = [built.error?.message, built.stdout, built.stderr].filter(Boolean).join('\n').trim().slice(-4000);
    throw new Error(`The probe for the JVM could not be built.\n${said}`);
  }
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  // By another name first: a JVM that has the old one open would crash if that were written over.
  const next = path.join(root, `${jvmProbeFile}.${process.pid}`);
  copyFileSync(path.join(root, projectDir, 'target/jvm-probe.jar'), next);
  renameSync(next, path.join(root, jvmProbeFile));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildJvmProbe({ root: path.resolve(path.dirname(process.argv[1]), '..') });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
