import { createHash } from 'node:crypto';
import { checkJws } from '@atelier/imaging/provenance/soulmark/check_signature.ts';
import { judgeLikeness, type Likeness, type LikenessJudgement } from '@atelier/imaging/watermark/likeness.ts';
import type { Database } from '../../../core/database/types.ts';
import type { Signer } from '../../../core/keys/signer.ts';
import type { Receipts } from '../../billing/receipts/types.ts';
import { ANONYMOUS_MARK_LIFETIME_MS } from '../limits.ts';
import type { Binding } from './store.ts';
import * as store from './store.ts';
import type { MarkJudgement, MarkReading, Marks, NewBinding } from './types.ts';

const TYPE = 'mark+jwt';

/** JWS claims of a binding, besides the measurements made at embedding. */
interface BindingClaims {
  readonly iss: string;
  /** Unix seconds. */
  readonly iat: number;
  /** Registry id of the watermark. */
  readonly jti: string;
  /** The verified wallet that signs. */
  readonly sub?: string;
  readonly payload_sha256: string;
  readonly pixels_sha256: string;
  readonly likeness_sha256: string;
}

interface Statement {
  readonly id: string;
  readonly binding: NewBinding;
  readonly publicUrl: string;
  readonly at: Date;
}

/** @returns compact JWS, with the public key in its header */
function signBinding(signer: Signer, { id, binding, publicUrl, at }: Statement): string {
  const claims: BindingClaims = {
    iss: publicUrl,
    iat: Math.floor(at.getTime() / 1000),
    jti: id,
    ...(binding.signer !== undefined && { sub: binding.signer }),
    payload_sha256: sha256(binding.payload),
    pixels_sha256: binding.pixelsSha256,
    likeness_sha256: digestLikeness(binding.likeness),
  };
  const { x } = signer.publicKey;
  return signer.sign(
    TYPE,
    { ...claims, measured: binding.measured },
    { jwk: { kty: 'OKP', crv: 'Ed25519', x } },
  );
}

/** Claims of a statement signed with one of the known keys; undefined if invalid. */
function openBinding(jws: string, known: readonly string[]): BindingClaims | undefined {
  const checked = checkJws(jws, TYPE);
  return checked && known.includes(checked.kid) ? (checked.claims as BindingClaims) : undefined;
}

const sha256 = (of: string | Uint8Array): string => createHash('sha256').update(of).digest('hex');

/** sha256 of "<columns>x<rows>", a line feed, and both rows of bits. */
const digestLikeness = ({ columns, rows, brighter, clear }: Likeness): string =>
  createHash('sha256').update(`${columns}x${rows}\n`).update(brighter).update(clear).digest('hex');

/** Minimum share of unchanged visible area for `bound`; leaves room for a logo or a caption. */
const BOUND_SHARE_MIN = 0.85;
/** Minimum share for `part`; less is chance or a similar subject. */
const PART_SHARE_MIN = 0.25;
/** Number of blocks that differ clearly from their neighbours; an image has about 2,000. */
const EVIDENCE_MIN = 60;

interface Kept {
  /** Payload registered under the id; absent without one. */
  readonly payload: Uint8Array | undefined;
  readonly bindings: readonly Binding[];
  /** Thumbprints of all keys that have signed on this server. */
  readonly known: readonly string[];
}

/** Compares a watermark and the image it was read from with the signed binding. */
async function judgeMark(reading: MarkReading, kept: Kept): Promise<MarkJudgement> {
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

/** Describes who made a watermark, and for which image, as a sentence for people. */
function markInWords({
  standing,
  signer,
  signedAt,
  share = 0,
  isExact,
}: Omit<MarkJudgement, 'sentence'>): string {
  const by =
    signer === undefined
      ? 'Watermarked on this server by an unnamed client'
      : `Watermark signed by ${signer}`;
  const on = signedAt === undefined ? '' : ` on ${signedAt.toISOString().slice(0, 10)}`;
  const percent = Math.round(100 * share);
  switch (standing) {
    case 'bound':
      return `${by}${on}, for this image${isExact ? ', which is unchanged in every pixel' : ''}.`;
    case 'part':
      return `${by}${on}. ${percent} % of this image matches the watermarked one: a part was changed, or it was combined with other content.`;
    case 'moved':
      return `Copied from another image: this watermark was made${on} for a different image and is no evidence about this one.`;
    case 'other_payload':
      return 'The id of this watermark belongs to another text: it was copied and is no evidence about this image.';
    case 'unclear':
      return `${by}${on}. This image has too little detail to tell whether the watermark was made for it.`;
    case 'plain':
      return 'Plain watermark: this server has no record that links it to an image or wallet. Anyone could have embedded this text.';
  }
}

interface MarksDeps {
  readonly database: Database;
  readonly signer: Signer;
  readonly receipts: Pick<Receipts, 'keys'>;
  readonly publicUrl: string;
}

/** `now` and `idOf` are set only by tests. */
export function createMarks(
  { database, signer, receipts, publicUrl }: MarksDeps,
  { now = () => new Date(), idOf = digestId } = {},
): Marks {
  return {
    async register(payload, wallet, picture) {
      const bytes = Buffer.from(payload);
      for (let attempt = 0; ; attempt++) {
        const id = idOf(bytes, { wallet, attempt, picture });
        await store.insertMark(database, { id, payload: bytes, wallet: wallet ?? null, createdAt: now() });
        const kept = await store.findMark(database, id);
        if (kept && bytes.equals(kept.payload) && kept.wallet === (wallet ?? null)) return id;
      }
    },
    async bind(id, binding) {
      const jws = signBinding(signer, { id, binding, publicUrl, at: now() });
      return store.insertBinding(database, id, { ...binding, jws, createdAt: now() });
    },
    async judge(reading) {
      const { id } = reading;
      const mark = id === undefined ? undefined : await store.findMark(database, id);
      const bindings = id === undefined ? [] : await store.selectBindings(database, id);
      const known = bindings.length > 0 ? (await receipts.keys()).map(({ kid }) => kid) : [];
      return judgeMark(reading, { payload: mark?.payload, bindings, known });
    },
    until: (wallet) =>
      wallet === undefined ? new Date(now().getTime() + ANONYMOUS_MARK_LIFETIME_MS) : undefined,
    sweep: (at) => store.deleteAnonymousMarks(database, new Date(at.getTime() - ANONYMOUS_MARK_LIFETIME_MS)),
    async find(id) {
      const kept = await store.findMark(database, id);
      return (
        kept && {
          id,
          payload: Buffer.from(kept.payload).toString(),
          ...(kept.wallet !== null && { wallet: kept.wallet }),
          createdAt: kept.createdAt,
        }
      );
    },
  };
}

interface DigestIdOptions {
  readonly wallet: string | undefined;
  /** More than one attempt is only needed if two payloads collide on one of the 2^48 ids. */
  readonly attempt: number;
  readonly picture: string | undefined;
}

function digestId(payload: Uint8Array, { wallet, attempt, picture }: DigestIdOptions): string {
  return createHash('sha256')
    .update(`watermark ${wallet ?? ''} ${attempt}${picture === undefined ? '' : ` ${picture}`}\0`)
    .update(payload)
    .digest('hex')
    .slice(0, 12);
}
