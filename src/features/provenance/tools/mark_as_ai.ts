import { createHash } from 'node:crypto';
import type { DrawnLabel } from '@atelier/imaging/label/draw_label.ts';
import { LABEL_LANGUAGES, LABEL_STYLES } from '@atelier/imaging/label/label_words.ts';
import type { AiLabel } from '@atelier/imaging/metadata/rights/ai_label.ts';
import type { AiOrigin } from '@atelier/imaging/metadata/rights/origin.ts';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { highestPrice } from '../../definitions/price.ts';
import type { QualityAnswer } from '../../definitions/quality_answer.ts';
import { evidenceAnswer } from '../../definitions/rights_fields.ts';
import { statementAnswer } from '../../definitions/statement_answer.ts';
import type { CallContext } from '../../definitions/tool.ts';
import { WATERMARK_STRENGTH_DEFAULT } from '../../definitions/tool_limits.ts';
import type { WordedOrigin } from '../../metadata/tools/word_origin.ts';
import type { Services } from '../../services.ts';
import type { Readings, WatermarkReading } from '../evidence/types.ts';
import { verifyAddress } from './verify_address.ts';
import { verifyProvenance } from './verify_provenance.ts';
import { registryIdField } from './watermark_fields.ts';

const px = z.int().min(0);

export const aiAnswer = z.object({
  id: z.string().describe('As metadata and watermark have it.'),
  payload_embedded: z.string(),
  registry_id: registryIdField,
  was_marked: z.boolean().describe('The image was already watermarked; only a label changes the pixels.'),
  psnr_db: z.number().optional(),
  survives: z.record(z.string(), z.enum(['payload', 'id', 'lost'])).optional(),
  statement: z
    .string()
    .nullable()
    .describe(
      'Signed by this service (JWS, mark+jwt): that the watermark was made for this image; no wallet is named. null if it already existed.',
    ),
  statement_url: z
    .string()
    .optional()
    .describe('The statement as a file, for 24 hours; over MCP in its place.'),
  label: z
    .object({
      words: z.string(),
      style: z.enum(LABEL_STYLES),
      language: z.enum(LABEL_LANGUAGES),
      box: z.object({ x: px, y: px, width: px, height: px }).describe('In px of the result.'),
      was_there: z.boolean().describe('The image already shows the label, so none was drawn.'),
    })
    .optional()
    .describe('Only with ai.label.'),
  evidence: evidenceAnswer,
  evidence_url: z.string().describe('The same as a web page, while the result is stored.'),
});

export interface Marked {
  readonly bytes: Uint8Array;
  /** With the id of the watermark, which is the earlier one if the image was watermarked already. */
  readonly origin: Required<AiOrigin>;
  /** The label in the pixels, if one was requested. */
  readonly label?: AiLabel;
  readonly answer: Omit<z.input<typeof aiAnswer>, 'evidence' | 'evidence_url'>;
  readonly attacks: WatermarkReading['attacks'];
  /** Absent if the image was watermarked already: its pixels are then unchanged. */
  readonly quality?: QualityAnswer | undefined;
}

/**
 * Draws the label, if one was requested, and embeds the watermark that names the AI system.
 * @throws AtelierError unsuitable_image if the image has too little detail or another watermark
 */
export async function markAsAi(
  image: SourceImage,
  { origin, isNamed, label }: WordedOrigin,
  { pixels, marks, evidence, results }: Pick<Services, 'pixels' | 'marks' | 'evidence' | 'results'>,
  call: CallContext,
): Promise<Marked> {
  const { payload, start } = evidence.marks.write(origin);
  const sha256 = createHash('sha256').update(image.bytes).digest('hex');
  const registry = await marks.register(payload, call.wallet, sha256);
  const strength = WATERMARK_STRENGTH_DEFAULT;
  const marked = await pixels
    .run(
      'mark_ai',
      {
        bytes: image.bytes,
        payload,
        id: registry,
        strength,
        sameStart: isNamed ? payload : start,
        ...(label && { label }),
      },
      { pixels: 3 * image.width * image.height, ...call },
    )
    .catch((error) => {
      throw aboutAi(error);
    });
  const { id = origin.id } = evidence.marks.read(marked.payload) ?? {};
  const { made, wasThere } = marked;
  const attacks = made?.attacks;
  const bind = async ({ psnrDb, bits, likeness }: NonNullable<typeof made>): Promise<string> => {
    const control = { pixels: image.width * image.height, ...call };
    const { sha256: pixelsSha256 } = await pixels.run('hash_pixels', { bytes: marked.bytes }, control);
    const measured = { engine: marked.engine, strength, bits, psnr_db: psnrDb, survives: attacks };
    return marks.bind(registry, { payload, pixelsSha256, likeness, measured });
  };
  const statement = made && (await statementAnswer(results, await bind(made), call));
  if (marked.label?.wasThere) call.warn(labelledAlready(marked.label.label));
  return {
    bytes: marked.bytes,
    origin: { ...origin, id },
    ...(marked.label && { label: marked.label.label }),
    attacks,
    quality: made?.quality,
    answer: {
      id,
      payload_embedded: marked.payload,
      registry_id: wasThere ? (marked.id ?? (await marks.register(marked.payload, call.wallet))) : registry,
      was_marked: wasThere,
      ...(made && { psnr_db: made.psnrDb }),
      ...(attacks && { survives: attacks }),
      ...(marked.label && { label: answerOfLabel(marked.label) }),
      statement: statement?.text ?? null,
      ...(statement?.url && { statement_url: statement.url }),
    },
  };
}

const labelledAlready = ({ words, region: { x, y } }: AiLabel): string =>
  `The image already shows the label "${words}" at ${x}, ${y} px, so no second one was drawn. To change the label, send the image without a label.`;

const answerOfLabel = ({ label: { region, ...label }, wasThere }: Omit<DrawnLabel, 'raster'>) => ({
  ...label,
  box: { ...region },
  was_there: wasThere,
});

interface Found {
  readonly readings: Readings;
  readonly isRegistered: boolean;
  /** Handle of the result, as accepted by image fields. */
  readonly handle: string;
}

/** State of the file after marking, with the attacks that the watermark survived when it was embedded. */
export function answerOfMark(
  { answer, attacks }: Marked,
  { readings, isRegistered, handle }: Found,
  { evidence, site }: Pick<Services, 'evidence' | 'site'>,
): z.input<typeof aiAnswer> {
  const { name, price } = verifyProvenance;
  const { watermark } = readings;
  const read = { ...readings, watermark: watermark && { ...watermark, attacks } };
  const detector = { name, isFree: highestPrice(price) === 0 };
  return {
    ...answer,
    evidence: evidence.sheetFor(read, { isRegistered, detector }) ?? [],
    evidence_url: site.publicUrl + verifyAddress(handle),
  };
}

/** Rewords errors about the payload, because this tool has no fields for strength and payload. */
function aboutAi(error: unknown): unknown {
  if (!(error instanceof AtelierError) || !/payload/.test(error.message)) return error;
  const [ofCutOuts = ''] = / \d+ % of it are transparent.*$/.exec(error.message) ?? [];
  return new AtelierError(
    error.code,
    `The image is too small or has too little detail for a watermark that names the AI system. Send a larger or more detailed image, shorter names in ai, or omit ai and send metadata.ai_system.${ofCutOuts}`,
    { cause: error },
  );
}
