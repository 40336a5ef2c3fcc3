import type { MetadataFields } from '@atelier/imaging/metadata/fields.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { SoulmarkReading, Soulmarks } from '../soulmarks/soulmarks.ts';
import type { Match, Testimony, Witness } from '../types.ts';
import { dayOf, nameOf, quoteUntrusted } from '../wording.ts';

interface MetadataWitnessDeps {
  readonly pixels: Pick<Pixels, 'run'>;
  readonly soulmarks: Pick<Soulmarks, 'read'>;
}

type Said = Omit<Testimony, 'witness'>;

/** Evidence from the metadata, and whether a soulmark confirms it. */
export function createMetadataWitness({ pixels, soulmarks }: MetadataWitnessDeps): Witness {
  return {
    name: 'metadata',
    async look(picture) {
      const { control } = picture;
      const [soulmark, claims] = await Promise.all([
        soulmarks.read(picture.bytes, control),
        pixels.run('read_metadata', { bytes: picture.bytes }, control),
      ]);
      return {
        matches: [],
        read: { soulmark, claims },
        judge: (best) => (soulmark && soulmarkSays(soulmark)) ?? fieldsSay(claims.fields, best),
      };
    },
  };
}

/** Empty without a valid signature: the fields are then ordinary text. */
function soulmarkSays({ signer, codexIs, pixelsAre, isOurs, revoked }: SoulmarkReading): Said | undefined {
  if (!signer) return undefined;
  const signed = `a soulmark signed on ${dayOf(new Date(signer.signedAtUnixS * 1000))}`;
  if (revoked) {
    return {
      finding: 'absent',
      sentence: `It has ${signed} with a key of this service that was revoked on ${dayOf(revoked.at)}. Others may have used the key, so it is no evidence.`,
    };
  }
  if (pixelsAre === 'changed') {
    return {
      finding: 'conflict',
      sentence: `It has ${signed} for other pixels: the image was changed since, or the soulmark was copied from another image.`,
    };
  }
  if (codexIs === 'changed') {
    return {
      finding: 'conflict',
      sentence: `It has ${signed}, but its codex is not the signed one.`,
    };
  }
  if (isOurs)
    return {
      finding: 'agree',
      sentence: `It has ${signed} by this service, and pixels and codex match the signature.`,
    };
  return {
    finding: 'absent',
    sentence: `It has ${signed} by another signer (key ${quoteUntrusted(signer.kid)}). Pixels and codex match the signature, but this service does not know the signer.`,
  };
}

/** Anyone can write metadata, so by itself it proves nothing; it can only agree or disagree with a registration. */
function fieldsSay({ title, creator }: MetadataFields, best: Match | undefined): Said {
  const [named] = creator ?? [];
  if (named !== undefined && best?.artist) {
    if (isSame(named, best.artist))
      return {
        finding: 'agree',
        sentence: `The file names ${quoteUntrusted(named)} as its creator, as does ${nameOf(best)}.`,
      };
    return {
      finding: 'conflict',
      sentence: `The file names ${quoteUntrusted(named)} as its creator, but ${nameOf(best)} is by ${quoteUntrusted(best.artist)}.`,
    };
  }
  if (title !== undefined && best?.title && isSame(title, best.title))
    return { finding: 'agree', sentence: `The file has the title of ${nameOf(best)}.` };
  const says = [
    title && `the title ${quoteUntrusted(title)}`,
    named && `the creator ${quoteUntrusted(named)}`,
  ].filter(Boolean);
  return {
    finding: 'absent',
    sentence:
      says.length > 0
        ? `The file names ${says.join(' and ')}. Anyone can write that; no other evidence confirms or contradicts it.`
        : 'The file does not name a creator. Many programs remove such fields.',
  };
}

const isSame = (one: string, other: string): boolean => foldText(one) === foldText(other);

const foldText = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase();
