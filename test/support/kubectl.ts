import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './engine.ts';
import { k6Program } from './k6.ts';

const script = path.join(import.meta.dirname, 'kubectlStandIn.mjs');

/** A program `kubectl` that replaces a cluster with the k6 operator: its context is `here`, its namespace `load`. */
export class StandInCluster {
  readonly #state = temporaryFolder('cluster');
  /** With the program alone in it. */
  readonly folder = temporaryFolder('kubectl');

  /** `k6`: what the runners are; null: they only pretend. */
  constructor(k6: string | null = k6Program) {
    const lines = [
      '#!/bin/sh',
      `export KUBECTL_STATE='${this.#state}' KUBECTL_K6='${k6 ?? ''}'`,
      `exec '${process.execPath}' '${script}' "$@"`,
    ];
    writeFileSync(path.join(this.folder, 'kubectl'), `${lines.join('\n')}\n`, { mode: 0o755 });
  }

  get path(): string {
    return `${this.folder}${path.delimiter}${process.env['PATH'] ?? ''}`;
  }

  /** What goes wrong from now on. */
  set fault(fault: string) {
    writeFileSync(path.join(this.#state, 'fault'), fault);
  }

  /** Ends what a test that failed has left running in it. */
  end(): void {
    for (const name of this.objects.filter((one) => one.startsWith('testruns'))) {
      const { runners = [] } = JSON.parse(readFileSync(path.join(this.#state, 'objects', `${name}.json`), 'utf8')) as {
        runners?: { pid?: number }[];
      };
      for (const { pid } of runners) {
        try {
          if (pid !== undefined) process.kill(-pid, 'SIGKILL');
        } catch {
          // It has ended.
        }
      }
    }
  }

  /** What is in it, as `kind.name`. */
  get objects(): string[] {
    const folder = path.join(this.#state, 'objects');
    return existsSync(folder) ? readdirSync(folder).map((name) => name.replace(/\.json$/, '')) : [];
  }
}
