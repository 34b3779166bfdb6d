import { remembered } from '../../../model/domain/remembered.ts';
import type { JfrChunk } from './jfrChunk.ts';
import type { JfrCursor, JfrKey, JfrText } from './jfrCursor.ts';
import { tooLarge } from '../../../calltree/treeLimits.ts';
import { type JfrLimits, damagedJfr } from './jfrLimits.ts';
import type { JfrField, JfrType, JfrValue } from './jfrTypes.ts';

const stringType = 'java.lang.String';
const keptPools = [
  stringType,
  'java.lang.Class',
  'java.lang.Thread',
  'jdk.types.FrameType',
  'jdk.types.Method',
  'jdk.types.StackTrace',
  'jdk.types.Symbol',
  'jdk.types.ThreadState',
] as const;
type PoolName = (typeof keptPools)[number];

/** A frame as recorded: the key of its method, of its frame type, and the line (0: not known). */
export interface RecordedFrame {
  method: JfrKey;
  frameType: JfrKey;
  line: number;
}

/** A method as recorded: `className` with dots, '' where a native frame has none. */
export interface RecordedMethod {
  className: string;
  name: string;
}

/** The constants of one chunk. Only where each lies is kept; it is read when an event needs it, as most constants of a recording are never read. */
export class JfrConstants {
  readonly #positions = new Map<PoolName, Map<JfrKey, number>>(keptPools.map((name) => [name, new Map()]));
  readonly #texts = new Map<string, Map<JfrKey, string>>();

  constructor(
    private readonly cursor: JfrCursor,
    private readonly chunk: JfrChunk,
    private readonly limits: JfrLimits,
  ) {
    this.#index();
  }

  /** The frames of a stack from the leaf to the root; null where there is no such stack. */
  stack(key: JfrKey): RecordedFrame[] | null {
    const type = this.#seek('jdk.types.StackTrace', key);
    if (type === null) return null;
    const frames: RecordedFrame[] = [];
    for (const field of type.fields) {
      if (field.name === 'frames' && field.array && !field.pooled) this.#readFrames(field, frames);
      else this.chunk.types.skipField(this.cursor, field);
    }
    return frames;
  }

  /** A method by its key. */
  method(key: JfrKey): RecordedMethod | null {
    const values = this.#read('jdk.types.Method', key, ['type', 'name']);
    if (values === null) return null;
    const [type, name] = values;
    return { className: this.#className(type ?? null), name: this.#symbol(name ?? null) };
  }

  /** The name of a thread: Java's where it has one, else the system's. */
  thread(key: JfrKey): string | null {
    const values = this.#read('java.lang.Thread', key, ['javaName', 'osName', 'virtual']);
    if (values === null) return null;
    const [javaName, osName, isVirtual] = values.map((value) => (typeof value === 'object' ? this.text(value) : value));
    if (typeof javaName === 'string' && javaName !== '') return javaName;
    // A program may start millions of virtual threads without a name. Nobody distinguishes them.
    if (isVirtual === 1) return '(virtual threads)';
    return typeof osName === 'string' && osName !== '' ? osName : `(thread ${String(key)})`;
  }

  /** The number of a thread in the system; null where it is unknown. */
  threadNumber(key: JfrKey): number | null {
    const [number] = this.#read('java.lang.Thread', key, ['osThreadId']) ?? [];
    const id = typeof number === 'bigint' ? Number(number) : number;
    return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null;
  }

  /** What a frame type is called: Interpreted, JIT compiled, Inlined, Native, C++, Kernel … */
  frameType(key: JfrKey): string {
    return this.#named('jdk.types.FrameType', key, 'description');
  }

  /**
   * Whether native frames name a library where other frames name a class. Async-profiler does so. Its frame types include one for the kernel, which the JDK
   * does not have.
   */
  get nativeFramesNameLibraries(): boolean {
    return [...(this.#positions.get('jdk.types.FrameType')?.keys() ?? [])].some((key) => this.frameType(key) === 'Kernel');
  }

  /** What a thread state is called: STATE_RUNNABLE, STATE_SLEEPING … */
  threadState(key: JfrKey): string {
    return this.#named('jdk.types.ThreadState', key, 'name');
  }

  /** The text of a value, inline or in the pool of strings. */
  text(value: JfrText | null): string | null {
    if (value === null) return null;
    if ('text' in value) return value.text;
    return this.#cached(stringType, value.poolKey, () => {
      const type = this.#seek(stringType, value.poolKey);
      const read = type === null ? null : this.cursor.text(this.limits.nameLength - 1);
      return read !== null && 'text' in read ? (read.text ?? '') : '';
    });
  }

  /** Walks the checkpoints from the last one backwards and notes where each constant lies; of two with one key the later counts. */
  #index(): void {
    const { cursor, chunk } = this;
    let kept = 0;
    for (let at = chunk.constantsAt, before = chunk.end; ;) {
      cursor.seek(at, chunk.end);
      const size = cursor.long();
      // Each must end before the next begins: else a file could have the same bytes read again and again.
      if (!(size > 0 && at + size <= before)) throw damagedJfr('its constants overlap');
      cursor.seek(cursor.position, at + size);
      if (cursor.long() !== 1) throw damagedJfr('its constants are not where they should be');
      cursor.skipCompressed();
      cursor.skipCompressed();
      const delta = cursor.long();
      cursor.skip(1);
      for (let pools = cursor.count(); pools > 0; pools -= 1) {
        const type = chunk.types.get(cursor.long());
        const positions = this.#positions.get(type.name as PoolName);
        for (let left = cursor.count(); left > 0; left -= 1) {
          const key = cursor.key();
          if (positions !== undefined && !positions.has(key)) {
            positions.set(key, cursor.position);
            kept += 1;
            if (kept > this.limits.constants) throw tooLarge(`more than ${this.limits.constants.toLocaleString('en')} constants`);
          }
          chunk.types.skipValue(cursor, type);
        }
      }
      if (delta === 0) return;
      before = at;
      at += delta;
      if (!(at < before && at > chunk.start)) throw damagedJfr('its constants point outside the chunk');
    }
  }

