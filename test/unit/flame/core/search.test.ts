import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FlameEngine } from '../../../../webview/flame/worker/flameEngine.ts';
import { engineWith, namesOf, observations, pathOfBox, recordingOf, wholeView } from './recordings.ts';

describe('a search', () => {
  it('gives the share of the stacks in which anything matches, and the matches from left to right, then down', () => {
    fc.assert(
      fc.property(observations, fc.constantFrom('o', 'PROTO', 'wait:', '13.ts', 'nothing'), (list, text) => {
        const tree = recordingOf(list);
        const { name, file } = tree.functions;
        const engine = engineWith(tree);
        const layout = engine.layout(wholeView);
        const found = engine.search(text, false);
        const matching = new Set(name.filter((one, func) => `${one}\n${file[func]}`.toLowerCase().includes(text.toLowerCase())));
        const weight = list.reduce((sum, one) => sum + (namesOf(one).some((each) => matching.has(each)) ? one.weightNs : 0), 0);
        expect(found.matchedWeight).toBe(weight);
        expect(found.matchedShare).toBe(weight / layout.total);
        const boxes = Array.from(layout.func.keys()).filter((box) => matching.has(name[layout.func[box] as number] ?? ''));
        const place = (box: number): [number, number] => [layout.x[box] as number, pathOfBox(layout, name, box).length];
        boxes.sort((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1]);
        expect(Array.from(found.order)).toEqual(boxes);
        expect(Array.from(found.matches)).toEqual(Array.from(layout.func.keys(), (box) => (boxes.includes(box) ? 1 : 0)));
      }),
    );
  });

  const engine = engineWith(
    recordingOf([{ frames: [{ func: 0, line: 0 }], role: 'none', thread: 0, state: 0, weightNs: 1 }], () => `${'a'.repeat(60)}!`),
  );

  it('takes regular expressions, and refuses wrong ones', () => {
    engine.layout(wholeView);
    expect(engine.search('^A+!$', true).matchedShare).toBe(1);
    expect(engine.search('^b', true).matchedShare).toBe(0);
    expect(() => engine.search('(', true)).toThrow(SyntaxError);
  });

  it.each(['(a+)+$', '^(\\w|a)+$', '(a|aa)+$', '^(([a-z])+)+$', '(\\w*)*\\1x', '.*.*.*.*.*.*.*.*=;'])(
    'stops %s, which would take minutes',
    (text) => {
      engine.layout(wholeView);
      const begun = performance.now();
      expect(() => engine.search(text, true)).toThrow(/takes too long/);
      expect(performance.now() - begun).toBeLessThan(5000);
    },
  );

  it('is refused before anything is shown', () => {
    expect(() => new FlameEngine().search('a', false)).toThrow(/nothing to search/);
  });
});
