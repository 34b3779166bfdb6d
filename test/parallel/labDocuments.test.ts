import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Question, labNames } from '../support/samples.ts';
import { Twins, comparable, refusal } from '../support/twins.ts';
import { slowHalf } from '../support/testTags.ts';

// The contract of the lab’s documents, which come from a store over HTTP.

const twins = new Twins(labNames);
const { stack } = twins;
const both = (target: string, question?: Question): Promise<Answer> => twins.both(target, question);
let store: Server;
const storeUrl = (): string => `http://127.0.0.1:${(store.address() as AddressInfo).port}`;

beforeAll(async () => {
  store = await documentStore();
  await twins.start({ DOCUMENT_STORE_URL: storeUrl() });
}, 40_000);
afterAll(async () => {
  await twins.stop();
  await new Promise((resolve) => {
    store.close(resolve);
    store.closeAllConnections();
  });
}, 20_000);

/** A document store that has documents 1 to 9, and breaks off what asks for the tenth. */
function documentStore(): Promise<Server> {
  const server = createServer((request, response) => {
    const id = Number(/^\/documents\/doc-(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
    if (id === 10) {
      response.destroy();
      return;
    }
    const found = id >= 1 && id <= 9;
    const document = { _id: `doc-${id}`, _rev: '1-a', id, title: `Größe “${id}”`, body: 'é'.repeat(1_000) };
    response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(found ? document : { error: 'not_found', reason: 'missing' }));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe('documents', () => {
  it('come from the store, without what is the store’s own', async () => {
    expect((await both('/documents/7')).text).toBe(JSON.stringify({ id: 7, title: 'Größe “7”', body: 'é'.repeat(1_000) }));
    expect(refusal(await both('/documents/11'))).toEqual([404, 'no such document']);
    expect(refusal(await both('/documents/10'))).toEqual([503, 'document store unavailable']);
    expect(refusal(await both('/documents/0'))).toEqual([400, 'id must be a whole number from 1 to 1000']);
    expect(refusal(await both('/documents/1001'))).toEqual([400, 'id must be a whole number from 1 to 1000']);
    const many = await Promise.all(Array.from({ length: 12 }, (_, i) => both(`/documents/${1 + (i % 9)}`)));
    expect(many.map((answer) => answer.status)).toEqual(many.map(() => 200));
  });

  it('come through an asynchronous client just as well; a search in a process is one in a thread there', slowHalf, async () => {
    const java = await stack.app('lab-java', { DOCUMENT_STORE_URL: `${storeUrl()}/`, DOCUMENT_CLIENT: 'async', SEARCH_IN: 'process' });
    expect((await java.ask('/search')).text).toBe((await twins.first.ask('/search')).text);
    for (const id of [7, 11, 10, 1001]) {
      expect(comparable(await java.ask(`/documents/${id}`))).toEqual(comparable(await twins.first.ask(`/documents/${id}`)));
    }
    await java.stop();
  });

  it.each(labNames)('are not to be had without a store: %s', async (name) => {
    const without = await stack.app(name);
    expect(refusal(await without.ask('/documents/1'))).toEqual([503, 'document store unavailable']);
    await without.stop();
  });
});
