import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseTree, getNodeValue } from 'jsonc-parser';
import { workspaceTemplate } from '../../../src/extension/targets/workspaceTemplate.ts';
import { workspaceFileSchema } from '../../../src/model/domain/target.ts';

interface SchemaNode {
  description?: string;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  additionalProperties?: SchemaNode | boolean;
}

/** Every key below a node, with its description. */
function keysOf(node: SchemaNode, place: string): { place: string; key: string; description: string | undefined }[] {
  const own = Object.entries(node.properties ?? {}).flatMap(([key, child]) => [
    { place: `${place}.${key}`, key, description: child.description },
    ...keysOf(child, `${place}.${key}`),
  ]);
  const further = [
    node.items,
    ...(node.anyOf ?? []),
    typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined,
  ];
  return [...own, ...further.flatMap((child) => (child === undefined ? [] : keysOf(child, place)))];
}

const schema = JSON.parse(readFileSync('schemas/benchside.schema.json', 'utf8')) as SchemaNode;
const targetKeys = keysOf(schema.properties?.['targets'] ?? {}, 'targets');
const guide = readFileSync('docs/guide/own-service.md', 'utf8');
const section = guide.slice(guide.indexOf('## Your own service'));

describe('every key of a target', () => {
  it('is described by the schema, for whoever hovers over it', () => {
    expect(targetKeys.length).toBeGreaterThan(40);
    expect(targetKeys.filter(({ description }) => description === undefined).map(({ place }) => place)).toEqual([]);
  });

  it('stands in the guide', () => {
    const missing = targetKeys.filter(({ key }) => !section.includes(`\`${key}\``) && !section.includes(`"${key}"`));
    expect(missing.map(({ place }) => place)).toEqual([]);
  });
});

describe('the placeholders of a command, the kinds of a setting and the keys of the database', () => {
  const command = targetKeys.find(({ place }) => place === 'targets.command')?.description ?? '';
  it.each(['{port}', '{java}', '{arguments}'])('%s is told of in the schema, the guide and the template', (placeholder) => {
    expect(command).toContain(placeholder);
    expect(section).toContain(placeholder);
    expect(workspaceTemplate()).toContain(placeholder);
  });

  it.each(['"kind": "choice"', '{value}', '"jdbcUrl"', '"prepare"', '"cores"', '"java"'])('%s is in the template', (text) => {
    expect(workspaceTemplate()).toContain(text);
  });

  it('leave the template a file that can be used as it is', () => {
    const tree = parseTree(workspaceTemplate(), [], { allowTrailingComma: true });
    expect(tree).toBeDefined();
    expect(workspaceFileSchema.safeParse(tree === undefined ? null : getNodeValue(tree)).error?.issues ?? []).toEqual([]);
  });
});
