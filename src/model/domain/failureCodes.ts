/** What a client can offer to do about a failure, besides showing its cure and the log: by its name, what a button for it says. */
export const failureButtons = {
  'open-workspace-file': 'Open benchside.json',
  'manage-trust': 'Manage Trust',
  'set-java-path': 'Set Java Path',
  'set-k6-path': 'Set k6 Path',
  'set-node-path': 'Set Node Path',
  'set-postgres-url': 'Open Setting',
  'allow-postgres-host': 'Allowed Hosts',
  'check-machine': 'Check This Machine',
  'show-output': 'Show Its Output',
  'free-space': 'Show Stored Runs',
  'choose-run': 'Choose Another Run',
  'choose-recording': 'Choose Another Recording',
  'choose-process': 'Choose Another Process',
  'restart-engine': 'Restart',
} as const;
export type FailureAction = keyof typeof failureButtons;

interface FailureKind {
  /** What was asked for does not fit what there is: a command line that says so is wrong usage. */
  usage?: true;
  /** The default of a failure without a better cure. */
  cure?: string;
  /** The best first. */
  actions?: readonly FailureAction[];
}

const declared = { actions: ['open-workspace-file'] } as const;
const asked = { usage: true } as const;
/** The failure quotes the last output of the process: the user corrects the file first. */
const exited = { actions: ['open-workspace-file', 'show-output'] } as const;
const output = { actions: ['show-output', 'open-workspace-file'] } as const;
const server = { actions: ['set-postgres-url'] } as const;
const process = { actions: ['choose-process'] } as const;
const run = { actions: ['choose-run'] } as const;
const recording = { actions: ['choose-recording'] } as const;

