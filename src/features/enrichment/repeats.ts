import { createHash } from 'node:crypto';
import type { Database } from '../../core/database/types.ts';
import * as store from './store.ts';
import type { Enriched, Enrichment, EnrichRequest } from './types.ts';

const IDENTICAL_CALL_LIFETIME_MS = 30 * 86_400_000;

type Writer = Omit<Enrichment, 'sweep' | 'answeredBefore' | 'keyOf'>;

/**
 * Gives a wallet what it has paid for in the last 30 days again, instead of writing it anew: for the same bytes, the same
 * inputs and the same edition of the engine. @param clock for tests
 */
export function withRepeats(
  writer: Writer,
  database: Database,
  clock: () => Date = () => new Date(),
): Enrichment {
  /** Where the answer of a call would be in the book, and the answer that is there. */
  const lookUp = async (request: EnrichRequest, wallet: string, now: Date) => {
    const place = { wallet, requestSha256: keyOf(request, await writer.edition(request.engine)) };
    const since = new Date(now.getTime() - IDENTICAL_CALL_LIFETIME_MS);
    return { place, since, known: await store.findPaid(database, place, since) };
  };
  return {
    hasModel: writer.hasModel,
    eyes: writer.eyes,
    isUncalibrated: writer.isUncalibrated,
    modelRefusal: writer.modelRefusal,
    edition: writer.edition,
    analyseWork: writer.analyseWork,
    async enrich(request, control) {
      const { payer } = request;
      if (!payer) return writer.enrich(request, control);
      const now = clock();
      const { place, since, known } = await lookUp(request, payer.wallet, now);
      if (known) return { ...(known.answer as Enriched), repeats: known.answeredAt };
      const enriched = await writer.enrich(request, control);
      const { hold } = payer;
      if (hold !== undefined)
        await store.remember(database, { ...place, hold, answer: enriched, at: now }, since);
      return enriched;
    },
    keyOf: async (request) => keyOf(request, await writer.edition(request.engine)),
    answeredBefore: async (request, wallet) => (await lookUp(request, wallet, clock())).known?.answeredAt,
    sweep: (now) => store.sweep(database, new Date(now.getTime() - IDENTICAL_CALL_LIFETIME_MS)),
  };
}

/** Everything an answer depends on. */
function keyOf({ image, tier, given, soulWhisper }: EnrichRequest, edition: string): string {
  const picture = createHash('sha256').update(image.bytes).digest('hex');
  const { title, artist_name, copyright_holder, creation_year, content_type, context } = given;
  const inputs = [title, artist_name, copyright_holder, creation_year, content_type, context];
  const asked = JSON.stringify([edition, picture, tier, inputs, soulWhisper?.message, soulWhisper?.sender]);
  return createHash('sha256').update(asked).digest('hex');
}
