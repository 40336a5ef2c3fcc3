import { ANALYSIS_FIELDS, SECTIONS } from '@atelier/imaging/analysis/analysis_fields.ts';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { engineAnswer } from '../../definitions/fields.ts';
import { credits } from '../../definitions/price.ts';
import { defineTool } from '../../definitions/tool.ts';
import { sectionsAnswer, usageAnswer } from '../../enrichment/tools/analysis_answer.ts';
import {
  contentNote,
  visionEstimate,
  visionUnavailableReason,
} from '../../enrichment/tools/vision_estimate.ts';
import type { Services } from '../../services.ts';
import { artifactIdField, artworkImage, EXAMPLE_ARTIFACT_ID, imageOf } from './artwork_fields.ts';
import { licenceFields, licencePassport } from './licence_passport.ts';
import { askedText, type KnownWork, pullText, starterNote } from './record_basis.ts';

const CHARACTERS_PER_TOKEN = 4;

export const getArtworkOracle = defineTool({
  name: 'get_artwork_oracle',
  title: 'Analyse an artwork',
  category: 'dataset',
  summary:
    'The full analysis of one work: up to 111 fields in 8 sections, from picture and record, each with basis and confidence. Without a vision model, fields that need eyes say so and the call is free.',
  instead: { enrich_metadata: 'for your own picture', get_artwork: 'for the record alone' },
  words:
    'deep analysis, interpretation or explanation of a painting or museum work, art history, story, composition, symbols, symbolism, mood, meaning, what the artist wants to say, explain an artwork, why did he paint it so, style, light, analyse a museum piece, in-depth visual analysis of met_45434, analysis of the night watch, art historian, emotional meaning and themes, themes, deep dive into a masterpiece, explain symbolism, what makes this painting special, critique of a masterpiece, historical context of a painting, what met_45434 means, iconography, interpret the light and the mood, brushwork, technique, perspective, hidden symbols, emotional journey, school lesson about a painting, lecture, art critic, psychology, tell me everything about a masterpiece',
  price: credits(2),
  input: z.object({ artifact_id: artifactIdField }),
  output: z.object({
    artifact_id: z.string(),
    metadata: sectionsAnswer.describe('The 8 sections; a field that is not known is absent.'),
    unknown: z.array(z.string()).describe('Fields nothing is known of, as section.field.'),
    image: artworkImage,
    licence: licenceFields,
    token_count: z.int().min(1).max(100_000).describe('Of metadata, at four characters a token.'),
    usage: usageAnswer,
    ...engineAnswer,
  }),
  isDocument: true,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  examples: [{ artifact_id: EXAMPLE_ARTIFACT_ID }],
  next: ({ artifact_id }) => [
    {
      action: 'Add what you see',
      tool: 'enrich_metadata',
      why: 'Fills the fields that need eyes: look at the image, and send your own `observations`',
      params: { image: `artwork:${artifact_id}`, tier: 'premium' },
    },
    {
      action: 'See the record alone',
      tool: 'get_artwork',
      why: 'The same work without the analysis, for less',
      params: { artifact_id },
    },
    {
      action: 'Print it',
      tool: 'print_ready',
      why: 'The section reproduction says how large the file can be printed',
      params: { image: `artwork:${artifact_id}`, product_size: 'a4' },
    },
  ],

  charge: async (_input, { enrichment }: Pick<Services, 'enrichment'>) =>
    (await enrichment.canDescribe('default', 'en')) ? undefined : { credits: 0, why: UNSEEN },

  async estimate({ artifact_id }, { artworks, enrichment }: Needs, asked) {
    if (!asked.isGeneral) await findWithPicture(artworks, artifact_id);
    return visionEstimate(enrichment, { engine: 'default', language: 'en' }, asked);
  },

  async run({ artifact_id }, services: Needs, call) {
    const { artworks, images, enrichment } = services;
    const work = await findWithPicture(artworks, artifact_id);
    const { record } = work;
    const note = starterNote(work);
    if (note) call.warn(note);
    call.onProgress(0.1, "Fetching the museum's picture");
    const { signal, wallet } = call;
    const image = await images.open(`artwork:${record.id}`, 'artifact_id', {
      signal,
      ...(wallet && { wallet }),
    });
    const analysed = await enrichment.analyseWork({ record, image }, call);
    const { sections, engine, usage, contentHint } = analysed;
    if (contentHint) call.warn(contentNote(contentHint));
    const reason = await visionUnavailableReason(enrichment, 'default', 'en');
    return {
      artifact_id: record.id,
      metadata: sections,
      unknown: unknownIn(sections),
      image: imageOf(record, artworks),
      licence: licencePassport(work),
      token_count: Math.ceil(JSON.stringify(sections).length / CHARACTERS_PER_TOKEN),
      ...(usage && { usage }),
      engine,
      ...(reason === undefined ? { degraded: false } : { degraded: true, degraded_reason: reason }),
    };
  },
});

const UNSEEN = 'This server has no vision model, so fields that require one are empty and this call is free.';

const unknownIn = (sections: Record<string, object>): string[] =>
  SECTIONS.flatMap((section) =>
    Object.keys(ANALYSIS_FIELDS[section])
      .filter((name) => !Object.hasOwn(sections[section]!, name))
      .map((name) => `${section}.${name}`),
  );

type Needs = Pick<Services, 'artworks' | 'images' | 'enrichment'>;

/**
 * Finds a work that can be analysed.
 * @throws AtelierError artwork_not_found, unsuitable_image, upstream_failed
 */
async function findWithPicture(artworks: Needs['artworks'], id: string) {
  const found = await artworks.complete(id);
  if (found.record.image) return found;
  throw withoutPicture(found);
}

/** A retry helps only if the museum has not responded. */
function withoutPicture({ record, live }: KnownWork): AtelierError {
  const { retryAfterSeconds } = live ?? {};
  const why = [live?.leftOut && `${askedText({ record, live: live! })}.`, live?.problem]
    .filter(Boolean)
    .join(' ');
  return new AtelierError(
    retryAfterSeconds === undefined ? 'unsuitable_image' : 'upstream_failed',
    `${record.id} has no image to analyse.${why && ` ${why}`} ${pullText(record)} get_artwork returns the record; image_available in search_artworks shows which works have an image.`,
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  );
}
