import { HASH_DISTANCE_MAX } from '../../../config/limits.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import { similarityOf } from '../chance.ts';
import type { Hashes, Registration } from '../hashes/types.ts';
import type { MarkJudgement, Marks } from '../marks/types.ts';
import { registeredMatch } from '../registered_match.ts';
import type { ExaminedPicture, Match, Testimony, Witness } from '../types.ts';
import { nameOf, quoteUntrusted } from '../wording.ts';

interface WatermarkWitnessDeps {
  readonly pixels: Pick<Pixels, 'run'>;
  readonly marks: Pick<Marks, 'find' | 'judge'>;
  readonly hashes: Pick<Hashes, 'find'>;
}

/**
 * Whether an invisible watermark identifies the image: by the id of its registration, by text registered with it, or because the
 * registering wallet embedded the watermark.
 */
export function createWatermarkWitness({ pixels, marks, hashes }: WatermarkWitnessDeps): Witness {
  return {
    name: 'watermark',
    async look(picture) {
      const mark = await pixels.run('watermark_detect', { bytes: picture.bytes }, picture.control);
      const kept = mark.id === undefined ? undefined : await marks.find(mark.id);
      const text = mark.payload ?? kept?.payload;
      const judged =
        mark.read &&
        (await marks.judge({
          id: mark.id,
          payload: mark.payload,
          seen: mark.seen,
          pixelsSha256: async () =>
            (
              await pixels.run('hash_pixels', { bytes: picture.bytes }, picture.control)
            ).sha256,
        }));
      const isForeign = judged?.standing === 'moved' || judged?.standing === 'other_payload';
      const [id] = isForeign ? [] : (/\bhash_[0-9a-f]{24}\b/.exec(text ?? '') ?? []);
      const named = id === undefined ? undefined : await hashes.find(id);
      const match = named && matchOf(named, picture, mark.falsePositiveProbability);
      const looksTheSame = match !== undefined && match.similarity >= SAME_LOOKS;
      return {
        matches: match ? [match] : [],
        read: {
          watermark: {
            text,
            isLookedUp: mark.payload === undefined && kept !== undefined,
            falsePositiveProbability: mark.falsePositiveProbability,
            judged,
          },
        },
        judge: (best) => testimonyOf({ judged, text, wallet: kept?.wallet, named, looksTheSame }, best),
      };
    },
  };
}

const SAME_LOOKS = 1 - HASH_DISTANCE_MAX / 256;

const matchOf = (registration: Registration, { fingerprint }: ExaminedPicture, chance: number): Match =>
  registeredMatch(registration, {
    by: 'watermark',
    similarity: similarityOf(fingerprint.hashes, registration.pdq),
    chance,
    confidence: 1 - chance,
  });

interface Mark {
  /** Whether it was made for this image; absent without a watermark. */
  readonly judged: MarkJudgement | undefined;
  readonly text: string | undefined;
  /** The wallet that embedded the watermark, if known. */
  readonly wallet: string | undefined;
  readonly named: Registration | undefined;
  /** The image it identifies is visually similar. */
  readonly looksTheSame: boolean;
}

function testimonyOf(mark: Mark, best: Match | undefined): Omit<Testimony, 'witness'> {
  const said = whatItSays(mark, best);
  const { judged } = mark;
  return judged && judged.standing !== 'plain'
    ? { ...said, sentence: `${said.sentence} ${judged.sentence}` }
    : said;
}

function whatItSays(
  { judged, text, wallet, named, looksTheSame }: Mark,
  best: Match | undefined,
): Omit<Testimony, 'witness'> {
  if (!judged) {
    return {
      finding: 'absent',
      sentence: 'No watermark of this service was found; most images have none.',
    };
  }
  if (text === undefined) {
    return {
      finding: 'absent',
      sentence:
        'A watermark was found, but only its id can be read, and this server has no payload stored for it.',
    };
  }
  if (judged.standing === 'moved' || judged.standing === 'other_payload')
    return { finding: 'absent', sentence: `Its watermark says ${quoteUntrusted(text)}.` };
  if (named && best) {
    if (named.id === best.id) return { finding: 'agree', sentence: `Its watermark names ${nameOf(best)}.` };
    const other = quoteUntrusted(named.title || named.id);
    return looksTheSame
      ? {
          finding: 'agree',
          sentence: `Its watermark names ${other}, which is also registered and looks the same.`,
        }
      : {
          finding: 'conflict',
          sentence: `Its watermark names another registration (${other}) than ${nameOf(best)}.`,
        };
  }
  const says =
    best &&
    [best.id, best.provenanceUri, best.title, best.artist].find((part) => part && text.includes(part));
  if (best && says)
    return {
      finding: 'agree',
      sentence: `Its watermark says ${quoteUntrusted(text)}, which matches ${nameOf(best)}.`,
    };
  if (best && wallet !== undefined && wallet === best.wallet)
    return {
      finding: 'agree',
      sentence: `Its watermark says ${quoteUntrusted(text)} and was made by the wallet that ${best.title ? `registered ${nameOf(best)}` : 'registered this work'}.`,
    };
  return {
    finding: 'absent',
    sentence: `Its watermark says ${quoteUntrusted(text)}; no registration can be compared with it.`,
  };
}
