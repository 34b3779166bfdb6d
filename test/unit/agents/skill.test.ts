import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepWords } from '../../../src/model/agents/comparisonAnswers.ts';
import { agentToolNames } from '../../../src/model/agents/agentTools.ts';
import { repositoryDir } from '../../support/engine.ts';

interface Manifest {
  contributes: { chatSkills: { path: string }[] };
}
const manifest = JSON.parse(readFileSync(path.join(repositoryDir, 'package.json'), 'utf8')) as Manifest;
const [skill] = manifest.contributes.chatSkills;
const file = path.join(repositoryDir, skill?.path ?? '');
const text = readFileSync(file, 'utf8');

describe('the skill of agents', () => {
  it('is found by an editor: its name is that of its folder, and its description is one line', () => {
    const [, front = ''] = text.split('---\n');
    const keys = Object.fromEntries(
      front.split('\n').flatMap((line) => (line === '' ? [] : [line.split(/: (.*)/s).slice(0, 2)])),
    ) as Record<string, string>;
    expect(Object.keys(keys)).toEqual(['name', 'description']);
    expect(keys['name']).toBe(path.basename(path.dirname(file)));
    expect(keys['description']?.length).toBeLessThanOrEqual(1024);
    expect(readFileSync(path.join(repositoryDir, '.vscodeignore'), 'utf8')).toContain(`!${path.relative(repositoryDir, file)}`);
  });

  it('names only tools that there are, and says what to do with each answer that a comparison has', () => {
    const named = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !agentToolNames.some((known) => known === name))).toEqual([]);
    const words = new Set(Object.values(keepWords).map((said) => said.split(/;| of its/)[0]));
    expect([...words].sort()).toEqual(['no', 'not yet', 'only after a test', 'yes']);
    for (const word of words) expect(text).toContain(`\`keep: ${word}\``);
  });
});
