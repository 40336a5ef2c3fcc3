import { expect, test } from 'vitest';
import { sharedPictures } from '../../../../tests/support/shared_pictures.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { EngineError } from '../errors/engine_error.ts';
import { fingerprintOf } from './fingerprint.ts';

test('third-party hostile files are fingerprinted or rejected', needs('../shared'), async () => {
  for (const { name, bytes } of sharedPictures().filter((_, at) => at % 12 === 0)) {
    const answer = await fingerprintOf({ bytes, purpose: 'verify' }).catch((error: unknown) => error);
    if (answer instanceof Error) expect([name, answer]).toEqual([name, expect.any(EngineError)]);
    else expect(answer).toMatchObject({ hashes: { length: 8 } });
  }
});
