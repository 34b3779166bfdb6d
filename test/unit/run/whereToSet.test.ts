import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadWorkspaceFile } from '../../../src/engine/targets/workspaceFile.ts';
import type { DeclaredTarget } from '../../../src/engine/targets/catalog.ts';
import { whereToSet } from '../../../src/engine/targets/whereToSet.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-where-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const declaration = `// ours
{
  "targets": [
    { "id": "other", "command": ["x"], "routes": [{ "path": "/" }] },
    {
      "id": "shop", "label": "Shop", "command": ["java", "-jar", "shop.jar"], "cwd": "app", "routes": [{ "path": "/" }],
      "settings": {
        "heapMb": { "default": 256, "max": 4096, "arguments": ["-Xmx{value}m"] },
        "pool": {
          "label": "Pool",
          "env": "DB_POOL_SIZE",
          "default": 10, // the default
        },
        "threads": { "default": 50, "env": "THREADS", "arguments": ["--threads", "{value}"] },
        "workers": { "default": 4, "live": "pool" },
      },
    },
  ],
}
`;

function write(name: string, text: string): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function shop(origin: DeclaredTarget['origin'] = 'workspace'): DeclaredTarget {
  write('benchside.json', declaration);
  const loaded = loadWorkspaceFile(path.join(folder, 'benchside.json'));
  const target = loaded?.content?.targets.find((one) => one.id === 'shop');
  if (target === undefined) throw new Error(JSON.stringify(loaded?.problems));
  return { target, origin, baseDir: folder };
}

describe('where a setting is set', () => {
  it('is the variable or the arguments that carry it, and the line of its default in benchside.json', () => {
    const file = path.join(folder, 'benchside.json');
    expect(whereToSet(shop(), 'pool', 8)).toEqual({
      setting: 'pool',
      value: 8,
      how: 'Environment variable DB_POOL_SIZE=8.',
      file,
      line: 12,
    });
    expect(whereToSet(shop(), 'heapMb', 512)).toMatchObject({ how: 'Argument -Xmx512m.', file, line: 8 });
    expect(whereToSet(shop(), 'workers', 6)).toMatchObject({ how: 'Size 6 where its code or its configuration makes its pool.', file });
    expect(whereToSet(shop(), 'threads', 16)).toMatchObject({
      how: 'Environment variable THREADS=16, and arguments --threads 16.',
      line: 14,
    });
  });

  it('has no line of its own for a bundled sample', () => {
    expect(whereToSet(shop('sample'), 'pool', 8)).toMatchObject({ file: null, line: null });
  });

  it('says how instances come about, and which settings there are', () => {
    expect(whereToSet(shop(), 'instances', 3).how).toBe(
      'Run 3 processes of Shop behind one address: a load balancer, a process manager or a cluster.',
    );
    expect(whereToSet(shop(), 'pol', 3)).toMatchObject({
      how: 'Shop has no setting “pol”; it has: heapMb, pool, threads, workers.',
      file: null,
    });
  });

  it.each([
    ['.env', 'A=1\n# DB_POOL_SIZE=3\nexport DB_POOL_SIZE=10\n', '.env:3 (DB_POOL_SIZE=10)'],
    ['app/.env', 'DB_POOL_SIZE="10"\n', 'app/.env:1 (DB_POOL_SIZE=10)'],
    ['Dockerfile', 'FROM x\nENV DB_POOL_SIZE 10\n', 'Dockerfile:2 (DB_POOL_SIZE 10)'],
    ['compose.yml', 'services:\n  shop:\n    environment:\n      - DB_POOL_SIZE=10\n', 'compose.yml:4 (DB_POOL_SIZE=10)'],
    ['docker-compose.yml', 'services:\n  shop:\n    environment:\n      DB_POOL_SIZE: 10\n', 'docker-compose.yml:4 (DB_POOL_SIZE: 10)'],
    [
      'app/src/main/resources/application.properties',
      'a=b\nspring.datasource.hikari.maximum-pool-size = 10\n',
      'app/src/main/resources/application.properties:2 (spring.datasource.hikari.maximum-pool-size = 10)',
    ],
    [
      'app/src/main/resources/application.yml',
      'spring:\n  application:\n    name: shop\n  datasource:\n    url: x\n    hikari:\n      # a note\n      maximumPoolSize: 10\nserver:\n  port: 1\n',
      'app/src/main/resources/application.yml:8 (maximumPoolSize: 10)',
    ],
    ['app/config/application.yaml', 'mine:\n  size: ${DB_POOL_SIZE:10}\n', 'app/config/application.yaml:2 (${DB_POOL_SIZE:10})'],
  ])('names %s where that speaks of it', (name, text, expected) => {
    write(name, text);
    expect(whereToSet(shop(), 'pool', 8).how).toBe(`Environment variable DB_POOL_SIZE=8. It is spoken of in ${expected}.`);
  });

  it('tells the threads of a server from a pool, and a property from one that only ends like it', () => {
    write('app/application.yml', 'server:\n  tomcat:\n    threads:\n      max: 200\nother:\n  hikari:\n    maximum-pool-size: 3\n');
    expect(whereToSet(shop(), 'threads', 16).how).toMatch(/spoken of in app\/application\.yml:4 \(max: 200\)\.$/);
    expect(whereToSet(shop(), 'pool', 16).how).not.toContain('spoken of');
  });

  it('shows nothing else of a line, which may hold a password', () => {
    write('Procfile', `web: DB_PASSWORD=secret DB_POOL_SIZE=10 node server.js\n`);
    write('app/application.properties', 'url=jdbc:postgresql://me:secret@db/x?size=${DB_POOL_SIZE}\n');
    const { how } = whereToSet(shop(), 'pool', 8);
    expect(how).toContain('Procfile:1 (DB_POOL_SIZE=10)');
    expect(how).toContain('application.properties:1 (${DB_POOL_SIZE})');
    expect(how).not.toContain('secret');
  });

  it('names only the first places, and does without files that it cannot read', () => {
    write('.env/nested', 'a folder where a file is expected');
    write('Dockerfile', Array.from({ length: 9 }, (_, index) => `ENV DB_POOL_SIZE=${index}`).join('\n'));
    expect(whereToSet(shop(), 'pool', 8).how).toMatch(/Dockerfile:4 \(DB_POOL_SIZE=3\) and 5 more places\.$/);
  });
});
