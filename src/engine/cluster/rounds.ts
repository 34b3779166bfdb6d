import { type K6ExportNote, k6ExportNoteText } from '../../model/domain/k6ExportNotes.ts';
import { type SettingSpec, type SettingSpecs, type SettingValues, isSetByProbe } from '../../model/domain/setting.ts';
import { escaped } from '../report/markdown.ts';
import { type K6Plan, planFileName, scriptFileName } from '../k6/k6Plan.ts';
import { k6Version, ownLabels, resultsFolder, resultsYaml, testRunYaml } from '../k6/testRun.ts';

export type ClusterPlan = Pick<K6Plan, 'id' | 'url' | 'tests' | 'trials' | 'target' | 'title' | 'settleS' | 'durationS' | 'load'>;

/** What everything of a plan is named by in its namespace. */
export function resourceName({ id }: Pick<K6Plan, 'id'>): string {
  return `benchside-${id}`;
}

export function planTestRun(plan: ClusterPlan, { test, parallelism }: { test: number; parallelism: number }): string {
  const name = resourceName(plan);
  return testRunYaml({
    name,
    claim: `${name}-results`,
    labels: ownLabels,
    parallelism,
    variables: {
      BENCHSIDE_TEST: String(test),
      BENCHSIDE_URL: plan.url,
      BENCHSIDE_RUNNERS: String(parallelism),
      K6_CSV_TIME_FORMAT: 'unix_micro',
      K6_NO_USAGE_REPORT: 'true',
    },
    file: '$(BENCHSIDE_TEST)-$(POD_NAME).csv.gz',
  });
}

/** Where the files of all its tests stay. */
export function planResults(plan: ClusterPlan): string {
  return resultsYaml({ name: `${resourceName(plan)}-results`, labels: ownLabels, lifeS: 604_800 });
}

/** All tests of the plan, one after the other in its order. */
export function roundsScript(plan: ClusterPlan): string {
  const name = resourceName(plan);
  // A runner is given time to be scheduled, its image to be fetched, and its last requests to end.
  const timeoutS = Math.ceil(plan.settleS + plan.durationS + 600);
  const lines = plan.tests.map(({ trial, round }, index) => {
    const planned = plan.trials[trial];
    return `run ${index} ${trial} # round ${round}: ${oneLine(planned?.name ?? '')}`;
  });
  return `#!/bin/sh
# Every test of plan.json in its order: rounds over all values, shuffled, every second one the mirror of the one before it, so that
# whatever changes in the cluster meanwhile falls on all values alike. Before each test value.sh brings its value about.
# KUBECTL says which cluster and which namespace, and has no default.
set -eu
: "\${KUBECTL:?name context and namespace, e.g. KUBECTL=\\"kubectl --context staging -n load\\"}"
export KUBECTL
cd "$(dirname "$0")"

run() {
  echo "test $1 of ${plan.tests.length}"
  sh value.sh "$2"
  $KUBECTL delete testrun ${name} --ignore-not-found --wait=true
  sed '/name: BENCHSIDE_TEST$/{n;s/value: .*/value: "'"$1"'"/;}' testrun.yaml | $KUBECTL apply -f -
  $KUBECTL wait --for=jsonpath='{.status.stage}'=finished testrun/${name} --timeout=${timeoutS}s
}

$KUBECTL apply -f results.yaml
$KUBECTL wait --for=condition=Ready pod/${name}-results --timeout=300s
${lines.join('\n')}
$KUBECTL delete testrun ${name} --ignore-not-found
mkdir -p results
$KUBECTL cp ${name}-results:${resultsFolder} results
`;
}

