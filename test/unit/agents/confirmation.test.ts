import { describe, expect, it } from 'vitest';
import { confirmationOf } from '../../../src/model/agents/confirmation.ts';
import { agentToolNames, agentTools } from '../../../src/model/agents/agentTools.ts';
import { exampleCatalog } from '../webview/examples.ts';

const command = ['node', 'server.js', '--max=5'];
const catalog = {
  targets: exampleCatalog.targets.slice(0, 1).map((one) => ({ ...one, id: 'shop', label: 'Shop', origin: 'workspace' as const, command })),
};

describe('what a person is asked before something is started', () => {
  it('is asked by every tool that measures, and by no other', () => {
    const input = { target: 'shop', values: { pool: [2, 4] } };
    const asking = agentToolNames.filter(
      (name) => confirmationOf(name, name === 'check_machine' ? {} : /^start_/.test(name) ? input : { target: 'shop' }, catalog) !== null,
    );
    expect(asking).toEqual(agentToolNames.filter((name) => agentTools[name].measures));
  });

  it('shows the command, the settings, the load and for how long', () => {
    expect(
      confirmationOf('start_run', { target: 'shop', values: { pool: [2, 4] }, connections: 16, route: '/items', budgetS: 60 }, catalog),
    ).toEqual({
      title: 'Measure Shop?',
      lines: [
        'Starts: node server.js --max=5',
        'Settings: pool: 2, 4',
        'Load on 127.0.0.1: profile steady, 16 connections, /items',
        'Measuring for at most 60 s',
        expect.stringContaining('cancel'),
      ],
    });
  });

  it('shows which versions are built, of the one target that the workspace declares', () => {
    const asked = confirmationOf('compare_code', { base: 'main' }, catalog);
    expect(asked?.title).toBe('Compare two versions of Shop?');
    expect(asked?.lines.join(' ')).toMatch(/main and the working tree, each built in a copy/);
  });

  it('says that it is as another run where that is asked for, and asks nothing that would be refused', () => {
    expect(confirmationOf('start_run', { like: 'last' }, catalog)?.lines).toContain('As in run last, where nothing else is said.');
    expect(confirmationOf('start_run', { target: '../x' }, catalog)).toBeNull();
  });
});
