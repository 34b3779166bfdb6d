import type { Page } from 'playwright-core';
import type { Input } from './inputs.ts';

/** Milliseconds that most take less than. */
export interface Spread {
  p50: number;
  p95: number;
  max: number;
  count: number;
}

/** What moving about costs: script time of each frame, of a hit test, of a search while typing. */
export interface Work {
  zoomFrame: Spread;
  dragFrame: Spread;
  deepFrame: Spread;
  hitTest: Spread;
  search: Spread;
}

const graph = `document.querySelector('benchside-flame').shadowRoot.querySelector('benchside-flame-graph.main')`;

/** Moves about in our flame graph as a hand would, with real wheel and mouse events. */
export async function measureWork(page: Page, input: Input): Promise<Work> {
  await page.evaluate(
    `(() => { const graph = ${graph}; graph.resetZoom(); window.benchFrames = []; graph.onFrame = (ms) => window.benchFrames.push(ms); })()`,
  );
  const box = (await page.evaluate(
    `(() => { const { left, top, width, height } = ${graph}.shadowRoot.querySelector('.sheet canvas').getBoundingClientRect(); return { left, top, width, height }; })()`,
  )) as {
    left: number;
    top: number;
    width: number;
    height: number;
  };
  const frames = async (): Promise<number[]> => (await page.evaluate('window.benchFrames.splice(0)')) as number[];
  const middle = { x: box.left + box.width * 0.4, y: box.top + box.height * 0.3 };
  await page.mouse.move(middle.x, middle.y);
  await frames();
  // In to the limit and out again: every zoom is passed through.
  await page.keyboard.down('Control');
  for (let turn = 0; turn < 60; turn += 1) {
    await page.mouse.wheel(0, turn < 30 ? -240 : 240);
    await nextFrame(page);
  }
  await page.keyboard.up('Control');
  const zoomFrame = spread(await frames());
  for (let turn = 0; turn < 8; turn += 1) await wheelZoom(page, -240);
  await frames();
  await drag(page, middle, 40);
  const dragFrame = spread(await frames());
  for (let turn = 0; turn < 30; turn += 1) await wheelZoom(page, -240);
  await frames();
  await drag(page, middle, 20);
  const deepFrame = spread(await frames());
  const hitTest = (await page.evaluate(`(() => {
    const graph = ${graph};
    graph.resetZoom();
    const times = [];
    for (let round = 0; round < 200; round += 1) {
      const start = performance.now();
      for (let hit = 0; hit < 100; hit += 1) graph.boxAtPoint(${box.left} + ((hit * 977 + round * 131) % ${Math.floor(box.width)}), ${box.top} + ((hit * 613 + round * 71) % ${Math.floor(box.height)}));
      times.push((performance.now() - start) / 100);
    }
    return times;
  })()`)) as number[];
  const text = input.heavy.name;
  const search = (await page.evaluate(`(async () => {
    const { model } = document.querySelector('benchside-flame');
    const times = [];
    for (let round = 0; round < 3; round += 1) {
      for (let length = 1; length <= ${text.length}; length += 1) {
        const start = performance.now();
        await model.search(${JSON.stringify(text)}.slice(0, length), false);
        times.push(performance.now() - start);
      }
    }
    return times;
  })()`)) as number[];
  return { zoomFrame, dragFrame, deepFrame, hitTest: spread(hitTest), search: spread(search) };
}

async function wheelZoom(page: Page, by: number): Promise<void> {
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, by);
  await page.keyboard.up('Control');
}

async function drag(page: Page, from: { x: number; y: number }, steps: number): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let step = 1; step <= steps; step += 1) {
    await page.mouse.move(from.x + step * 8 * (step % 2 === 0 ? 1 : -1), from.y + step);
    await nextFrame(page);
  }
  await page.mouse.up();
}

async function nextFrame(page: Page): Promise<void> {
  await page.evaluate('new Promise(requestAnimationFrame)');
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), max: at(1), count: sorted.length };
}
