import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fillRepository, mavenListFile, readMavenList } from '../../../scripts/mavenArtefacts.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'benchside-maven-'));
const [repository, known] = [path.join(folder, 'repository'), path.join(folder, 'known')];
const file = 'org/shop/till/1.0/till-1.0.jar';
const list = [{ file, sha256: createHash('sha256').update('what was checked').digest('hex') }];
let published = 'what was checked';
let asked = 0;
let server: Server;
let remote = '';

beforeAll(async () => {
  server = createServer((_request, response) => {
    asked += 1;
    response.end(published);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  remote = `http://127.0.0.1:${(server.address() as AddressInfo).port}/maven2`;
});
beforeEach(() => {
  for (const one of [repository, known]) rmSync(one, { recursive: true, force: true });
  published = 'what was checked';
  asked = 0;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(base: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(base, name)), { recursive: true });
  writeFileSync(path.join(base, name), text);
}
const fill = (): Promise<void> => fillRepository({ list, repository, known, remote });
const inRepository = (): string => readFileSync(path.join(repository, file), 'utf8');

describe('the artefacts that Maven builds with', () => {
  it('are pinned for every plugin and dependency that a pom.xml names', () => {
    const files = readMavenList(readFileSync(path.join(root, mavenListFile), 'utf8')).map((one) => one.file);
    for (const pom of ['src/probe/jvm/pom.xml', 'samples/java/pom.xml', 'samples/lab/java/pom.xml']) {
      const text = readFileSync(path.join(root, pom), 'utf8');
      const value = (name: string): string => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1] ?? name;
      const wanted = [
        ...text.matchAll(/<(?:dependency|plugin)>\s*<groupId>([^<]+)<\/groupId>\s*<artifactId>([^<]+)<\/artifactId>\s*<version>([^<]+)</g),
      ]
        .map(([, group = '', artifact = '', version = '']) => ({
          group,
          artifact,
          version: version.replace(/^\$\{(.+)\}$/, (_, name: string) => value(name)),
        }))
        .filter(({ group, artifact }) => group !== 'bulletin' && artifact !== 'maven-clean-plugin');
      expect(wanted.length).toBeGreaterThan(3);
      for (const { group, artifact, version } of wanted)
        expect(files).toContain(`${group.replaceAll('.', '/')}/${artifact}/${version}/${artifact}-${version}.jar`);
    }
  });

  it('come from the repository of this machine, else from the net, and the second time from neither', async () => {
    write(known, file, 'what was checked');
    await fill();
    expect([inRepository(), asked]).toEqual(['what was checked', 0]);
    rmSync(repository, { recursive: true });
    rmSync(known, { recursive: true });
    await fill();
    await fill();
    expect([inRepository(), asked]).toEqual(['what was checked', 1]);
  });

  it('are refused where one byte differs, on this machine and in the net, and nothing is left to build with', async () => {
    write(known, file, 'what was cheCked');
    await fill();
    expect(inRepository()).toBe('what was checked');
    rmSync(repository, { recursive: true });
    published = 'what was cheCked';
    await expect(fill()).rejects.toThrow(/till-1\.0\.jar is not the file that was checked/);
    expect(existsSync(repository)).toBe(false);
  });

  it('are all that Maven sees: what was put beside them, or in their place, is gone', async () => {
    await fill();
    write(repository, file, 'changed since');
    write(repository, 'org/evil/plugin/1.0/plugin-1.0.jar', 'not listed');
    await fill();
    expect(inRepository()).toBe('what was checked');
    expect(existsSync(path.join(repository, 'org/evil'))).toBe(false);
  });

  it.each(['../../escape.jar', '/etc/passwd', 'a/../b.jar', 'a//b.jar'])('are in no place outside of it, as %s would be', (name) => {
    expect(() => readMavenList(`${'0'.repeat(64)}  ${name}`)).toThrow(/a line that is none/);
  });
});
