import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endingOf, formatByName, profileFormats, writableFormats } from '../../../src/engine/calltree/formats/profileFormats.ts';
import { ProfileReader } from '../../../src/engine/profiles/profileReader.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-formats-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(name: string, content: string | Uint8Array): Promise<ProfileReader> {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  const reader = new ProfileReader();
  await reader.open({ profileId: 'p', input: { kind: 'file', path: file }, assetsDir: folder });
  return reader;
}

describe('the list of formats', () => {
  it('has each id and each label once, and can do something with every format', () => {
    const ids = profileFormats.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(profileFormats.map(({ label }) => label)).size).toBe(ids.length);
    for (const { id, read, sniff, write } of profileFormats) {
      expect(id).toMatch(/^[a-z0-9-]{1,40}$/);
      expect(read === undefined, id).toBe(sniff === undefined);
      expect(read ?? write, id).toBeDefined();
    }
  });

  it('chooses a format by the longest ending of a name, and by its own ending every one that is written', () => {
    for (const format of writableFormats) expect(formatByName(`some.thing${endingOf(format).toUpperCase()}`)).toBe(format);
    expect(formatByName('profile.json')?.id).toBe('json');
    expect(formatByName('profile.speedscope.json')?.id).toBe('speedscope');
    expect(formatByName('profile')).toBeNull();
  });

  it('reads again what it wrote, names it by its format, and keeps the weights', async () => {
    const stacks = 'main;a;b 3\nmain;a 4\nmain;c 5\n';
    const reader = await open('stacks', stacks);
    for (const format of writableFormats.filter(({ read }) => read !== undefined)) {
      const written = await reader.written({ format: format.id, event: null, allEvents: true, sourceRoots: [] });
      const again = new ProfileReader();
      const file = path.join(folder, `again-${format.id}`);
      writeFileSync(file, written);
      const head = await again.open({ profileId: 'p', input: { kind: 'file', path: file }, assetsDir: folder });
      expect(head.format).toBe(format.label);
      expect(head.events.map(({ total }) => total)).toEqual([12]);
      const collapsed = await again.written({ format: 'collapsed', event: null, allEvents: true, sourceRoots: [] });
      expect(String(collapsed).split('\n').sort(), format.id).toEqual(stacks.split('\n').sort());
    }
  });

  it('tells a page what a recording can be written as, and refuses everything else', async () => {
    const reader = await open('stacks', 'a 1\n');
    const head = await reader.open({ profileId: 'p', input: { kind: 'file', path: path.join(folder, 'stacks') }, assetsDir: folder });
    expect(head.exports.map(({ id }) => id)).toEqual(writableFormats.map(({ id }) => id));
    await expect(reader.export({ format: '__proto__', event: '' })).rejects.toMatchObject({ failure: { code: 'profile-export' } });
  });
});
