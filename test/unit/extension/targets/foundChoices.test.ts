import { describe, expect, it } from 'vitest';
import { foundChoices } from '../../../../src/extension/targets/foundChoices.ts';
import type { FindingOf, FoundService } from '../../../../src/model/domain/detection.ts';

const started = (runtime: 'node' | 'jvm'): FindingOf<'command'> => ({
  part: 'command',
  title: 'start it',
  because: 'scripts.start',
  sure: true,
  runtime,
  command: ['start'],
  requires: [],
  requiresCure: null,
});
const service = (id: string, because: string, runtime: 'node' | 'jvm'): FoundService => ({
  id,
  label: id,
  folder: '.',
  because,
  findings: [started(runtime)],
  driver: null,
  questions: [],
});

describe('services of the folder that are not declared yet', () => {
  it('are offered with their file and how long setting them up takes, the first of them chosen beforehand', () => {
    const rows = foundChoices([
      service('orders', 'package.json depends on express', 'node'),
      service('stock', 'stock/pom.xml depends on javalin', 'jvm'),
    ]);
    expect(rows.map(({ label, description, picked }) => ({ label, description, picked }))).toEqual([
      { label: 'orders', description: 'package.json here, about 5 s to set up', picked: true },
      { label: 'stock', description: 'stock/pom.xml here, about 20 s to set up', picked: false },
    ]);
    expect(rows.map(({ setUp }) => setUp.id)).toEqual(['orders', 'stock']);
  });
});
