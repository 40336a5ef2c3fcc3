import { type BinaryLike, createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { headerCarrier, messageCarrier } from './carrier.ts';
import { headerCode, MESSAGE_CLASSES, messageCode } from './coded_mark.ts';
import { PILOT_TONES } from './pilot.ts';

const digest = (...parts: BinaryLike[]) =>
  parts
    .reduce((hash, part) => hash.update(part), createHash('sha256'))
    .digest('hex')
    .slice(0, 16);

/** Any change here makes existing watermarks of version 1 unreadable. */
test('carrier positions and codes of the watermark format are frozen', () => {
  const carriers = [1, 2, 4, 8].map(messageCarrier).concat(headerCarrier());
  const codes = [headerCode(), ...MESSAGE_CLASSES.map(messageCode)];
  expect({
    carriers: digest(...carriers.flatMap(({ placeOf, signs, offsets }) => [placeOf, signs, offsets])),
    codes: digest(...codes.map(({ isInformation }) => isInformation)),
    pilot: digest(JSON.stringify(PILOT_TONES)),
  }).toEqual({ carriers: '8609faae792ae7f8', codes: '1074dc47113efb83', pilot: 'f17ec9884354a0fe' });
});
