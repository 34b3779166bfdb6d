import { catalogSchema, type Catalog, type ServiceState, type TargetState } from '../../../src/model/protocol/protocol.ts';

/** A target as the engine lists it, with what a test changes. */
export function target(changes: Partial<TargetState> = {}): TargetState {
  return {
    id: 'node',
    label: 'Node sample',
    description: 'node:http and a pg pool',
    runtime: 'node',
    origin: 'sample',
    state: 'stopped',
    port: null,
    pid: null,
    settings: { pool: { kind: 'number', label: 'Pool size', default: 8, min: 1, max: 64, env: 'POOL' } },
    routes: [],
    problem: null,
    ...changes,
  };
}

export function service(changes: Partial<ServiceState> = {}): ServiceState {
  return {
    id: 'postgres',
    label: 'PostgreSQL',
    state: 'stopped',
    port: null,
    pid: null,
    external: false,
    version: null,
    problem: null,
    ...changes,
  };
}

/** A catalog with these targets and two bundled load profiles; checked against the contract. */
export function catalog(targets: TargetState[]): Catalog {
  return catalogSchema.parse({
    targets,
    services: [service()],
    loadProfiles: [
      { name: 'smoke', description: 'A quick look', connections: 4, origin: 'bundled' },
      { name: 'steady', description: 'One level of load', connections: 16, durationS: 4, rounds: 3, origin: 'bundled' },
    ],
    problems: [],
  });
}

export const noJava = { code: 'java-missing' as const, message: 'No Java was found.', cure: 'Install a JDK 17 or later.' };
