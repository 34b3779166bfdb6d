import { remembered } from '../../../model/domain/remembered.ts';
import { type JfrChunk, eventsOf, readJfrChunks } from './jfrChunk.ts';
import { JfrCursor } from './jfrCursor.ts';
import type { JfrField, JfrType } from './jfrTypes.ts';

/** Texts of events that are the recorder's own words; every other text of an event may be anything that the app was given or said. */
const keptTexts: readonly { event: RegExp; fields: readonly string[] }[] = [
  { event: /^jdk\.ActiveSetting$/, fields: ['name', 'value'] },
  { event: /^jdk\.JVMInformation$/, fields: ['jvmName', 'jvmVersion'] },
  { event: /^jdk\.(?:OS|CPU)Information$/, fields: ['osVersion', 'cpu', 'description'] },
  { event: /^jdk\.GCPhase/, fields: ['name'] },
];

const filler = 0x2a;

/**
 * Removes from a Flight Recorder file what could be a secret: environment, system properties, command lines, messages of exceptions, and any other text in its
 * events or in the pool of their texts. Names of classes, methods and threads stay, and so do all figures. Each text is overwritten in place, character by
 * character, so that nothing in the file moves.
 *
 * @throws FailureError as {@link readJfrChunks} does: a file that cannot be read cannot be vouched for.
 */
export function scrubJfr(bytes: Uint8Array): void {
  const cursor = new JfrCursor(bytes);
  for (const chunk of readJfrChunks(cursor)) new ChunkScrubber(cursor, chunk).scrub();
}

class ChunkScrubber {
  readonly #kept = new Map<number, readonly string[]>();
  /** By type: whether a value of it holds text outside of the pools. */
  readonly #textual = new Map<JfrType, boolean>();

  constructor(
    private readonly cursor: JfrCursor,
    private readonly chunk: JfrChunk,
  ) {}

  scrub(): void {
    const { cursor, chunk } = this;
    for (const event of eventsOf(cursor, chunk, { constants: true })) {
      cursor.seek(event.position, event.end);
      if (event.typeId === constantsType) {
        this.#scrubConstants();
        continue;
      }
      const type = chunk.types.get(event.typeId);
      if (this.#hasText(type)) this.#scrubFields(type, this.#keptOf(type));
    }
  }

  /** The pool of texts that several events have in common; the other pools hold names of code. */
  #scrubConstants(): void {
    const { cursor, chunk } = this;
    for (let skipped = 0; skipped < 3; skipped += 1) cursor.skipCompressed();
    cursor.skip(1);
    for (let pools = cursor.count(); pools > 0; pools -= 1) {
      const type = chunk.types.get(cursor.long());
      for (let left = cursor.count(); left > 0; left -= 1) {
        cursor.skipCompressed();
        if (type.form === 'text') cursor.overwriteText(filler);
        else chunk.types.skipValue(cursor, type);
      }
    }
  }

  #scrubFields(type: JfrType, kept: readonly string[]): void {
    this.cursor.spend(type.fields.length);
    for (const field of type.fields) {
      const own = this.chunk.types.get(field.typeId);
      if (field.pooled || kept.includes(field.name) || !this.#fieldHasText(field)) this.chunk.types.skipField(this.cursor, field);
      else {
        for (let left = field.array ? this.cursor.count() : 1; left > 0; left -= 1) {
          if (own.form === 'text') this.cursor.overwriteText(filler);
          else this.#scrubFields(own, []);
        }
      }
    }
  }

  #fieldHasText(field: JfrField): boolean {
    return !field.pooled && this.#hasText(this.chunk.types.get(field.typeId));
  }

  #hasText(type: JfrType): boolean {
    const known = this.#textual.get(type);
    if (known !== undefined) return known;
    // Set first: types that contain each other must not keep this busy; skipping one of their values fails anyway.
    this.#textual.set(type, type.form === 'text');
    const found = type.form === 'text' || (type.form === 'fields' && type.fields.some((field) => this.#fieldHasText(field)));
    this.#textual.set(type, found);
    return found;
  }

  #keptOf({ id, name }: JfrType): readonly string[] {
    return remembered(this.#kept, id, () => keptTexts.find(({ event }) => event.test(name))?.fields ?? []);
  }
}

/** The type of the event that holds constants. */
const constantsType = 1;