  #readFrames(field: JfrField, frames: RecordedFrame[]): void {
    const { cursor } = this;
    const type = this.chunk.types.get(field.typeId);
    const count = cursor.count();
    if (count > cursor.end - cursor.position) throw damagedJfr('a stack ends after its chunk');
    for (let index = 0; index < count; index += 1) {
      cursor.spend(1 + type.fields.length);
      const frame: RecordedFrame = { method: 0, frameType: 0, line: 0 };
      for (const part of type.fields) {
        if (part.pooled && !part.array && part.name === 'method') frame.method = cursor.key();
        else if (part.pooled && !part.array && part.name === 'type') frame.frameType = cursor.key();
        else if (part.name === 'lineNumber') {
          const line = this.chunk.types.readField(cursor, part, 0);
          frame.line = typeof line === 'number' && line > 0 && line <= 0x7fffffff ? Math.floor(line) : 0;
        } else this.chunk.types.skipField(cursor, part);
      }
      frames.push(frame);
    }
  }

  #className(value: JfrValue): string {
    if (value === null || typeof value === 'object') return '';
    const symbol = this.#read('java.lang.Class', value, ['name'])?.[0] ?? null;
    // By symbol and not by class: however many classes share a name, it is made once.
    if (symbol === null || typeof symbol === 'object') return this.#symbol(symbol).replaceAll('/', '.');
    return this.#cached('class name', symbol, () => this.#symbol(symbol).replaceAll('/', '.'));
  }

  #symbol(value: JfrValue): string {
    if (value === null) return '';
    if (typeof value === 'object') return this.text(value) ?? '';
    return this.#named('jdk.types.Symbol', value, 'string');
  }

  #named(pool: PoolName, key: JfrKey, field: string): string {
    return this.#cached(pool, key, () => {
      const value = this.#read(pool, key, [field])?.[0] ?? null;
      return typeof value === 'object' ? (this.text(value) ?? '') : '';
    });
  }

  #cached(pool: string, key: JfrKey, make: () => string): string {
    const texts = remembered(this.#texts, pool, () => new Map<JfrKey, string>());
    return remembered(texts, key, make);
  }

  #read(pool: PoolName, key: JfrKey, names: readonly string[]): JfrValue[] | null {
    const type = this.#seek(pool, key);
    return type === null ? null : this.chunk.types.readFields(this.cursor, type, names, this.limits.nameLength - 1);
  }

  #seek(pool: PoolName, key: JfrKey): JfrType | null {
    const position = this.#positions.get(pool)?.get(key);
    const type = this.chunk.types.named(pool);
    if (position === undefined || type === undefined) return null;
    this.cursor.seek(position, this.chunk.end);
    return type;
  }
}
