import { chord, inTitle, onRows, type CommandTable } from '../command.ts';
import { idle, oneRow, ours, untilKnown, withRuns } from '../conditions.ts';
import { runRows, targetRows } from '../rows.ts';

/** Runs, tunings, live sessions and experiments: what measures, and what is done with its answer. */
export const measuringCommands = {
  runBenchmark: {
    title: 'Run Benchmark',
    icon: '$(play)',
    during: idle,
    keys: chord('b'),
    places: [inTitle('targets', 'navigation@1'), onRows('targets', targetRows.measurable, '1_run@1')],
  },
  runBenchmarkAgain: {
    title: 'Run Benchmark Again',
    icon: '$(debug-rerun)',
    during: idle,
    palette: withRuns,
    keys: chord('shift+b'),
  },
  cancelRun: {
    title: 'Cancel Benchmark',
    icon: '$(debug-stop)',
    during: ours('running'),
    places: [inTitle('targets', 'navigation@1'), onRows('runs', 'running', 'inline@1')],
  },
  tune: {
    title: 'Tune a Setting',
    icon: '$(settings)',
    during: idle,
    keys: chord('shift+t'),
    places: [inTitle('targets', 'navigation@2'), onRows('targets', targetRows.measurable, '1_run@2')],
  },
  whatWouldHelp: {
    title: 'What Would Help?',
    icon: '$(lightbulb)',
    during: idle,
    places: [onRows('targets', targetRows.measurable, '1_run@6')],
  },
  recordTraffic: {
    title: 'Record Traffic',
    icon: '$(record)',
    during: idle,
    places: [onRows('targets', targetRows.measurable, '1_run@7')],
  },
  tuneAgain: {
    title: 'Tune Again',
    icon: '$(debug-rerun)',
    during: idle,
    palette: withRuns,
    places: [inTitle('runs', '1_again@2'), onRows('runs', runRows.tuned, '2_again@2', oneRow)],
  },
  applyTuning: {
    title: 'Apply the Answer of a Tuning',
    icon: '$(check)',
    enablement: untilKnown('hasTunedRuns'),
    palette: withRuns,
    places: [onRows('runs', runRows.tuned, '2_again@1', oneRow)],
  },
  forgetApplied: {
    title: 'Use the Default Settings of a Target',
    icon: '$(discard)',
    during: ours('hasApplied'),
    places: [onRows('targets', targetRows.any, '2_log@2')],
  },
  live: {
    title: 'Live: Move Settings under Load',
    icon: '$(pulse)',
    keys: chord('shift+l'),
    places: [onRows('targets', targetRows.measurable, '1_run@3', idle)],
  },
  stopLive: {
    title: 'Stop the Live Session',
    icon: '$(debug-stop)',
    during: ours('liveRunning'),
    places: [onRows('runs', 'live', 'inline@1')],
  },
  runExperiment: {
    title: 'Repeat a Saved Tuning…',
    icon: '$(beaker)',
    during: idle,
    places: [inTitle('runs', '1_again@1')],
  },
  saveExperiment: {
    title: 'Save This Tuning…',
    icon: '$(save)',
    palette: withRuns,
    places: [onRows('runs', runRows.tuned, '2_again@4', oneRow)],
  },
  repeatPublished: {
    title: 'Repeat a Published Experiment…',
    icon: '$(book)',
    during: idle,
  },
  showPublished: {
    title: 'Show Experiments',
    icon: '$(library)',
    places: [inTitle('runs', '1_again@3')],
  },
} satisfies CommandTable;
