import { stringify } from 'yaml';
import { planFileName, scriptFileName } from './k6Plan.ts';

/** The k6 whose CSV files are read, and under which the script was tried. */
export const k6Version = '2.2.0';
/** Where the runners write, and what is copied. */
export const resultsFolder = '/results';
/** The group of the image's user; what it writes into a volume is its group’s. */
const k6Group = 12_345;

/** `name`: of a test, and of the config map with its script. */
interface Named {
  name: string;
  labels: Readonly<Record<string, string>>;
}

export interface TestRunOptions extends Named {
  /** The claim of the volume that its runners write into. */
  claim: string;
  parallelism: number;
  variables: Readonly<Record<string, string>>;
  /** Under `/results`, with what Kubernetes puts in for `$(…)`. */
  file: string;
}

export const ownLabels = { 'app.kubernetes.io/managed-by': 'benchside' };

/** A `TestRun` of the k6 operator: runners that wait for each other, each writing its file into the volume of {@link resultsYaml}. */
export function testRunYaml({ name, claim, labels, parallelism, variables, file }: TestRunOptions): string {
  return stringify({
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: { name, labels },
    spec: {
      parallelism,
      script: { configMap: { name, file: scriptFileName } },
      runner: {
        image: `grafana/k6:${k6Version}`,
        env: [
          { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          ...Object.entries(variables).map(([variable, value]) => ({ name: variable, value })),
          // The names before it are filled in by Kubernetes.
          { name: 'K6_OUT', value: `csv=${resultsFolder}/${file}` },
        ],
        securityContext: { fsGroup: k6Group },
        volumes: [{ name: 'results', persistentVolumeClaim: { claimName: claim } }],
        volumeMounts: [{ name: 'results', mountPath: resultsFolder }],
      },
    },
  });
}

/** The script and its plan, as the runners find them. */
export function scriptYaml({ name, labels, script, plan }: Named & { script: string; plan: string }): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels },
    data: { [scriptFileName]: script, [planFileName]: plan },
  });
}

/**
 * Where the runners’ files stay when their pods have ended, and a pod from which they are copied, which ends on its own. Runners on several nodes need
 * ReadWriteMany.
 */
export function resultsYaml({ name, labels, lifeS, accessMode = 'ReadWriteOnce' }: Named & { lifeS: number; accessMode?: string }): string {
  const documents = [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, labels },
      spec: { accessModes: [accessMode], resources: { requests: { storage: '10Gi' } } },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels },
      spec: {
        restartPolicy: 'Never',
        activeDeadlineSeconds: lifeS,
        terminationGracePeriodSeconds: 1,
        securityContext: { fsGroup: k6Group },
        containers: [
          {
            name: 'files',
            image: 'busybox:1.37',
            command: ['sleep', String(lifeS)],
            volumeMounts: [{ name: 'results', mountPath: resultsFolder }],
          },
        ],
        volumes: [{ name: 'results', persistentVolumeClaim: { claimName: name } }],
      },
    },
  ];
  return documents.map((document) => stringify(document)).join('---\n');
}
