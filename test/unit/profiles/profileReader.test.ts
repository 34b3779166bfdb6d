import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProfileReader } from '../../../src/engine/profiles/profileReader.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-profile-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('a recording that is opened', () => {
  it('says beside its notes how many samples of the recorder itself were left out', async () => {
    const file = path.join(folder, 'stacks.txt');
    writeFileSync(file, 'app.Main.run_[j] 900\napp.Main.run_[j];WallClock::signalHandler 300\n');
    const head = await new ProfileReader().open({ profileId: 'p', input: { kind: 'file', path: file }, assetsDir: folder });
    expect(head.events).toEqual([{ name: 'samples', unit: 'count', samples: 900, total: 900 }]);
    expect(head.notes).toEqual([{ code: 'recorder-left-out', event: 'samples', samples: 300, ofSamples: 1200 }]);
  });
});
