import { createHash } from 'node:crypto';
import { closeSync, openSync, renameSync, writeSync } from 'node:fs';
import { seededRandom, skewedIndex, wordPool } from './seededRandom.ts';

/** What is in a generated file, so that what a viewer shows can be compared with it. */
export interface InputFacts {
  nodes: number;
  /** In samples, or µs for a CPU profile. */
  total: number;
  /** A function that is in one place and takes a fixed share. */
  heavy: { name: string; self: number };
  bytes: number;
  sha256: string;
}

/** Writes in pieces of a megabyte and knows the checksum at the end. */
class HashedFile {
  #pending: string[] = [];
  #length = 0;
  bytes = 0;
  readonly #hash = createHash('sha256');
  readonly #part: string;
  readonly #handle: number;

  constructor(private readonly file: string) {
    this.#part = `${file}.part`;
    this.#handle = openSync(this.#part, 'w');
  }

  write(text: string): void {
    this.#pending.push(text);
    this.#length += text.length;
    if (this.#length > 1_000_000) this.#flush();
  }

  close(): string {
    this.#flush();
    closeSync(this.#handle);
    renameSync(this.#part, this.file);
    return this.#hash.digest('hex');
  }

  #flush(): void {
    const chunk = Buffer.from(this.#pending.join(''));
    this.#pending = [];
    this.#length = 0;
    this.bytes += chunk.length;
    this.#hash.update(chunk);
    writeSync(this.#handle, chunk);
  }
}

const heavyShare = 0.25;

/** Collapsed stacks like those of a Java service: so many nodes of a tree some fifty frames deep, about 25 new ones in each stack. */
export function writeCollapsedInput(file: string, nodes: number, seed: number): InputFacts {
  const random = seededRandom(seed);
  const names = wordPool(random, 20_000, (word) => `acme/${word()}/${word()}.${word()}_[j]`);
  const out = new HashedFile(file);
  const children = new Map<number, number>();
  const path: { node: number; name: number }[] = [{ node: 1, name: 0 }];
  // The root of all stacks and the heavy function are nodes of their own.
  let made = 2;
  let total = 0;
  while (made < nodes) {
    const keep = Math.max(1, Math.floor(random() * path.length));
    path.length = keep;
    const wanted = 1 + Math.floor(random() * 48);
    for (let added = 0; added < wanted && path.length < 97 && made < nodes; added += 1) {
      const parent = path[path.length - 1]?.node ?? 1;
      const name = skewedIndex(random, names.length);
      const key = parent * 32_768 + name;
      let node = children.get(key);
      if (node === undefined) {
        made += 1;
        node = made;
        children.set(key, node);
      }
      path.push({ node, name });
    }
    const weight = 1 + Math.floor(random() * 50);
    total += weight;
    out.write(
      `java/lang/Thread.run_[j];${path
        .slice(1)
        .map(({ name }) => names[name])
        .join(';')} ${weight}\n`,
    );
  }
  const heavy = { name: 'acme/pricing/PriceTable.lookup', self: Math.round((total * heavyShare) / (1 - heavyShare)) };
  out.write(`java/lang/Thread.run_[j];${heavy.name}_[j] ${heavy.self}\n`);
  const sha256 = out.close();
  return { nodes: made, total: total + heavy.self, heavy, bytes: out.bytes, sha256 };
}

/** A CPU profile of V8 with so many nodes and samples. */
export function writeCpuProfileInput(file: string, nodes: number, samples: number, seed: number): InputFacts {
  const random = seededRandom(seed);
  const functions = wordPool(random, 20_000, (word) => word()).map((name, index) => ({
    name,
    url: `file:///srv/shop/src/${name.slice(0, 4)}/module${index % 1500}.js`,
    line: Math.floor(random() * 2000),
    column: Math.floor(random() * 80),
  }));
  const parent = new Int32Array(nodes + 1);
  const func = new Int32Array(nodes + 1);
  const children: number[][] = [[], []];
  // 1 is V8's root, 2 the heavy function; the others hang below them as in stacks that share their beginning.
  let path = [1];
  children[1]?.push(2);
  children[2] = [];
  parent[2] = 1;
  for (let node = 3; node <= nodes; node += 1) {
    if (random() < 0.04 || path.length > 90) path = path.slice(0, 1 + Math.floor(random() * path.length));
    const above = path[path.length - 1] ?? 1;
    parent[node] = above;
    func[node] = skewedIndex(random, functions.length);
    children[above]?.push(node);
    children[node] = [];
    path.push(node);
  }
  const sampled = new Int32Array(samples);
  const deltas = new Int32Array(samples);
  const hits = new Int32Array(nodes + 1);
  let total = 0;
  const heavy = { name: 'priceTableLookup', self: 0 };
  for (let index = 0; index < samples; index += 1) {
    const node = random() < heavyShare ? 2 : 3 + Math.floor(random() * (nodes - 2));
    const delta = 900 + Math.floor(random() * 200);
    sampled[index] = node;
    deltas[index] = delta;
    hits[node] = (hits[node] ?? 0) + 1;
    total += delta;
    if (node === 2) heavy.self += delta;
  }
  const out = new HashedFile(file);
  out.write('{"nodes":[');
  const root = { name: '(root)', url: '', line: -1, column: -1 };
  const heavyFunction = { name: heavy.name, url: 'file:///srv/shop/src/pricing/table.js', line: 41, column: 2 };
  for (let node = 1; node <= nodes; node += 1) {
    const { name, url, line, column } = node === 1 ? root : node === 2 ? heavyFunction : (functions[func[node] ?? 0] ?? root);
    const callFrame = { functionName: name, scriptId: String(100 + (func[node] ?? 0)), url, lineNumber: line, columnNumber: column };
    const hitCount = hits[node] ?? 0;
    const ticks = hitCount === 0 ? {} : { positionTicks: [{ line: line + 3, ticks: hitCount }] };
    out.write(`${node === 1 ? '' : ','}${JSON.stringify({ id: node, callFrame, hitCount, children: children[node], ...ticks })}`);
  }
  out.write(`],"startTime":1000000,"endTime":${1_000_000 + total},"samples":[${sampled.join(',')}],"timeDeltas":[${deltas.join(',')}]}`);
  const sha256 = out.close();
  return { nodes, total, heavy, bytes: out.bytes, sha256 };
}
