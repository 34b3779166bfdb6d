import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const root = path.resolve(import.meta.dirname, '../../..');
const jobSchema = z.object({
  'runs-on': z.string(),
  'timeout-minutes': z.number(),
  needs: z.string().optional(),
  if: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  strategy: z.object({ matrix: z.object({ os: z.array(z.string()) }) }).optional(),
  steps: z.array(z.object({ run: z.string().optional(), uses: z.string().optional() })),
});
const { jobs, permissions } = z
  .object({ jobs: z.record(z.string(), jobSchema), permissions: z.record(z.string(), z.string()) })
  .parse(parse(readFileSync(path.join(root, '.github/workflows/release.yml'), 'utf8')));
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

describe('the release workflow', () => {
  it('runs only scripts and programs that there are', () => {
    const files = commands.flatMap((command) => [...command.matchAll(/\bnode (\S+\.[cm]js)/g)].map(([, file]) => file ?? ''));
    expect(files).toContain('scripts/release.mjs');
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    const named = commands.flatMap((command) => [...command.matchAll(/\bnpm run (\S+)/g)].map(([, name]) => name ?? ''));
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('checks and installs on three systems, and publishes only a tag, after both', () => {
    const systems = ['ubuntu-latest', 'macos-latest', 'windows-latest'];
    expect([jobs['check']?.strategy?.matrix.os, jobs['installs']?.strategy?.matrix.os]).toEqual([systems, systems]);
    expect(jobs['publish']).toMatchObject({ if: "github.ref_type == 'tag'", needs: 'installs' });
    expect([jobs['installs']?.needs, jobs['pack']?.needs]).toEqual(['pack', 'check']);
  });

  it('may write in its last job alone, and no text of an event stands within a step', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(Object.keys(jobs).filter((name) => jobs[name]?.permissions !== undefined)).toEqual(['publish']);
    for (const command of commands) expect(command).not.toContain('${{');
  });
});
