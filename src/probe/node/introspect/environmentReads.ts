import path from 'node:path';

/** A variable of the environment that the app reads, and the line that does, where it is one of its own. */
export interface VariableRead {
  name: string;
  place: string | null;
}

const mostNames = 500;
/** A library may read one before the app does; of names that only libraries read there is an end. */
const mostLooks = 5;

/** Notes which variables are read from now on, never what they are. */
export class EnvironmentReads {
  readonly #reads = new Map<string, { place: string | null; looks: number }>();

  /** What copies or prints the environment reads all names in their order: that is no use of a variable. The next name of such a list; null: none is read. */
  #listed: Iterator<string> | null = null;

  watch(): void {
    const real = process.env;
    process.env = new Proxy(real, {
      get: (target, name) => {
        if (typeof name === 'string' && !this.#isListed(name)) this.#note(name);
        return Reflect.get(target, name) as unknown;
      },
      ownKeys: (target) => {
        const names = Reflect.ownKeys(target);
        this.#listed = names.filter((name) => typeof name === 'string')[Symbol.iterator]();
        return names;
      },
      // Through the proxy a new value would come as half a property, which the environment of a process refuses.
      set: (target, name, value) => Reflect.set(target, name, value),
    });
  }

  report(): VariableRead[] {
    return [...this.#reads].map(([name, { place }]) => ({ name, place }));
  }

  #isListed(name: string): boolean {
    if (this.#listed?.next().value === name) return true;
    this.#listed = null;
    return false;
  }

  #note(name: string): void {
    const known = this.#reads.get(name) ?? { place: null, looks: 0 };
    if (known.place !== null || known.looks >= mostLooks || (known.looks === 0 && this.#reads.size >= mostNames)) return;
    this.#reads.set(name, { place: ownPlace(new Error().stack ?? ''), looks: known.looks + 1 });
  }
}

/** The innermost line of a stack in a file of the app’s own, as `file:line` from its working folder; null where a library reads. */
function ownPlace(stack: string): string | null {
  for (const line of stack.split('\n').slice(3)) {
    const [, file, at] = /(?:\(|at )(?:file:\/\/)?([^()]+?):(\d+):\d+\)?$/.exec(line.trim()) ?? [];
    if (file === undefined || at === undefined) continue;
    if (file.startsWith('node:') || /[\\/]node_modules[\\/]/.test(file)) return null;
    return `${path.relative(process.cwd(), file).split(path.sep).join('/')}:${at}`;
  }
  return null;
}
