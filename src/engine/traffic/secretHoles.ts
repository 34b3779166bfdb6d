import { remembered } from '../../model/domain/remembered.ts';
import type { Traffic } from '../../model/domain/traffic.ts';
import { redactText, secretName } from '../files/redact.ts';
import { freeName } from '../files/freeName.ts';

/** A secret that was sent, as the variable from which it is read when the load is put on. */
type SecretVariable = Traffic['secrets'][number];

/** Puts variables in the place of secrets: what is stored names them, and holds none. */
export class SecretHoles {
  readonly #byValue = new Map<string, SecretVariable>();
  readonly #names = new Set<string>();

  get variables(): readonly SecretVariable[] {
    return [...this.#byValue.values()];
  }

  /** Whether a value is a secret by the name of its field, or by its form. */
  isSecret(field: string, value: string): boolean {
    // A variable already: what a collection or a file leaves open.
    if (/^(?:\w+ )?\$\{env:\w+\}$/.test(value)) return false;
    return value !== '' && (secretName.test(field) || redactText(value) !== value);
  }

  /** The variable for a value, as a load profile has it: `${env:TRAFFIC_PASSWORD}`. */
  hole(field: string, value: string, route: string): string {
    const { name } = remembered(this.#byValue, value, () => ({ name: this.#nameFor(field), field, route }));
    return `\${env:${name}}`;
  }

  #nameFor(field: string): string {
    const plain = field
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/\W+/g, '_')
      .replace(/^_+|_+$/g, '')
      .toUpperCase()
      .slice(0, 40);
    const word = plain === '' ? 'SECRET' : plain;
    // What is secret is known by how its name ends.
    return freeName(`TRAFFIC_${word}`, (number) => `TRAFFIC_${number}_${word}`, this.#names);
  }
}
