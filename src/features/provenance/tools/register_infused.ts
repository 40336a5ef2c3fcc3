import { createHash } from 'node:crypto';
import { HASH_QUALITY_MIN } from '../../../config/limits.ts';
import type { CallContext } from '../../definitions/tool.ts';
import { REGISTERED_TITLE_CHARACTERS_MAX } from '../../definitions/tool_limits.ts';
import type { Services } from '../../services.ts';
import { isWholeWork } from './match_answer.ts';

interface Infused {
  /** The infused file. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly artist: string;
}

/**
 * Registers the visual descriptor of an infused image, like register_hash. An image that cannot be registered
 * (too little detail, or a known work) is still infused, with a warning. `boundTo` is the registration, or
 * the known work it matches, by which copies are found.
 */
export async function registerInfused(
  { bytes, width, height, title, artist }: Infused,
  { pixels, hashes, provenance }: Pick<Services, 'pixels' | 'hashes' | 'provenance'>,
  call: CallContext,
) {
  const control = { pixels: width * height, ...call };
  const purpose = 'register';
  const { engine: _, ...fingerprint } = await pixels.run('fingerprint', { bytes, purpose }, control);
  const { quality } = fingerprint;
  const pdq = fingerprint.hashes[0]!;
  const looks = { hash: Buffer.from(pdq).toString('hex'), quality };
  const refused = { registered: false, hash_id: null, ...looks };
  if (quality < HASH_QUALITY_MIN) {
    call.warn(
      `The image has too little detail for a perceptual hash (quality ${quality}, minimum ${HASH_QUALITY_MIN}), so its hash was not registered.`,
    );
    return { answer: refused, boundTo: null };
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const earlier = await provenance.priorArt({ bytes, sha256, fingerprint, control });
  const work = earlier.find(isWholeWork);
  if (work) {
    call.warn(`This is a known work (${work.id}), so its hash was not registered again.`);
    return { answer: refused, boundTo: work.id };
  }
  const { registration, isNew } = await hashes.register({
    ...fingerprint,
    pdq,
    sha256,
    title: words(title),
    artist: words(artist),
    provenanceUri: '',
    wallet: call.wallet,
    hold: call.hold,
  });
  const first = earlier.find(({ id }) => id !== registration.id);
  if (isNew && first) {
    call.warn(
      `An image that looks the same was registered earlier (${first.id}). Yours is registered as a later one.`,
    );
  }
  const answer = { registered: true, hash_id: registration.id, ...looks };
  return { answer, boundTo: registration.id };
}

/** Reduces text to one line of the maximum length of a registration. */
const words = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, REGISTERED_TITLE_CHARACTERS_MAX)
    .toWellFormed();
