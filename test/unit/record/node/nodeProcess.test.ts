import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isNodeName, readNodeFacts } from '../../../../src/engine/record/node/nodeProcess.ts';
import { nodeProblem } from '../../../../src/engine/record/node/openInspector.ts';
import { portHolder, processPorts } from '../../../../src/engine/targets/listener.ts';
import { scriptOf } from '../../../../src/engine/record/node/listNodes.ts';

describe('what a process is', () => {
  it.each(['node', 'nodejs', 'node20', 'node-22', 'node22.1.0', 'node-v24.1.0'])('takes %s for Node', (name) => {
    expect(isNodeName(name)).toBe(true);
  });

  it.each(['node_exporter', 'nodemon', 'electron', 'code', 'bun', 'deno', 'node-red', 'nodetool', ''])(
    'does not take %s for Node',
    (name) => {
      expect(isNodeName(name)).toBe(false);
    },
  );

  it.runIf(process.platform === 'linux')('is read from /proc for a living process, with the sockets it listens on', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(readNodeFacts(process.pid)).toMatchObject({ pid: process.pid, isNode: true, sameNetwork: true, exe: process.execPath });
    expect(processPorts(process.pid)).toContain(port);
    expect(portHolder(port)).toBe(process.pid);
    server.close();
    await once(server, 'close');
    expect(portHolder(port)).toBeNull();
    expect(readNodeFacts(2 ** 22 + 1)).toBeNull();
  });

  it('decides whether the signal may be sent', () => {
    const facts = { pid: 1, exe: '/usr/bin/node', argv: ['node', 'a.js'], cwd: '/', isNode: true, catchesSigusr1: true, sameNetwork: true };
    expect(nodeProblem(facts)).toBeNull();
    expect(nodeProblem({ ...facts, isNode: false, exe: '/opt/electron' })?.failure.code).toBe('not-node');
    expect(nodeProblem({ ...facts, catchesSigusr1: false })?.failure.code).toBe('inspector-disabled');
    expect(nodeProblem({ ...facts, exe: null })?.failure.code).toBe('process-foreign');
    expect(nodeProblem({ ...facts, sameNetwork: false })?.failure.code).toBe('process-foreign');
    expect(nodeProblem({ ...facts, catchesSigusr1: false, argv: ['node', '--inspect=0', 'a.js'] })).toBeNull();
  });

  it.each<[string[], string | null]>([
    [['node', 'server.mjs', '--port', '1'], 'server.mjs'],
    [['node', '-r', './probe.cjs', '--inspect', 'dist/app.js'], 'dist/app.js'],
    [['node', '-e', 'while(1);'], null],
    [['node'], null],
  ])('finds the script of %j', (argv, script) => {
    expect(scriptOf(argv)).toBe(script);
  });
});
