import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessIdentity } from '../../../src/engine/supervise/identity.ts';
import { Journal, readJournals } from '../../../src/engine/supervise/journal.ts';

let folder: string;
const identity = (pid: number): ProcessIdentity => ({
  pid,
  startTime: String(pid * 100),
  bootId: 'boot',
  host: '0badcafe',
  pidNamespace: '1',
});

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a journal', () => {
  it('tells a later reader what was started and has not ended', () => {
    const journal = new Journal(folder, 'cookie-1', identity(10));
    journal.started(identity(11), 'app', 'java · pool 8');
    journal.started(identity(12), 'postgres', 'PostgreSQL');
    journal.started(identity(13), 'tool', 'git');
    journal.ended(13);
    expect(readJournals(folder)).toEqual([
      {
        file: path.join(folder, 'cookie-1.jsonl'),
        cookie: 'cookie-1',
        engine: identity(10),
        client: null,
        touchedMs: statSync(path.join(folder, 'cookie-1.jsonl')).mtimeMs,
        children: [
          { identity: identity(11), kind: 'app', name: 'java · pool 8', outputs: [] },
          { identity: identity(12), kind: 'postgres', name: 'PostgreSQL', outputs: [] },
        ],
        elsewhere: [],
      },
    ]);
    expect(statSync(path.join(folder, 'cookie-1.jsonl')).mode & 0o077).toBe(0);
  });

  it('whose last line was cut short tells all that came before', () => {
    const journal = new Journal(folder, 'cookie-2', identity(20));
    journal.started(identity(21), 'app', 'node');
    appendFileSync(path.join(folder, 'cookie-2.jsonl'), '{"type":"ended","pi');
    expect(readJournals(folder)).toMatchObject([{ cookie: 'cookie-2', children: [{ identity: identity(21) }] }]);
  });

  it('that was closed is gone, and files that make no sense are passed over', () => {
    new Journal(folder, 'cookie-3', identity(30)).close();
    writeFileSync(path.join(folder, 'other.jsonl'), 'nonsense\n{"type":"started"}\n');
    writeFileSync(path.join(folder, 'empty.jsonl'), '');
    writeFileSync(path.join(folder, 'notes.txt'), '{"type":"engine"}');
    expect(readJournals(folder)).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['empty.jsonl', 'notes.txt', 'other.jsonl']);
    expect(readJournals(path.join(folder, 'nowhere'))).toEqual([]);
  });
});
