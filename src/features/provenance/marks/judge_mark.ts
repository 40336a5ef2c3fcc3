import { judgeLikeness, type LikenessJudgement } from '@atelier/imaging/watermark/likeness.ts';
import { markInWords } from './mark_in_words.ts';
import { digestLikeness, openBinding, sha256 } from './signed_binding.ts';
import type { Binding } from './store.ts';
import type { MarkJudgement, MarkReading } from './types.ts';

/** Share of what is seen that must look as it was marked: a logo or a caption leaves that much. */
const BOUND_SHARE_MIN = 0.85;
/** Less of it is chance, or a likeness of the subject. */
const PART_SHARE_MIN = 0.25;
/** In blocks that differ clearly from their neighbours; a picture has about two thousand. */
const EVIDENCE_MIN = 60;

interface Kept {
  /** What is registered by the id; absent where nothing is. */
  readonly payload: Uint8Array | undefined;
  readonly bindings: readonly Binding[];
  /** Thumbprints of the keys that ever signed here. */
  readonly known: readonly string[];
}

/** Compares a mark, and the picture it was read from, with what was signed when it was made. */
export async function judgeMark(reading: MarkReading, kept: Kept): Promise<MarkJudgement> {
  const judged = await judge(reading, kept);
  return { ...judged, sentence: markInWords(judged) };
}

async function judge(
  reading: MarkReading,
  { payload, bindings, known }: Kept,
): Promise<Omit<MarkJudgement, 'sentence'>> {
  const held = bindings.flatMap((binding) => {
    const claims = openBinding(binding.jws, known);
    const holds = claims?.jti === reading.id && claims?.likeness_sha256 === digestLikeness(binding.likeness);
    return claims && holds ? [{ binding, claims }] : [];
  });
  if (!payload || held.length === 0 || !reading.seen) return { standing: 'plain', isExact: false };
  const { seen } = reading;
  const judged = held.map((each) => ({ ...each, ...judgeLikeness(each.binding.likeness, seen) }));
  const best = judged.reduce((one, other) => (other.share > one.share ? other : one));
  const { claims, binding, share } = best;
  const said = {
    ...(claims.sub !== undefined && { signer: claims.sub }),
    signedAt: new Date(claims.iat * 1000),
    jws: binding.jws,
  };
  const isOtherPayload = reading.payload !== undefined && sha256(reading.payload) !== claims.payload_sha256;
  if (isOtherPayload) return { ...said, standing: 'other_payload', isExact: false };
  const standing = standingOf(best);
  const isExact = standing === 'bound' && (await reading.pixelsSha256()) === claims.pixels_sha256;
  return { ...said, standing, share, isExact };
}

function standingOf({ share, evidence }: LikenessJudgement): MarkJudgement['standing'] {
  if (evidence < EVIDENCE_MIN) return 'unclear';
  if (share >= BOUND_SHARE_MIN) return 'bound';
  return share >= PART_SHARE_MIN ? 'part' : 'moved';
}
