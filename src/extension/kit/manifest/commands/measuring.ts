import { chord, inTitle, onRows, type CommandTable } from '../command.ts';
import { idle, oneRow, ours, untilKnown, withRuns } from '../conditions.ts';
import { runRows, targetRows } from '../rows.ts';

/** Runs, tunings, live sessions and experiments: what measures, and what is done with its answer. */
export const measuringCommands = {
  runBenchmark: {
    title: 'Run Benchmark',
    icon: '$(play)',
    enablement: idle,
    keys: chord('b', idle),
    places: [inTitle('targets', 'navigation@1', idle), onRows('targets', targetRows.measurable, '1_run@1', idle)],
  },
  runBenchmarkAgain: {
    title: 'Run Benchmark Again',
    icon: '$(debug-rerun)',
    enablement: idle,
    palette: withRuns,
    keys: chord('shift+b', idle),
  },
  cancelRun: {
    title: 'Cancel Benchmark',
    icon: '$(debug-stop)',
    enablement: ours('running'),
    palette: ours('running'),
    places: [inTitle('targets', 'navigation@1', ours('running')), onRows('runs', 'running', 'inline@1')],
  },
  tune: {
    title: 'Tune a Setting',
    icon: '$(settings)',
    enablement: idle,
    keys: chord('shift+t', idle),
    places: [inTitle('targets', 'navigation@2', idle), onRows('targets', targetRows.measurable, '1_run@2', idle)],
  },
  whatWouldHelp: {
    title: 'What Would Help?',
    icon: '$(lightbulb)',
    enablement: idle,
    places: [onRows('targets', targetRows.measurable, '1_run@6', idle)],
  },
  recordTraffic: {
    title: 'Record Traffic',
    icon: '$(record)',
    enablement: idle,
    places: [onRows('targets', targetRows.measurable, '1_run@7', idle)],
  },
  tuneAgain: {
    title: 'Tune Again',
    icon: '$(debug-rerun)',
    enablement: idle,
    palette: withRuns,
    places: [inTitle('runs', '1_again@2', idle), onRows('runs', runRows.tuned, '2_again@2', oneRow, idle)],
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
    enablement: ours('hasApplied'),
    palette: ours('hasApplied'),
    places: [onRows('targets', targetRows.any, '2_log@2', ours('hasApplied'))],
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
    enablement: ours('liveRunning'),
    palette: ours('liveRunning'),
    places: [onRows('runs', 'live', 'inline@1')],
  },
  runExperiment: {
    title: 'Repeat a Saved Tuning…',
    icon: '$(beaker)',
    enablement: idle,
    places: [inTitle('runs', '1_again@1', idle)],
  },
  saveExperiment: {
    title: 'Save This Tuning…',
    icon: '$(save)',
    palette: withRuns,
    places: [onRows('runs', runRows.tuned, '2_again@4', oneRow)],
  },
  runStudy: {
    title: 'Repeat a Published Experiment…',
    icon: '$(book)',
    enablement: idle,
  },
  showStudies: {
    title: 'Show Experiments',
    icon: '$(library)',
    places: [inTitle('runs', '1_again@3')],
  },
} satisfies CommandTable;
