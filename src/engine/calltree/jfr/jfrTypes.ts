import type { JfrCursor, JfrKey, JfrText } from './jfrCursor.ts';
import { tooLarge } from '../../../calltree/treeLimits.ts';
import { damagedJfr } from './jfrLimits.ts';

const maxMetadataEntries = 500_000;
const maxElementDepth = 64;
const maxTypeDepth = 32;

/** How a value lies in the file. `compressed` covers char, short, int and long. */
type Form = 'byte' | 'compressed' | 'float' | 'double' | 'text' | 'fields';

export interface JfrField {
  name: string;
  typeId: number;
  /** The value is a key of the pool of its type. */
  pooled: boolean;
  array: boolean;
}

export interface JfrType {
  id: number;
  name: string;
  form: Form;
  fields: JfrField[];
}

/** A value of an event or a constant: a number, a key, a text, or null where the type has no such field (or it is a structure). */
export type JfrValue = JfrKey | JfrText | null;

const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['boolean', 'byte'],
  ['byte', 'byte'],
  ['char', 'compressed'],
  ['short', 'compressed'],
  ['int', 'compressed'],
  ['long', 'compressed'],
  ['float', 'float'],
  ['double', 'double'],
  ['java.lang.String', 'text'],
]);

/** Bytes of a value, of those forms that have always as many. */
const fixedBytes: Readonly<Partial<Record<Form, number>>> = { byte: 1, float: 4, double: 8 };

/** The types of one chunk, by which everything else in it is read. */
export class JfrTypes {
  readonly #byId = new Map<number, JfrType>();
  readonly #byName = new Map<string, JfrType>();

  add(type: JfrType): void {
    this.#byId.set(type.id, type);
    this.#byName.set(type.name, type);
  }

  get(id: number): JfrType {
    const type = this.#byId.get(id);
    if (type === undefined) throw damagedJfr('a value has a type that is not described');
    return type;
  }

  named(name: string): JfrType | undefined {
    return this.#byName.get(name);
  }

  /** Skips one value of a type. */
  skipValue(cursor: JfrCursor, type: JfrType, depth = 0): void {
    cursor.spend();
    const bytes = fixedBytes[type.form];
    if (bytes !== undefined) cursor.skip(bytes);
    else if (type.form === 'compressed') cursor.skipCompressed();
    else if (type.form === 'text') cursor.skipText();
    else {
      if (depth > maxTypeDepth) throw damagedJfr('its types contain each other');
      for (const field of type.fields) this.skipField(cursor, field, depth + 1);
    }
  }

  /** Skips one field, whatever it holds. */
  skipField(cursor: JfrCursor, field: JfrField, depth = 0): void {
    const count = field.array ? cursor.count() : 1;
    if (field.pooled) {
      for (let index = 0; index < count; index += 1) cursor.skipCompressed();
      return;
    }
    const type = this.get(field.typeId);
    if (field.array && type.form === 'byte') cursor.skip(count);
    else for (let index = 0; index < count; index += 1) this.skipValue(cursor, type, depth);
  }

  /** Reads one field as a value; arrays and structures are skipped and give null. */
  readField(cursor: JfrCursor, field: JfrField, maxTextLength: number): JfrValue {
    if (!field.array) {
      if (field.pooled) return cursor.key();
      switch (this.get(field.typeId).form) {
        case 'byte':
          return cursor.byte();
        case 'compressed':
          return cursor.key();
        case 'float':
          return cursor.float();
        case 'double':
          return cursor.double();
        case 'text':
          return cursor.text(maxTextLength);
        case 'fields':
      }
    }
    this.skipField(cursor, field);
    return null;
  }

  /** Reads the fields called `names` of a value of a type, in the order of `names`, and skips the others. */
  readFields(cursor: JfrCursor, type: JfrType, names: readonly string[], maxTextLength: number): JfrValue[] {
    cursor.spend(type.fields.length);
    const values: JfrValue[] = names.map(() => null);
    let left = names.filter((name) => type.fields.some((field) => field.name === name)).length;
    for (const field of type.fields) {
      if (left === 0) break;
      const slot = names.indexOf(field.name);
      if (slot < 0) this.skipField(cursor, field);
      else {
        values[slot] = this.readField(cursor, field, maxTextLength);
        left -= 1;
      }
    }
    return values;
  }
}

/** Reads the metadata event at the cursor: a table of texts, then a tree of elements (classes, their fields, annotations). */
export function readJfrTypes(cursor: JfrCursor): JfrTypes {
  const start = cursor.position;
  const size = cursor.long();
  cursor.seek(cursor.position, Math.min(cursor.end, start + Math.max(0, size)));
  if (cursor.long() !== 0) throw damagedJfr('it has no description of its types');
  for (let skipped = 0; skipped < 3; skipped += 1) cursor.skipCompressed();
  const stringCount = cursor.count();
  if (stringCount > maxMetadataEntries) throw tooLarge('a description of its types out of all proportion');
  const strings: string[] = [];
  for (let index = 0; index < stringCount; index += 1) {
    const read = cursor.text(4096);
    strings.push('text' in read ? (read.text ?? '') : '');
  }
  const string = (): string => {
    const text = strings[cursor.long()];
    if (text === undefined) throw damagedJfr('the description of its types is incomplete');
    return text;
  };

  const types = new JfrTypes();
  const open: { type: JfrType | null; childrenLeft: number }[] = [{ type: null, childrenLeft: 1 }];
  let entries = 0;
  for (let parent = open.at(-1); parent !== undefined; parent = open.at(-1)) {
    if (parent.childrenLeft === 0) {
      open.pop();
      continue;
    }
    parent.childrenLeft -= 1;
    entries += 1;
    if (entries > maxMetadataEntries || open.length > maxElementDepth) throw damagedJfr('the description of its types has no end');
    const element = string();
    const attributes = new Map<string, string>();
    for (let left = cursor.count(); left > 0; left -= 1) {
      const name = string();
      attributes.set(name, string());
    }
    let type = parent.type;
    if (element === 'class') {
      const name = attributes.get('name') ?? '';
      type = { id: Number(attributes.get('id')), name, form: forms.get(name) ?? 'fields', fields: [] };
      types.add(type);
    } else if (element === 'field' && type !== null) {
      type.fields.push({
        name: attributes.get('name') ?? '',
        typeId: Number(attributes.get('class')),
        pooled: attributes.get('constantPool') === 'true',
        array: Number(attributes.get('dimension') ?? 0) > 0,
      });
    }
    open.push({ type, childrenLeft: cursor.count() });
  }
  return types;
}
