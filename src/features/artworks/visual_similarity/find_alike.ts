import type { Database } from '../../../core/database/types.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { askSight } from '../image_embeddings/seen_like.ts';
import type { Sight, SightUsed } from '../image_embeddings/types.ts';
import { type Likeness, SUBJECT_CANDIDATES_MAX } from '../limits.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { findBySubject, type NearSubject } from '../search/find_by_subject.ts';
import type { Found, Search } from '../search/types.ts';
import type { Meaning } from '../semantic_search/meaning.ts';
import { findAmongAlike, findByLook } from './find_by_look.ts';
import type { Looks } from './looks.ts';

interface FindAlikeDeps {
  readonly database: Database;
  readonly looks: Pick<Looks, 'search' | 'known' | 'measure'>;
  readonly sight: Sight;
  readonly meaning?: Pick<Meaning, 'near'> | undefined;
  /** The record of a work of the edition. @throws AtelierError artwork_not_found */
  record(id: string): Promise<ArtworkRecord>;
  /** A picture of a work that is kept here. */
  kept(record: ArtworkRecord): Promise<Uint8Array | undefined>;
  /** The picture of a work. @throws AtelierError image_not_found, upstream_failed */
  bring(id: string): Promise<Uint8Array>;
}

export interface AlikeAsked extends Search {
  readonly colors?: readonly number[] | undefined;
  readonly picture?: Picture | undefined;
  /** Id of a work to compare with, in place of a picture. */
  readonly likeWork?: string | undefined;
  /** Absent: by the whole look. */
  readonly likeBy?: Likeness | undefined;
}

interface Picture {
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
}

type FoundAlike = Found & { readonly seen?: SightUsed };

/** Finds works by colours, or that are like a picture or a work: by the whole look, composition, colours or subject. */
export function createFindAlike({ database, looks, sight, meaning, record, kept, bring }: FindAlikeDeps) {
  /** What a picture or work looks like; of a work as it was measured before, where it was. */
  const lookOf = async ({ picture, likeWork, likeBy }: AlikeAsked, signal: AbortSignal) => {
    const known = likeWork === undefined ? undefined : await looks.known(likeWork);
    if (known && (likeBy === 'color' || known.layout.length > 0)) return known;
    const { bytes } = picture ?? (await pictureOf(bring, likeWork!, signal));
    return looks.measure(bytes, signal);
  };

  /** The work that a picture shows, where it is a copy of one. */
  const shownIn = async ({ bytes, signal }: Picture): Promise<ArtworkRecord | undefined> => {
    const [best] = await looks.search({ like: await looks.measure(bytes, signal) }, { limit: 1 });
    return best?.isSame ? record(best.id).catch(undefinedIfNone) : undefined;
  };

  async function bySubject(edition: number, asked: AlikeAsked, signal: AbortSignal): Promise<FoundAlike> {
    const { picture, likeWork } = asked;
    const work = likeWork === undefined ? await shownIn(picture!) : await record(likeWork);
    const bytes = picture?.bytes ?? (await kept(work!));
    const seen = bytes && (await askSight(sight, { picture: { bytes, signal }, query: '' }));
    if (!work && !seen?.seen)
      throw invalidField(
        'like_by',
        'like_by "subject" compares records: this picture shows no work that is known here. Send like_work, the credit_id of a work.',
      );
    const near = [
      ...(work && meaning ? await nearMeaning(meaning, work) : []),
      ...(seen?.seen ? [{ of: 'shows the like', near: seen.seen.picture }] : []),
    ];
    const hits = await findBySubject(database, edition, work, near);
    const found = await findAmongAlike(database, edition, hits, { ...asked, without: work?.id }, looks);
    return { ...found, ...(seen && { seen: seen.state }) };
  }

  async function byWhole(edition: number, asked: AlikeAsked, picture: Picture): Promise<FoundAlike> {
    const { likeWork: without, query } = asked;
    const [like, { state, seen }] = await Promise.all([
      looks.measure(picture.bytes, picture.signal),
      askSight(sight, { picture, query }),
    ]);
    return {
      ...(await findByLook(database, edition, { ...asked, like, seen, without }, looks)),
      seen: state,
    };
  }

  return async (edition: number, asked: AlikeAsked): Promise<FoundAlike> => {
    const { picture, likeWork, likeBy: by } = asked;
    if (!picture && likeWork === undefined) return findByLook(database, edition, asked, looks);
    const signal = picture?.signal ?? new AbortController().signal;
    if (by === 'subject') return bySubject(edition, asked, signal);
    if (by === undefined)
      return byWhole(edition, asked, picture ?? (await pictureOf(bring, likeWork!, signal)));
    const like = await lookOf(asked, signal);
    return findByLook(database, edition, { ...asked, by, like, without: likeWork }, looks);
  };
}

/** @throws AtelierError image_not_found, with what needs no picture */
async function pictureOf(bring: FindAlikeDeps['bring'], id: string, signal: AbortSignal): Promise<Picture> {
  try {
    return { bytes: await bring(id), signal };
  } catch (error) {
    if (!(error instanceof AtelierError) || error.code !== 'image_not_found') throw error;
    throw new AtelierError('image_not_found', `${error.message} like_by "subject" needs none.`, {
      cause: error,
    });
  }
}

/** By the embedding of its title and subjects; none where the model does not answer. */
async function nearMeaning(
  meaning: Pick<Meaning, 'near'>,
  { title, tags }: ArtworkRecord,
): Promise<NearSubject[]> {
  const text = [title, ...tags.slice(0, 12)].join(', ').slice(0, 500);
  try {
    const near = await meaning.near(text, { limit: SUBJECT_CANDIDATES_MAX });
    return [{ of: 'meaning', near: new Map(near.map(({ id, similarity }) => [id, similarity])) }];
  } catch (error) {
    if (error instanceof AtelierError) return [];
    throw error;
  }
}

function undefinedIfNone(error: unknown): undefined {
  if (!(error instanceof AtelierError) || error.code !== 'artwork_not_found') throw error;
}
