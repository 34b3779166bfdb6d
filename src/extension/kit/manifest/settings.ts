import type { ServerMode } from '../../../model/domain/userServer.ts';

/**
 * A setting as the manifest declares it. A switch starts no program and opens no address: a folder may have its own. What names programs and addresses is this
 * machine's alone; no workspace sets it.
 */
export type Setting = ({ type: 'boolean'; scope: 'window'; default: boolean } | OfMachine) & { markdownDescription: string };

interface OfMachine {
  type: 'string' | 'array';
  scope: 'machine';
  default: string | readonly string[];
  pattern?: string;
  patternErrorMessage?: string;
  enum?: readonly string[];
  enumItemLabels?: readonly string[];
  markdownEnumDescriptions?: readonly string[];
  items?: { type: 'string' };
  uniqueItems?: boolean;
}

const words = { type: 'string', scope: 'machine', default: '' } as const;
const on = (markdownDescription: string): Setting => ({ type: 'boolean', scope: 'window', default: true, markdownDescription });
const off = (markdownDescription: string): Setting => ({ type: 'boolean', scope: 'window', default: false, markdownDescription });
const program = (what: string, markdownDescription: string): Setting => ({
  ...words,
  markdownDescription,
  pattern: String.raw`^$|^(/|~/|[A-Za-z]:[\\/]|\\\\).+`,
  patternErrorMessage: `An absolute path to ${what}, or nothing.`,
});

const serverModes: Readonly<Record<ServerMode, readonly [label: string, description: string]>> = {
  own: [
    'A database of its own',
    'Benchside makes a database for each target on your server, and touches no other. The user needs the right to create databases.',
  ],
  named: [
    'The database of the URL',
    'The SQL files of a target are applied in the database that the URL names. You are asked once for each server, database and set of files, and again when a file changes.',
  ],
  'read-only': ['Apply nothing', 'Nothing is created, applied or reset; the target finds what is in the database that the URL names.'],
};

/** Every setting by its name after `benchside.`, in the order in which they are shown. */
export const settings = {
  nodePath: program(
    'a node executable',
    'The Node.js (20.19 or later) that runs the engine and the Node targets, as an absolute path. Empty: the engine runs on the editor’s own, targets on the `node` of the `PATH`.',
  ),
  javaPath: program(
    'a java executable or a JDK folder',
    'The `java` (17 or later) that runs the Java targets, or its home folder, as an absolute path. Empty: `JAVA_HOME`, then the one on the `PATH`.',
  ),
  'k6.path': program(
    'a k6 executable',
    'The [k6](https://grafana.com/docs/k6/latest/set-up/install-k6/) that puts the load on where an experiment asks for it (`"generator"`), as an absolute path. Empty: the `k6` of the `PATH`. Benchside does not come with it.',
  ),
  'postgres.url': {
    ...words,
    markdownDescription:
      'A PostgreSQL server of your own instead of the embedded one, such as `postgresql://user@localhost:5432/postgres`. Benchside works there in databases of its own, named `benchside_…`, and leaves all others alone unless `#benchside.postgres.mode#` says otherwise; *Benchside: Remove Databases from Your PostgreSQL Server* takes them away again. This setting is stored as plain text: put only a password into it that opens nothing but test data.',
    pattern: String.raw`^$|^postgres(ql)?://[^\s]+$`,
    patternErrorMessage: 'A URL that starts with postgresql://, or nothing.',
  },
  'postgres.mode': {
    ...words,
    default: 'own',
    enum: Object.keys(serverModes),
    enumItemLabels: Object.values(serverModes).map(([label]) => label),
    markdownEnumDescriptions: Object.values(serverModes).map(([, description]) => description),
    markdownDescription: 'What Benchside may do on the PostgreSQL server that `#benchside.postgres.url#` or a `benchside.json` names.',
  },
  'postgres.allowedHosts': {
    type: 'array',
    items: { type: 'string' },
    uniqueItems: true,
    default: [],
    scope: 'machine',
    markdownDescription:
      'Other machines than this one on which a PostgreSQL server of yours may be, by the host as it stands in the URL. A server on any other is refused.',
  },
  probes: on(
    'Attach a probe to the Node and Java targets that Benchside starts. It reads the use of connection pools and threads, and can change their sizes while the app runs. Without it a target is started again for each value, and it is not said where a request’s time goes.',
  ),
  'routes.enabled': on(
    'Show above the handler of each route of a target *Measure*, *Flame graph* and *Against HEAD*, with what its newest run says of it, and above each target of `benchside.json` *Run*, *Tune* and *Record*; list the routes as tests.',
  ),
  'routes.countOnSave': on(
    'When a file with the handler of a route is saved and its target runs (*Start Target*), send one request to each of its routes that writes nothing, and show at the handler how many statements and rows it took (“3 statements, 8 rows”), with each statement and its plan when the pointer rests there.',
  ),
  'sourceMarks.enabled': on(
    'Show the shares of the flame graph opened last before the lines of its source, from 0.5 % on, with heat in the overview ruler. *Benchside: Clear Marks in the Source* removes them until the next one is opened.',
  ),
  'sourceMarks.codeLens': off(
    'Show above each function what it takes, with and without its callees, and the change where two recordings are compared. A click shows it in the flame graph.',
  ),
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
