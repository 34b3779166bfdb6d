/** What is known of a runtime without looking at a service. */
interface RuntimeFacts {
  /** Whether Benchside has a probe for it, which is also a way to record it. */
  probed: boolean;
  /** The programs that start something of it. */
  programs: RegExp | null;
  /** Files that a folder holds in which something of it is built. */
  builds: readonly string[];
  /** As long as a start is expected to take, as seen with the samples: seconds. */
  startS: number;
  /** As long as it may take until it listens, of its own time: milliseconds. Build tools and scripts have something to do before what they start comes up. */
  comesUpWithinMs: number;
  /** Memory that a process is assumed to take: MB. */
  processMb: number;
  /** Processes of it that are measured side by side at once: each has a share of every round. */
  atOnce: number;
  /** Two versions of the code are compared for so long, where no budget is given: both are started and warmed at least three times in it. Seconds. */
  versionsS: number;
}

/** The runtimes that a target may name. Those without a probe are treated alike. */
export const runtimes = {
  node: {
    probed: true,
    programs: /^(?:(?:node|nodejs|npm|npx|yarn|pnpm|tsx|ts-node|nodemon|pm2)(?:\.cmd|\.exe)?|.*\.[cm]?js)$/,
    builds: ['package.json'],
    startS: 0.5,
    comesUpWithinMs: 60_000,
    processMb: 200,
    atOnce: 8,
    versionsS: 180,
  },
  jvm: {
    probed: true,
    programs: /^(?:java|mvnw?|gradlew?|kotlin|scala|sbt)(?:\.cmd|\.bat|\.exe)?$/,
    builds: ['pom.xml', 'build.gradle', 'build.gradle.kts'],
    startS: 2,
    comesUpWithinMs: 180_000,
    processMb: 500,
    atOnce: 4,
    versionsS: 240,
  },
  other: {
    probed: false,
    programs: null,
    builds: ['package.json', 'pom.xml', 'build.gradle', 'build.gradle.kts'],
    startS: 1,
    comesUpWithinMs: 180_000,
    processMb: 300,
    atOnce: 6,
    versionsS: 180,
  },
} as const satisfies Record<string, RuntimeFacts>;

export type Runtime = keyof typeof runtimes;
type ProbedRuntime = { [R in Runtime]: (typeof runtimes)[R]['probed'] extends true ? R : never }[Runtime];

export const eachRuntime = Object.entries(runtimes) as readonly (readonly [Runtime, RuntimeFacts])[];

/** Whether Benchside can look into a process of it. */
export function isProbed(runtime: Runtime): runtime is ProbedRuntime {
  return runtimes[runtime].probed;
}

/** How a HotSpot JVM names the threads of its compilers; Linux keeps 15 characters of a name. What they take ends one day, and is no part of a request. */
export const compilerThread = /^C[12] CompilerThr/;
