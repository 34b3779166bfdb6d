import { readProfile } from '../../../../src/engine/calltree/openProfile.ts';
import { prepareProfile } from '../../../../src/engine/profiles/profileParts.ts';
import type { CallTree } from '../../../../src/model/domain/callTree.ts';
import { type FlameSide, type FromFlame, type ProfileHead, type ToFlame, pieceBytes } from '../../../../src/model/domain/flame.ts';
import { FlameEngine } from '../../../../webview/flame/worker/flameEngine.ts';
import type { FlameModel } from '../../../../webview/flame/core/flameModel.ts';
import type { FlameChannel } from '../../../../webview/flame/app/flameChannel.ts';
import { headOf } from '../../../support/profileHead.ts';

/** A recording read from collapsed stacks, with its weights as time. */
export function treeOf(lines: readonly string[]): CallTree {
  const tree = readProfile(new TextEncoder().encode(lines.join('\n')));
  const [event] = tree.events;
  if (event === undefined) throw new Error('The stacks weigh nothing.');
  tree.events[0] = { ...event, name: 'cpu', unit: 'ns' };
  return tree;
}

/** The worker's engine without a worker: every answer comes a turn later, as from one. */
export function modelInPage(): FlameModel {
  const engine = new FlameEngine();
  const later = async <T>(answer: () => T): Promise<T> => {
    await Promise.resolve();
    return answer();
  };
  return {
    openSkeleton: (side, packed) => later(() => engine.openSkeleton(side, packed)),
    openTree: (side, packed) => later(() => engine.openTree(side, packed)),
    openSamples: (side, packed) => later(() => engine.openSamples(side, packed)),
    setRequests: (side, requests) => engine.setRequests(side, requests),
    close: (side) => engine.close(side),
    layout: (spec) => later(() => engine.layout(spec)),
    sandwich: (spec, sandwich) => later(() => engine.sandwich(spec, sandwich)),
    search: (text, regex) => later(() => engine.search(text, regex)),
    table: (spec) => later(() => engine.table(spec)),
    threadStrip: (spec, buckets) => later(() => engine.threadStrip(spec, buckets)),
    sentence: (spec, samples) => later(() => engine.sentence(spec, samples)),
    dispose: () => undefined,
  };
}

export interface Host {
  channel: FlameChannel;
  sent: FromFlame[];
  state: unknown;
  /** Pieces are not answered before this is false. */
  held: boolean;
  tell(message: ToFlame): void;
  /** Answers the pieces that were asked for while `held`. */
  release(): void;
  /** Answers the first of them. */
  releaseOne(): void;
}

/** An extension that has these recordings and answers what it is asked at once. */
export function hostOf(trees: Partial<Record<FlameSide, CallTree>>, more: Partial<ProfileHead> = {}, state?: unknown): Host {
  const parts = Object.fromEntries(Object.entries(trees).map(([side, tree]) => [side, prepareProfile(tree)]));
  let callback: (message: ToFlame) => void = () => undefined;
  const waiting: Extract<FromFlame, { type: 'readPiece' }>[] = [];
  const open = (side: FlameSide): void => {
    const [tree, part] = [trees[side], parts[side]];
    if (tree === undefined || part === undefined) return;
    const head = headOf(`profile ${side}`, tree, part, { title: `recording ${side}`, format: 'collapsed stacks', ...more });
    callback({ type: 'open', side, head });
  };
  const answer = ({ side, profileId, part, event, index }: Extract<FromFlame, { type: 'readPiece' }>): void => {
    const own = parts[side];
    const bytes =
      (part === 'tree' ? own?.packedTree() : part === 'samples' ? own?.packedSamples() : own?.skeleton(event ?? '')) ?? new Uint8Array();
    const data = bytes.slice(index * pieceBytes, (index + 1) * pieceBytes);
    callback({ type: 'piece', side, profileId, part, event, index, last: (index + 1) * pieceBytes >= bytes.length, data });
  };
  const host: Host = {
    sent: [],
    state,
    held: false,
    tell: (message) => callback(message),
    releaseOne: () => {
      const piece = waiting.shift();
      if (piece !== undefined) answer(piece);
    },
    release: () => {
      host.held = false;
      for (const piece of waiting.splice(0)) answer(piece);
    },
    channel: {
      hosted: true,
      kept: () => host.state,
      keep: (kept) => (host.state = JSON.parse(JSON.stringify(kept))),
      listen: (given) => {
        callback = given;
        return () => undefined;
      },
      post: (message) => {
        host.sent.push(message);
        if (message.type === 'ready' || message.type === 'retry') open('a');
        else if (message.type === 'compare') open('b');
        else if (message.type === 'readPiece') {
          if (host.held) waiting.push(message);
          else answer(message);
        }
      },
    },
  };
  return host;
}
