import { briefLoad } from './engine.ts';

/** A service of which a request takes so many rounds of computing. */
export const service = (work: number): string => `
  require('node:http').createServer((_, response) => {
    let sum = 0;
    for (let n = 0; n < ${work}; n += 1) sum += Math.sqrt(n);
    response.end(String(sum));
  }).listen(process.env.PORT);`;

/** What declares it. */
export const declaration = {
  targets: [{ id: 'shop', runtime: 'node', command: ['node', 'server.js'], routes: [{ path: '/' }], build: [] }],
  loadProfiles: [briefLoad],
};
