import { chord, inTitle, onRows, type CommandTable } from '../command.ts';
import { all, editorKey, equals, inFlameGraph, never, not, notRecording, oneRow, ours, untilKnown, withRecordings } from '../conditions.ts';
import { recordingRows, runRows, targetRows } from '../rows.ts';

const ofRecordings = { enablement: untilKnown('hasRecordings'), palette: withRecordings };
const inMarkedSource = all(editorKey('editorTextFocus'), ours('hasSourceMarks'));

/** Recordings, their flame graphs, and their marks in the source. The menu of the explorer follows from the formats: `flameEditors.ts`. */
export const flameGraphCommands = {
  recordFlameGraph: {
    title: 'Record Flame Graph',
    icon: '$(flame)',
    during: notRecording,
    keys: chord('shift+f'),
    places: [inTitle('runs', 'navigation@3'), onRows('targets', targetRows.measurable, '1_run@5')],
  },
  cancelRecording: {
    title: 'Cancel Recording',
    icon: '$(debug-stop)',
    during: ours('recording'),
    places: [inTitle('runs', 'navigation@3')],
  },
  openFlameGraph: {
    title: 'Open Flame Graph',
    icon: '$(flame)',
    places: [
      onRows('runs', runRows.readable, '1_open@3', oneRow, ours('hasRecordings')),
      onRows('runs', recordingRows, '1_open@1', oneRow),
    ],
  },
  compareFlameGraphs: {
    title: 'Compare Flame Graphs',
    icon: '$(git-compare)',
    ...ofRecordings,
    places: [
      onRows('runs', recordingRows, '1_open@2', ours('hasTwoRecordings')),
      { menu: 'editor/title', group: 'navigation@1', when: inFlameGraph },
    ],
  },
  reloadFlameGraph: {
    title: 'Reload Flame Graph',
    icon: '$(refresh)',
    palette: inFlameGraph,
    places: [{ menu: 'editor/title', group: 'navigation@2', when: inFlameGraph }],
  },
  deleteRecording: {
    title: 'Delete Recording',
    icon: '$(trash)',
    ...ofRecordings,
    places: [onRows('runs', 'recording', '5_delete@1')],
  },
  revealRecording: {
    title: 'Show Files of a Recording',
    icon: '$(folder-opened)',
    ...ofRecordings,
    places: [onRows('runs', recordingRows, '4_export@1', oneRow)],
  },
  focusFunction: {
    title: 'Show Function in Flame Graph',
    icon: '$(flame)',
    palette: never,
  },
  nextHotLine: {
    title: 'Go to Next Hot Line',
    icon: '$(arrow-down)',
    palette: ours('hasSourceMarks'),
    keys: chord('shift+down', inMarkedSource),
  },
  previousHotLine: {
    title: 'Go to Previous Hot Line',
    icon: '$(arrow-up)',
    palette: ours('hasSourceMarks'),
    keys: chord('shift+up', inMarkedSource),
  },
  clearSourceMarks: {
    title: 'Clear Marks in the Source',
    icon: '$(clear-all)',
    during: ours('hasSourceMarks'),
  },
  toggleSourceMarks: {
    title: 'Toggle Marks in the Source',
    icon: '$(eye)',
    places: [
      {
        menu: 'editor/title',
        group: 'navigation@30',
        when: all(ours('hasSourceMarks'), equals('resourceScheme', 'file'), not(editorKey('activeCustomEditorId'))),
      },
    ],
  },
} satisfies CommandTable;
