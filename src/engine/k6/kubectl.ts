import { failure, toFailure } from '../../model/domain/failure.ts';
import { type Cluster, type K6Params, clusterSchema } from '../../model/domain/generator.ts';
import type { MadeElsewhere } from '../supervise/journal.ts';
import { childEnvironment } from '../supervise/environment.ts';
import { findProgram } from '../supervise/program.ts';
import { runProgram } from '../supervise/runTool.ts';
import type { Supervisor } from '../supervise/supervisor.ts';

/** A cluster answers within a second; this only decides what hangs. */
const answerMs = 30_000;
const mostLines = 100_000;
/** Everything of one run has this label, with its id. */
export const runLabel = 'benchside/run';
/** All that is ever made. */
const kinds = 'testruns.k6.io,configmaps,pods,persistentvolumeclaims';

type Where = Pick<Cluster, 'context' | 'namespace'>;

/** Talks to one namespace of one cluster, both named in every call: the current ones of the user’s configuration are never used. */
export class Kubectl {
  private constructor(
    private readonly program: string,
    private readonly supervisor: Supervisor,
    private readonly where: Where,
  ) {}

  /** Fails with `kubectl-missing`. */
  static find(supervisor: Supervisor, where: Where): Kubectl {
    const program = findProgram('kubectl', process.cwd(), process.env['PATH']);
    if (program === null)
      throw failure(
        'kubectl-missing',
        'There is no kubectl on the PATH, by which the k6 operator is asked.',
        'Install kubectl (https://kubernetes.io/docs/tasks/tools/), or let k6 run on this machine: --generator k6=2.',
      );
    return new Kubectl(program, supervisor, where);
  }

  /**
   * The lines of its standard output. Fails with `k6-cluster` when it ends otherwise than it should or has not ended in time; rejects with the signal’s reason.
   */
  async lines(
    args: readonly string[],
    { timeoutMs = answerMs, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<string[]> {
    const lines: string[] = [];
    const { context, namespace } = this.where;
    const spec = {
      name: `kubectl ${args[0] ?? ''}`,
      kind: 'tool' as const,
      argv: [this.program, `--context=${context}`, `--namespace=${namespace}`, ...args],
      cwd: '/',
      env: childEnvironment(),
      captureLines: (stream: 'stdout' | 'stderr', line: string): void => {
        if (stream === 'stdout' && lines.length < mostLines) lines.push(line);
      },
    };
    const { code, tail } = await runProgram(this.supervisor, spec, { timeoutMs, signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (toFailure(error).code !== 'program-stuck') throw error;
      throw failure(
        'k6-cluster',
        `The cluster of the context “${context}” has not answered within ${timeoutMs / 1000} s (kubectl ${args[0] ?? ''}).`,
        'See whether “kubectl --context … get pods” answers, then try again.',
      );
    });
    if (code !== 0) throw explained(tail, args[0] ?? '', this.where);
    return lines;
  }

  /** Whether the context is known, the cluster answers and the operator is there. Fails with `k6-cluster`. */
  async requireOperator(signal: AbortSignal): Promise<void> {
    await this.lines(['get', 'testruns.k6.io', '--output=name'], { signal });
  }

  /** Removes everything with the label. Fails with `k6-cluster`. */
  async removeAll(id: string): Promise<void> {
    await this.lines(['delete', kinds, `--selector=${runLabel}=${id}`, '--ignore-not-found', '--wait=false']);
  }
}

/** What the user named of a cluster. Fails with `k6-cluster` when something of it is missing. */
export function requireCluster({ context, namespace, url }: K6Params): Cluster {
  const missing = [
    ...(context === null ? ['a context (--k6-context)'] : []),
    ...(namespace === null ? ['a namespace (--k6-namespace)'] : []),
    ...(url === null ? ['the address of the service for its pods (--k6-url)'] : []),
  ];
  if (missing.length > 0)
    throw failure(
      'k6-cluster',
      `The k6 operator is used only where you say so, and ${missing.join(' and ')} was not named.`,
      'Name context, namespace and address on the command line: --k6-context staging --k6-namespace load --k6-url http://my-service:8080.',
    );
  const parsed = clusterSchema.safeParse({ context, namespace, url });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw failure(
    'k6-cluster',
    `The ${issue?.path.join('.') ?? 'cluster'} cannot be used: ${issue?.message ?? ''}.`,
    'Correct what was named.',
  );
}

/** Removes what an engine that is gone has made; false when it could not be. */
export async function removeElsewhere({ id, ...where }: MadeElsewhere, supervisor: Supervisor): Promise<boolean> {
  try {
    await Kubectl.find(supervisor, where).removeAll(id);
    return true;
  } catch {
    return false;
  }
}

function explained(tail: string, verb: string, { context, namespace }: Where): Error {
  const known: [RegExp, string, string][] = [
    [
      /context .*does not exist|no context exists/i,
      `kubectl knows no context “${context}”.`,
      '“kubectl config get-contexts” lists those it knows.',
    ],
    [
      /doesn't have a resource type "?testruns|no matches for kind "TestRun"|could not find the requested resource/i,
      `The k6 operator is not installed in the cluster of the context “${context}”.`,
      'Install it (https://grafana.com/docs/k6/latest/set-up/set-up-distributed-k6/install-k6-operator/), or name another context.',
    ],
    [
      /namespaces? "[^"]*" not found/i,
      `There is no namespace “${namespace}” in that cluster.`,
      'Name one that is there: “kubectl get namespaces”.',
    ],
    [
      /forbidden|unauthorized/i,
      `You may not do that in the namespace “${namespace}” (kubectl ${verb}).`,
      'Ask for the right to make test runs, config maps, pods and volumes there, and to read logs and copy files.',
    ],
    [
      /unable to connect|connection refused|no such host|i\/o timeout/i,
      `The cluster of the context “${context}” cannot be reached.`,
      'See whether it runs, and try again.',
    ],
  ];
  const [, message, cure] = known.find(([pattern]) => pattern.test(tail)) ?? [
    null,
    `kubectl ${verb} has failed in the namespace “${namespace}” of the context “${context}”.`,
    'Look at what it printed.',
  ];
  return failure('k6-cluster', message, cure, tail);
}
