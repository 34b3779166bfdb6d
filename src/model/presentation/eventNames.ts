import type { RecordedEvent } from '../domain/recording.ts';

const eventNames: Record<RecordedEvent, string> = {
  cpu: 'CPU',
  wall: 'wall',
  poolWait: 'pool wait',
  database: 'database',
  alloc: 'allocations',
  lock: 'locks',
  heap: 'heap',
};

/** An event by the name people use; names of other tools as they are. */
export function eventName(name: string): string {
  return Object.hasOwn(eventNames, name) ? eventNames[name as RecordedEvent] : name;
}
