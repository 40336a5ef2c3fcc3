import { expect, test } from 'vitest';
import { AtelierError, type ErrorCode } from '../errors.ts';
import type { Refusal } from '../services/audit/index.ts';
import { audited } from './audited.ts';

const caller = { requestId: 'r', address: '192.0.2.1', signal: new AbortController().signal };
async function toldOf(code: ErrorCode): Promise<Refusal[]> {
  const told: Refusal[] = [];
  const audit = { refused: (refusal: Refusal) => void told.push(refusal) };
  const refused = async () => Promise.reject(new AtelierError(code, 'No place.'));
  await audited(audit, { about: 'resize_image', caller, raw: {} }, refused).catch(() => {});
  return told;
}

test.each(['busy', 'too_many_jobs'] as const)('who is refused as %s is named', async (code) => {
  expect(await toldOf(code)).toMatchObject([
    { code, about: 'resize_image', address: '192.0.2.1', detail: 'No place.' },
  ]);
});

test.each(['image_too_large', 'timed_out'] as const)('%s tells nothing about shares', async (code) => {
  expect(await toldOf(code)).toEqual([]);
});