/** How a value is applied, for Deployments whose settings are environment variables: a template to review, and to change where a service differs. */
export function valueScript({ trials, target }: ClusterPlan): string {
  const cases = trials.map(({ settings, asked, instances, name }, index) => {
    const { sets, others } = carriers(target.settings, { ...settings, ...asked }, Object.keys(asked));
    const commands = [
      ...(sets.length === 0 ? [] : [`$KUBECTL set env "deployment/$DEPLOYMENT" ${sets.map(quoted).join(' ')}`]),
      ...(asked['instances'] === undefined && instances === 1 ? [] : [`$KUBECTL scale "deployment/$DEPLOYMENT" --replicas=${instances}`]),
      ...others.map(
        (carrier) => `echo ${quoted(`This value is set by ${carrier}: change value.sh so that the service has it.`)} >&2; exit 1`,
      ),
      // A value that is there already starts nothing: every test is to meet processes that are new.
      '$KUBECTL rollout restart "deployment/$DEPLOYMENT"',
    ];
    return `  ${index}) # ${oneLine(name)}\n${commands.map((command) => `    ${command}`).join('\n')}\n    ;;`;
  });
  return `#!/bin/sh
# Brings the value of a trial about and returns when the service is ready with it; $1 is the trial's number in plan.json. This is for a Deployment
# whose settings are environment variables; for anything else (a StatefulSet, a Helm release, a configuration service) put other commands here.
set -eu
: "\${KUBECTL:?}"
: "\${DEPLOYMENT:?name the Deployment of ${oneLine(target.label)}, e.g. DEPLOYMENT=my-service}"
case "$1" in
${cases.join('\n')}
  *) echo "There is no trial $1." >&2; exit 1 ;;
esac
$KUBECTL rollout status "deployment/$DEPLOYMENT" --timeout=300s
`;
}

/** `NAME=value` for what goes by the environment; what else carries a value, in words. */
function carriers(specs: SettingSpecs, values: SettingValues, asked: readonly string[]): { sets: string[]; others: string[] } {
  const named = asked.flatMap((name) => {
    const spec: SettingSpec | undefined = specs[name];
    const value = values[name];
    return spec === undefined || value === undefined ? [] : [{ name, spec, value }];
  });
  return {
    sets: named.flatMap(({ spec, value }) => (spec.env === undefined ? [] : [`${spec.env}=${value}`])),
    others: named.flatMap(({ name, spec, value }) => {
      if (isSetByProbe(name, spec)) return [`the code of the service (${name} ${value})`];
      return spec.env !== undefined
        ? []
        : (spec.arguments ?? []).map((argument) => `the argument ${argument.replaceAll('{value}', String(value))}`);
    }),
  };
}

/** A word that a shell takes as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Within a comment or a message of a shell script, where a line's end would begin a command. */
function oneLine(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,:;=·–_+-]+/gu, ' ').slice(0, 200);
}

export function readme(plan: ClusterPlan, { parallelism, notes }: { parallelism: number; notes: readonly K6ExportNote[] }): string {
  const name = resourceName(plan);
  const hours = (plan.tests.length * (plan.settleS + plan.durationS + 60)) / 3600;
  return `# ${escaped(plan.title)}

${plan.tests.length} tests of ${plan.settleS + plan.durationS} s, of which the first ${plan.settleS} s settle and are not counted: every value in every round, shuffled and
mirrored; about ${hours < 1 ? `${Math.ceil(hours * 60)} minutes` : `${hours.toFixed(1)} hours`} with the starts in between. k6 ${k6Version} and the k6 operator (\`k6.io/v1alpha1\`) put the load on ${escaped(plan.url)}, with ${parallelism} ${parallelism === 1 ? 'runner' : 'runners'}.

Look at \`value.sh\` first: it says how each value is activated.

\`\`\`sh
export KUBECTL="kubectl --context CONTEXT -n NAMESPACE" DEPLOYMENT=my-service
$KUBECTL create configmap ${name} --from-file=${scriptFileName} --from-file=${planFileName}
sh rounds.sh
benchside import k6 ${planFileName} results
\`\`\`

| file | what |
|---|---|
| \`${scriptFileName}\`, \`${planFileName}\` | the load for k6, and what it is made of. Headers of the declared routes are in the plan as they are declared |
| \`testrun.yaml\` | the first test; the others differ from it in \`BENCHSIDE_TEST\` |
| \`results.yaml\` | a volume for the runners’ files, and a pod to copy them by. Runners on several nodes need \`ReadWriteMany\` |
| \`value.sh\`, \`rounds.sh\` | one value; all rounds |

One test by hand, without a cluster:
\`K6_CSV_TIME_FORMAT=unix_micro k6 run -e BENCHSIDE_TEST=0 -e BENCHSIDE_URL=http://127.0.0.1:8080 --out csv=results/0.csv.gz ${scriptFileName}\`
${notes.length === 0 ? '' : `\nNot part of it:\n\n${notes.map((note) => `- ${k6ExportNoteText(note)}`).join('\n')}\n`}`;
}
