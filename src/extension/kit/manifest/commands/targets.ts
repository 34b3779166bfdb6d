import { inTitle, onRows, type CommandTable } from '../command.ts';
import { any, inView, ours, untilKnown } from '../conditions.ts';
import { targetRows } from '../rows.ts';

/** Targets and services, and what is about the window as a whole. */
export const targetCommands = {
  startTarget: {
    title: 'Start Target',
    icon: '$(play)',
    enablement: untilKnown('anyTargetStopped'),
    places: [onRows('targets', targetRows.startable, 'inline@1'), onRows('targets', targetRows.startable, '1_run@4')],
  },
  stopTarget: {
    title: 'Stop Target',
    icon: '$(debug-stop)',
    enablement: ours('anyTargetRunning'),
    places: [onRows('targets', targetRows.stoppable, 'inline@1'), onRows('targets', targetRows.stoppable, '1_run@4')],
  },
  showTargetLog: {
    title: 'Show Output of a Target',
    icon: '$(output)',
    places: [onRows('targets', targetRows.withOutput, 'inline@2'), onRows('targets', targetRows.withOutput, '2_log@1')],
  },
  stopEverything: {
    title: 'Stop Everything',
    icon: '$(stop-circle)',
    places: [inTitle('targets', 'navigation@3', any(ours('anyTargetRunning'), ours('running')))],
  },
  createWorkspaceFile: {
    title: 'Add a Target',
    icon: '$(add)',
    places: [inTitle('targets', 'navigation@4')],
  },
  checkThisMachine: {
    title: 'Check This Machine',
    icon: '$(checklist)',
    places: [inTitle('targets', '1_look@1')],
  },
  removeDatabases: {
    title: 'Remove Databases from Your PostgreSQL Server…',
    icon: '$(trash)',
  },
  dismissNextStep: {
    title: 'Dismiss the Next Step',
    icon: '$(close)',
    during: ours('hasNextStep'),
    places: [onRows('runs', 'next', 'inline@1')],
  },
  refresh: {
    title: 'Refresh',
    icon: '$(refresh)',
    palette: any(ours('loaded'), ours('engineFailed')),
    places: [{ menu: 'view/title', group: 'navigation@9', when: any(inView('targets'), inView('runs')) }],
  },
  showLog: {
    title: 'Show Log',
    icon: '$(output)',
    places: [inTitle('targets', '1_look@2')],
  },
} satisfies CommandTable;
