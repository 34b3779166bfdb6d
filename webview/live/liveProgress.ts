import { liveEndText } from '../../src/model/domain/progress/liveEndKinds.ts';
import { stepText } from '../../src/model/domain/progress/stepKinds.ts';
import type { Failure } from '../../src/model/domain/failure.ts';
import type { LiveChange, LiveControl, LiveEvent, LiveSample, LiveSegment } from '../../src/model/protocol/live.ts';
import type { RunNote } from '../../src/model/domain/runNoteKinds.ts';

/** How much of the past the charts show, in ms. */
export const sessionWindowMs = 60_000;
/** A sample this much older than the window still begins the line at its left edge. */
const lineStartMs = 3_000;
/** More segments or changes than this are not kept: a slider can be moved for hours. */
const mostKept = 500;

/** Load that runs while settings are moved: what is known of it, or of the one that has just ended. */
export interface LiveProgress {
  phase: 'starting' | 'running' | 'ended';
  target: string;
  targetLabel: string;
  /** What is being done while it starts. */
  message: string;
  controls: LiveControl[];
  connections: number;
  routes: string[];
  notes: RunNote[];
  /** The last minute, oldest first. */
  samples: LiveSample[];
  /** Every change, oldest first. */
  changes: LiveChange[];
  /** Every stretch between two changes, oldest first. */
  segments: LiveSegment[];
  ended: { reason: string; failure: Failure | null; runId: string | null } | null;
}

export function reduceLiveEvent(session: LiveProgress | null, event: LiveEvent): LiveProgress | null {
  if (event.type === 'starting') return { ...blank(event.target, event.targetLabel), message: stepText(event.doing) };
  if (event.type === 'running') {
    const { target, targetLabel, controls, connections, routes, notes } = event;
    return { ...blank(target, targetLabel), phase: 'running', controls, connections, routes, notes };
  }
  if (event.type === 'ended') {
    const { reason, failure, runId } = event;
    return { ...(session ?? blank('', '')), phase: 'ended', ended: { reason: liveEndText(reason), failure, runId } };
  }
  if (!session) return session;
  switch (event.type) {
    case 'sample': {
      const from = event.sample.timeMs - sessionWindowMs - lineStartMs;
      return { ...session, samples: [...session.samples.filter((sample) => sample.timeMs >= from), event.sample] };
    }
    case 'change': {
      const { change } = event;
      return {
        ...session,
        changes: [...session.changes, change].slice(-mostKept),
        controls: session.controls.map((control) => (control.setting === change.setting ? moved(control, change) : control)),
      };
    }
    case 'segment':
      return { ...session, segments: [...session.segments, event.segment].slice(-mostKept) };
  }
}

/** Whether load is on, or about to be. */
export function isLive(session: LiveProgress | null): session is LiveProgress {
  return session !== null && session.phase !== 'ended';
}

/** The latest time that is known of the session, in ms on its own axis. */
export function sessionTimeMs(session: LiveProgress): number {
  return Math.max(0, session.samples.at(-1)?.timeMs ?? 0, session.changes.at(-1)?.timeMs ?? 0);
}

function moved(control: LiveControl, change: LiveChange): LiveControl {
  const value = change.ok ? change.to : change.from;
  return typeof value === 'number' ? { ...control, value } : control;
}

function blank(target: string, targetLabel: string): LiveProgress {
  return {
    phase: 'starting',
    target,
    targetLabel,
    message: '',
    controls: [],
    connections: 0,
    routes: [],
    notes: [],
    samples: [],
    changes: [],
    segments: [],
    ended: null,
  };
}
