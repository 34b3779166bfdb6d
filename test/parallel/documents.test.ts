import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentStore } from '../../src/engine/services/documents/documentStore.ts';
import { isPortFree } from '../../src/engine/services/freePort.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../support/engine.ts';
import { startPouchServer } from '../support/pouchServer.ts';
import { slowHalf } from '../support/testTags.ts';

const supervisor = new Supervisor();
afterAll(async () => {
  await supervisor.stopAll();
  removeTemporaryFolders();
});

interface Answer {
  status: number;
  json: Record<string, unknown>;
}

async function ask(url: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const sent =
    body === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: typeof body === 'string' ? body : JSON.stringify(body) };
  const answer = await fetch(`${url}${path}`, { method, ...sent });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

const stores: Record<string, () => Promise<string>> = {
  'our document store': async () =>
    (await DocumentStore.start(supervisor, { nodePath: process.execPath, assetsDir: repositoryDir, latencyMs: 0 })).url,
  'PouchDB Server': () => startPouchServer(supervisor, temporaryFolder('pouch')),
};

describe.each(['our document store'])('%s', keepsTheContract);
describe.each(['PouchDB Server'])('%s', slowHalf, keepsTheContract);

function keepsTheContract(name: string): void {
  let url: string;
  beforeAll(async () => {
    url = await stores[name]!();
  }, 90_000);

  it('welcomes with a version', async () => {
    const { status, json } = await ask(url, 'GET', '/');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      vendor: { name: expect.any(String) as string },
    });
  });

  it('makes a database once, and knows none that was not made', async () => {
    expect(await ask(url, 'PUT', '/contract')).toEqual({ status: 201, json: { ok: true } });
    expect(await ask(url, 'PUT', '/contract')).toMatchObject({ status: 412, json: { error: 'file_exists' } });
    expect(await ask(url, 'GET', '/contract')).toMatchObject({ status: 200, json: { db_name: 'contract', doc_count: 0 } });
    expect(await ask(url, 'GET', '/nowhere/doc-1')).toMatchObject({ status: 404, json: { error: 'not_found' } });
    expect(await ask(url, 'PUT', '/nowhere/doc-1', { id: 1 })).toMatchObject({ status: 404, json: { error: 'not_found' } });
  });

  it('keeps a document as it was sent, with its id and revision, and says when there is none', async () => {
    expect(await ask(url, 'GET', '/contract/doc-1')).toEqual({ status: 404, json: { error: 'not_found', reason: 'missing' } });
    const sent = { id: 1, title: 'Zürich “…”', body: 'x'.repeat(1024), nested: { list: [1, null, 'a'] } };
    const put = await ask(url, 'PUT', '/contract/doc-1', sent);
    expect(put).toEqual({ status: 201, json: { ok: true, id: 'doc-1', rev: expect.stringMatching(/^1-[0-9a-f]{32}$/) as string } });
    expect(await ask(url, 'GET', '/contract/doc-1')).toEqual({ status: 200, json: { _id: 'doc-1', _rev: put.json['rev'], ...sent } });
    await ask(url, 'PUT', `/contract/${encodeURIComponent('a/b c')}`, { id: 2 });
    expect((await ask(url, 'GET', '/contract/a%2Fb%20c')).json).toMatchObject({ _id: 'a/b c', id: 2 });
  });

  it('changes a document only for who knows its last revision', async () => {
    const { json } = await ask(url, 'GET', '/contract/doc-1');
    const conflict = { status: 409, json: { error: 'conflict', reason: expect.stringMatching(/^Document update conflict\.?$/) as string } };
    expect(await ask(url, 'PUT', '/contract/doc-1', { id: 1 })).toEqual(conflict);
    const second = await ask(url, 'PUT', '/contract/doc-1', { ...json, title: 'second' });
    expect(second).toMatchObject({ status: 201, json: { rev: expect.stringMatching(/^2-/) as string } });
    expect(await ask(url, 'PUT', '/contract/doc-1', { ...json, title: 'late' })).toEqual(conflict);
    expect((await ask(url, 'GET', '/contract/doc-1')).json['title']).toBe('second');
    expect((await ask(url, 'DELETE', `/contract/doc-1?rev=${String(json['_rev'])}`)).status).toBe(409);
    expect((await ask(url, 'DELETE', `/contract/doc-1?rev=${String(second.json['rev'])}`)).json).toMatchObject({ ok: true, id: 'doc-1' });
    expect((await ask(url, 'GET', '/contract/doc-1')).status).toBe(404);
  });

  it('refuses what is no JSON object, and takes a database away', async () => {
    expect(await ask(url, 'PUT', '/contract/bad', '{"a":1')).toMatchObject({ status: 400, json: { error: 'bad_request' } });
    expect(await ask(url, 'DELETE', '/contract')).toEqual({ status: 200, json: { ok: true } });
    expect((await ask(url, 'GET', '/contract')).status).toBe(404);
  });
}

describe('our document store besides', () => {
  it('has its documents from the start, and answers each after its latency, however many are asked for at once', async () => {
    const store = await DocumentStore.start(supervisor, {
      nodePath: process.execPath,
      assetsDir: repositoryDir,
      latencyMs: 40,
      documents: 20,
    });
    const first = await ask(store.url, 'GET', '/documents/doc-20');
    expect(first).toMatchObject({ status: 200, json: { _id: 'doc-20', id: 20, title: 'Document no. 20' } });
    expect(String(first.json['body'])).toHaveLength(1024);
    expect((await ask(store.url, 'GET', '/documents/doc-21')).status).toBe(404);
    const agent = new Agent({ keepAlive: true, maxSockets: 200 });
    const began = performance.now();
    const times = await Promise.all(Array.from({ length: 200 }, () => timed(store.port, agent)));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(39);
    // One after the other they would take 8 s.
    expect(performance.now() - began).toBeLessThan(4_000);
    agent.destroy();
    await store.stop();
    expect(await isPortFree(store.port)).toBe(true);
  });

  it('says in a sentence why it does not start', async () => {
    const before = supervisor.children.size;
    const started = DocumentStore.start(supervisor, { nodePath: process.execPath, assetsDir: repositoryDir, latencyMs: 20_000 });
    await expect(started).rejects.toMatchObject({
      failure: { code: 'document-store-failed', detail: expect.stringContaining('--latency-ms must be') as string },
    });
    expect(supervisor.children.size).toBe(before);
  });
});

function timed(port: number, agent: Agent): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/documents/doc-7', agent }, (answer) =>
      answer.resume().once('end', () => resolve(performance.now() - began)),
    )
      .once('error', reject)
      .end();
  });
}