/** All failures: each code, and what follows from it for the code that shows it. */
export const failureKinds = {
  // Of anything
  cancelled: { cure: 'Run it again when you are ready.' },
  internal: { cure: 'Report this with the log (in the editor: “Benchside: Show Log”).' },
  usage: { ...asked, cure: 'See “benchside --help”.' },
  'bad-request': asked,
  busy: {},
  stopping: {},
  untrusted: { actions: ['manage-trust'] },
  'not-allowed': {},

  // The engine and its clients
  'engine-crashing': { actions: ['restart-engine'] },
  'engine-ended': { cure: 'Run the command again: the engine is started again.', actions: ['restart-engine'] },
  'engine-not-started': { actions: ['set-node-path'] },
  'engine-silent': { actions: ['restart-engine', 'check-machine'] },
  'no-database-folder': {},
  'panel-message': {},
  'run-in-progress': {},
  'storage-not-usable': {},
  'loopback-missing': { actions: ['check-machine'] },
  'proc-missing': { cure: 'Mount /proc where Benchside runs (mount -t proc proc /proc), without an option that hides your own processes.' },
  'reading-too-large': {},
  'reading-too-long': {},

  // What is declared
  'bad-route': declared,
  'build-failed': output,
  'cores-not-limited': declared,
  'cores-too-many': declared,
  'cpu-share-unavailable': {},
  'cwd-missing': declared,
  'java-missing': { actions: ['set-java-path', 'open-workspace-file'] },
  'java-too-old': { actions: ['set-java-path', 'show-output'] },
  'load-profile-invalid': declared,
  'load-profiles-missing': {},
  'look-not-possible': declared,
  'not-running': declared,
  'leak-runtime': asked,
  'runs-already': declared,
  'port-fixed': declared,
  'port-taken': { actions: ['check-machine', 'open-workspace-file'] },
  'migrations-failed': output,
  'program-not-found': declared,
  'program-not-started': declared,
  'requirement-missing': declared,
  'route-fails': output,
  'scenario-invalid': declared,
  'script-not-found': declared,
  'socket-not-usable': declared,
  'speaks-http2': output,
  'sql-failed': {},
  'sql-missing': declared,
  'static-folder-large': {},
  'static-folder-missing': {},
  'target-busy': {},
  'target-exited': exited,
  'target-not-ready': output,
  'workspace-file': declared,

  // Versions of the code
  'git-missing': {},
  'no-repository': asked,
  'unknown-version': asked,
  'version-incomplete': {},

  // What was asked for
  'budget-short': {},
  'experiment-exists': {},
  'experiment-file': {},
  'experiment-not-written': {},
  'experiment-unknown': asked,
  'no-live-session': {},
  'no-load': {},
  'no-soak': asked,
  'no-workspace': {},
  'not-live': {},
  'nothing-measured': {},
  'pool-too-large': {},
  'rate-and-ladder': asked,
  'rate-and-think-time': asked,
  'rate-and-users': asked,
  'setting-unknown': asked,
  'setting-value': asked,
  'published-file': {},
  'published-needs': {},
  'published-unknown': asked,
  'target-unknown': { ...asked, ...declared },
  'not-predictable': asked,
  'runtime-missing': asked,
  'variant-database': asked,
  'variant-unfit': asked,
  'variant-unknown': asked,
  'variant-version': asked,
  'think-time-and-roles': asked,
  'too-many-trials': asked,
  'trial-not-found': asked,
  'trial-unknown': asked,
  'tune-range': asked,
  'tuning-without-answer': {},
  'unknown-load-profile': { ...asked, ...declared },
  'unknown-route': { ...asked, ...declared },

  // Traffic
  'traffic-empty': asked,
  'traffic-no-service': asked,
  'traffic-not-recording': {},
  'traffic-recording': {},
  'traffic-unknown': asked,
  'traffic-unreadable': asked,

  // Load
  'histogram-damaged': {},
  'load-busy': {},
  'load-descriptors': { actions: ['check-machine'] },
  'load-generator-died': {},
  'load-generator-stopped': {},
  'load-generator-stuck': { actions: ['check-machine'] },
  'load-lap-too-late': {},
  'load-no-block': {},
  'load-protocol': {},
  'load-stages-short': {},
  'load-together-invalid': {},
  'machine-not-measured': { actions: ['check-machine'] },
  'not-loopback': {},

  // Services
  'apache-missing': {},
  'certificate-failed': {},
  'distance-failed': {},
  'document-store-failed': {},
  'nginx-config': {},
  'nginx-failed': {},
  'nginx-no-user': {},
  'nginx-missing': {},
  'pgbouncer-missing': { actions: ['check-machine'] },
  'pgbouncer-broken': { actions: ['check-machine'] },
  'pgbouncer-too-old': { actions: ['open-workspace-file'] },
  'pgbouncer-failed': { actions: ['show-output'] },
  'pgbouncer-server': { actions: ['show-output'] },
  'pgbouncer-no-database': { usage: true },
  'nginx-reload': {},
  'openssl-missing': {},
  'program-stuck': { actions: ['check-machine'] },
  'postgres-broken': server,
  'postgres-consent': server,
  'postgres-create': server,
  'postgres-database': server,
  'postgres-died': {},
  'postgres-failed': {},
  'postgres-folder': {},
  'other-database': { actions: ['allow-postgres-host', 'open-workspace-file'] },
  'postgres-host': { actions: ['allow-postgres-host', 'set-postgres-url'] },
  'postgres-in-use': {},
  'postgres-initdb': { actions: ['check-machine'] },
  'postgres-locked': {},
  'postgres-login': server,
  'postgres-missing': server,
  'postgres-no-server': server,
  'postgres-not-ready': { actions: ['check-machine'] },
  'postgres-slow': {},
  'postgres-tls': server,
  'postgres-unreachable': server,
  'postgres-url': server,
  'proxy-no-instances': {},
  'schema-changed': server,

  // Probes
  'probe-silent': { actions: ['show-output'] },

  // Runs
  'disk-full': { actions: ['free-space'] },
  'report-not-written': { cure: 'Name a file in a folder that exists and that you may write.' },
  'run-closed': {},
  'run-damaged': run,
  'run-exists': {},
  'run-file': {},
  'run-file-name': {},
  'run-id': run,
  'run-invalid': {},
  'run-marks': {},
  'run-newer': run,
  'run-not-found': run,
  'store-link': {},
  'store-not-writable': {},
  'store-unreadable': {},
  'store-write': { actions: ['check-machine'] },

  // Raw samples
  'raw-damaged': {},
  'raw-export': {},
  'raw-external': server,
  'raw-none': {},
  'raw-not-loaded': {},
  'raw-schema': {},
  'raw-slow': {},

  // k6
  'k6-cannot': asked,
  'k6-cluster': asked,
  'k6-csv': {},
  'k6-failed': {},
  'k6-files': asked,
  'k6-folder': {},
  'k6-missing': { actions: ['set-k6-path'] },
  'k6-plan': asked,
  'k6-pods': {},
  'k6-too-large': asked,
  'kubectl-missing': {},

  // Recorders and what they attach to
  'agent-not-loaded': {},
  'agent-refused': {},
  'attach-argument': {},
  'attach-disabled': process,
  'attach-failed': {},
  'attach-other-user': process,
  'attach-timeout': {},
  'attach-unsupported': {},
  'clinic-app-failed': { actions: ['show-output'] },
  'clinic-app-not-ready': { actions: ['show-output'] },
  'clinic-bubbleprof-unsupported': {},
  'clinic-hangs': {},
  'clinic-lockfile-changed': {},
  'clinic-needs-node': declared,
  'clinic-no-data': { cure: 'Record longer, under load, or record with the V8 inspector.' },
  'clinic-not-installed': {},
  'clinic-platform-unsupported': {},
  'event-unsupported': {},
  'hint-damaged': {},
  'inspector-closed': {},
  'inspector-disabled': {},
  'inspector-lost': {},
  'inspector-port-taken': {},
  'inspector-refused': {},
  'inspector-silent': {},
  'inspector-unreachable': {},
  'jcmd-failed': {},
  'jfr-missing': {},
  'jfr-refused': {},
  'not-a-jvm': process,
  'not-node': process,
  'npm-not-found': { actions: ['set-node-path'] },
  'process-foreign': process,
  'process-gone': { ...process, cure: 'Look at its log for why it ended, and record again.' },
  'process-not-found': process,
  'process-stopped': process,
  'profiler-busy': {},
  'profiler-missing': {},
  'profiler-refused': {},
  'profiler-unsupported': {},
  'recorder-event': asked,
  'recorder-none': declared,
  'recorder-platform': {},
  'recorder-relaunch': {},
  'recorder-runtime': {},
  'recorder-unknown': {},
  'recorder-version': {},
  'recording-in-progress': {},
  'recording-unreadable': { cure: 'Look whether the disk that holds its /tmp is full, and record again.' },

  // Recordings
  'diff-requests': asked,
  'diff-units': asked,
  'flame-damaged': {},
  'flame-message': {},
  'flame-page-damaged': {},
  'flame-worker-stopped': {},
  'jfr-not-a-recording': recording,
  'jfr-uncompressed': {},
  'jfr-unfinished': {},
  'jfr-version': {},
  'no-comparison': {},
  'no-layout': {},
  'no-recording': {},
  'no-samples': {},
  'no-such-event': asked,
  'output-not-written': { cure: 'Name a file in a folder that exists and that you may write.' },
  'output-too-large': {},
  'profile-closed': {},
  'profile-damaged': recording,
  'profile-export': asked,
  'profile-frame': {},
  'profile-not-a-file': {},
  'profile-part': {},
  'profile-too-large': { cure: 'Record a shorter time, or fewer events, and open that.' },
  'profile-unknown': recording,
  'profile-unreadable': recording,
  'profile-worker': {},
  'profiles-open': {},
  'advice-damaged': {},
  'advice-exists': {},
  'advice-newer': {},
  'advice-not-found': {},
  'recording-ambiguous': asked,
  'recording-damaged': recording,
  'recording-exists': {},
  'recording-not-found': recording,
  'recording-of-run': {},
  'recording-without-stacks': recording,
  'search-too-slow': {},
  'view-too-large': {},
  'viewer-missing': {},
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof failureKinds;

/** A code with a cure of its own in the table. */
export type CuredCode = { [C in FailureCode]: (typeof failureKinds)[C] extends { cure: string } ? C : never }[FailureCode];

export function isFailureCode(text: string): text is FailureCode {
  return Object.hasOwn(failureKinds, text);
}

/** The cure that holds without more knowledge; undefined where it depends. */
export function failureCure(code: FailureCode): string | undefined {
  const kind: FailureKind = failureKinds[code];
  return kind.cure;
}

export function failureActions(code: FailureCode): readonly FailureAction[] {
  const kind: FailureKind = failureKinds[code];
  return kind.actions ?? [];
}

/** What a client can offer to do about it: output can only be shown of a target that is known. */
export function offeredActions(code: FailureCode, targetId: string | undefined): readonly FailureAction[] {
  return failureActions(code).filter((action) => action !== 'show-output' || targetId !== undefined);
}

/** Whether it means that what was asked for cannot be meant so: a command line ends with exit status 2. */
export function isUsage(code: FailureCode): boolean {
  const kind: FailureKind = failureKinds[code];
  return kind.usage === true;
}
