import { expect, test } from 'vitest';
import { askedText, type KnownWork } from './record_basis.ts';

const work = (live: KnownWork['live']): KnownWork =>
  ({ record: { museum: 'met' }, ...(live && { live }) }) as KnownWork;

test.each([
  [undefined, 'was not asked'],
  [{ askedOn: null, retryAfterSeconds: 60, unreached: 'did not respond in time' }, 'did not respond in time'],
  [{ askedOn: null, retryAfterSeconds: 60 }, 'was asked and returned nothing usable'],
])('the request state %o is described accurately', (live, said) => {
  expect(askedText(work(live))).toBe(`The Metropolitan Museum of Art ${said}`);
});
