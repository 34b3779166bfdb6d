import { readdirSync, readFileSync } from 'node:fs';
import { format } from 'oxfmt';
import { describe, expect, it } from 'vitest';
import { schemaFiles } from '../../../scripts/schemaFiles.ts';

const folder = new URL('../../../schemas/', import.meta.url).pathname;

describe('the JSON Schemas', () => {
  it.each(Object.entries(schemaFiles()))(
    'schemas/%s is what the model says (else run: node scripts/generateSchemas.mjs)',
    async (name, schema) => {
      const { code } = await format(name, JSON.stringify(schema), { printWidth: 140 });
      expect(readFileSync(`${folder}${name}`, 'utf8')).toBe(code);
    },
  );

  it('are all there are', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(schemaFiles()).sort());
  });

  it('ask a person only for what has no default, refuse unknown members, and explain', () => {
    const profile = schemaFiles()['load-profile.schema.json'] as {
      required: string[];
      additionalProperties: boolean;
      properties: Record<string, { description?: string }>;
    };
    expect(profile.required).toEqual(['name', 'connections']);
    expect(profile.additionalProperties).toBe(false);
    expect(profile.properties['durationS']?.description).toBe('Seconds measured in each block.');
  });
});
