import { describe, expect, it } from 'vitest';
import { doctorText } from '../../../src/model/presentation/doctorWords.ts';

describe('what Clinic’s doctor says', () => {
  it.each([
    ['event-loop', /^The event loop was blocked/],
    ['io', /^The process was idle/],
    ['gc', /^Memory went up and down/],
    ['none', 'Nothing conspicuous.'],
    ['data', /^There were too few samples/],
    ['unknown', /^Several things/],
    ['__proto__', /^Several things/],
  ])('of %s is a sentence', (category, text) => {
    expect(doctorText({ category })).toMatch(text);
  });
});
