import { inTitle, onRows, type CommandTable } from '../command.ts';
import { differs, equals, matches, oneRow, ours, untilKnown, withRuns } from '../conditions.ts';
import { runRows } from '../rows.ts';

const ofRuns = { enablement: untilKnown('hasRuns'), palette: withRuns };
const ownGroup = '9_benchside@1';

/** Stored runs. */
export const runCommands = {
  openWorkbench: {
    title: 'Open Workbench',
    icon: '$(graph-line)',
    places: [inTitle('runs', 'navigation@1')],
  },
  openRun: {
    title: 'Open Result',
    icon: '$(go-to-file)',
    ...ofRuns,
    places: [onRows('runs', runRows.readable, '1_open@1', oneRow)],
  },
  compareRuns: {
    title: 'Compare Results',
    icon: '$(git-compare)',
    enablement: untilKnown('hasTwoRuns'),
    palette: withRuns,
    places: [inTitle('runs', 'navigation@2', ours('hasTwoRuns')), onRows('runs', runRows.readable, '1_open@2', ours('hasTwoRuns'))],
  },
  compareSettings: {
    title: 'Compare Settings of a Result…',
    icon: '$(split-horizontal)',
    ...ofRuns,
    places: [onRows('runs', runRows.readable, '1_open@5', oneRow)],
  },
  // Where the editor lets extensions put it: docs/decisions/0038-where-the-editor-has-menus.md
  compareCode: {
    title: 'Compare Code…',
    icon: '$(git-compare)',
    places: [
      { menu: 'scm/title', group: ownGroup, when: equals('scmProvider', 'git') },
      { menu: 'scm/sourceControl', group: ownGroup, when: equals('scmProvider', 'git') },
      { menu: 'timeline/item/context', group: ownGroup, when: matches('timelineItem', /git:file:commit\b/) },
      { menu: 'editor/title/context', group: ownGroup, when: equals('resourceScheme', 'scm-history-item') },
    ],
  },
  compareWithBaseline: {
    title: 'Compare with Baseline',
    icon: '$(git-compare)',
    enablement: untilKnown('hasBaseline'),
    palette: withRuns,
    places: [onRows('runs', runRows.unpinned, '1_open@4', oneRow, ours('hasBaseline'))],
  },
  runWithOtherValues: {
    title: 'Repeat with Other Values…',
    icon: '$(debug-rerun)',
    ...ofRuns,
    places: [onRows('runs', runRows.readable, '2_again@3', oneRow)],
  },
  renameRun: {
    title: 'Rename Result…',
    icon: '$(edit)',
    ...ofRuns,
    places: [onRows('runs', runRows.readable, '3_mark@1', oneRow)],
  },
  tagRun: {
    title: 'Tag Result…',
    icon: '$(tag)',
    ...ofRuns,
    places: [onRows('runs', runRows.readable, '3_mark@2', oneRow)],
  },
  pinBaseline: {
    title: 'Pin as Baseline',
    icon: '$(pin)',
    ...ofRuns,
    places: [onRows('runs', runRows.unpinned, '3_mark@3', oneRow)],
  },
  unpinBaseline: {
    title: 'Unpin Baseline',
    icon: '$(pinned)',
    enablement: ours('hasBaseline'),
    palette: withRuns,
    places: [onRows('runs', runRows.pinned, '3_mark@3', oneRow)],
  },
  exportReport: {
    title: 'Export Report',
    icon: '$(export)',
    ...ofRuns,
    places: [onRows('runs', runRows.readable, '4_export@1', oneRow)],
  },
  queryRawSamples: {
    title: 'Query Raw Samples',
    icon: '$(database)',
    ...ofRuns,
    places: [onRows('runs', runRows.readable, '4_export@2', oneRow)],
  },
  deleteRun: {
    title: 'Delete Result',
    icon: '$(trash)',
    ...ofRuns,
    places: [onRows('runs', runRows.any, '5_delete@1', differs('viewItem', 'running'))],
  },
} satisfies CommandTable;
