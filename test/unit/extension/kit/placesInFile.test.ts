import { describe, expect, it } from 'vitest';
import { placeOfVariable, targetPlaces } from '../../../../src/extension/kit/placesInFile.ts';

const text = `// Ours
{
  "targets": [
    { "id": "shop", "env": { "A": "1" /* a */ }, "routes": [] },
    { "id": "bare", "routes": [] },
    { "id": "empty", "env": {}, "routes": [] },
    { "label": "no id" },
  ],
}
`;
const put = (id: string): string | null => {
  const place = placeOfVariable(text, id);
  if (place === null) return null;
  const before = place.empty ? '' : ', ';
  const added = place.inside === 'env' ? '"B": ""' : '"env": { "B": "" }';
  return `${text.slice(0, place.at)}${before}${added}${text.slice(place.at)}`;
};

describe('places in benchside.json', () => {
  it('are known of each target that has an id', () => {
    const places = targetPlaces(text);
    expect(places.map(({ id }) => id)).toEqual(['shop', 'bare', 'empty']);
    expect(places.every(({ at }) => text[at] === '{')).toBe(true);
    expect(targetPlaces('{ "targets": 3 }')).toEqual([]);
  });

  it('for a variable are behind the last one, in an empty environment, or behind the last member', () => {
    expect(put('shop')).toContain('"env": { "A": "1", "B": "" /* a */ }');
    expect(put('empty')).toContain('"env": {"B": ""}');
    expect(put('bare')).toContain('{ "id": "bare", "routes": [], "env": { "B": "" } }');
    expect(put('unknown')).toBeNull();
  });
});
