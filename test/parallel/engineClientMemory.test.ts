import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, it } from 'vitest';
import { removeTemporaryFolders, TestEngine } from '../support/engine.ts';
import { longTest } from '../support/testTags.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

afterAll(removeTemporaryFolders);

function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

it('keeps no answer of an engine that goes on', longTest, async () => {
  const engine = await TestEngine.start();
  const ask = async (times: number): Promise<number> => {
    let bytes = 0;
    for (let left = times; left > 0; left -= 1) bytes += JSON.stringify(await engine.catalog()).length;
    return bytes;
  };
  await ask(40);
  const before = heapBytes();
  const answered = await ask(120);
  expect(heapBytes() - before).toBeLessThan(answered / 4);
  await engine.dispose();
});
