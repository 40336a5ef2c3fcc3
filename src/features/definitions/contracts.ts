import { z } from 'zod';
import { complianceManifest } from '../artworks/tools/compliance_manifest.ts';
import { searchArtworks } from '../artworks/tools/search_artworks.ts';
import { enrichMetadata } from '../enrichment/tools/enrich_metadata.ts';
import { extractPalette } from '../images/tools/extract_palette.ts';
import { mockupImage } from '../images/tools/mockup_image.ts';
import { removeBackground } from '../images/tools/remove_background.ts';
import { resizeImage } from '../images/tools/resize_image.ts';
import { upscaleImage } from '../images/tools/upscale_image.ts';
import { vectorizeImage } from '../images/tools/vectorize_image.ts';
import { verifyProvenance } from '../provenance/tools/verify_provenance.ts';
import { watermarkEmbed } from '../provenance/tools/watermark_embed.ts';
import { LARGE_PNG_B64 } from './sample_pictures.ts';
import type { AnyTool } from './tool.ts';

/** Box of the sun in the drawing, with padding. */
const SAMPLE_SUBJECT = { left: 190, top: 54, width: 148, height: 148 };

/** Tools with a free sample: those of the specification in its order, then others that only compute. */
export const sandboxContracts: readonly AnyTool[] = [
  complianceManifest,
  enrichMetadata,
  searchArtworks,
  upscaleImage,
  verifyProvenance,
  sampled(mockupImage, { product: 'mug', output: 'url' }),
  sampled(extractPalette, { num_colors: 4 }),
  sampled(resizeImage, { width: 192, height: 192 }),
  sampled(removeBackground, { where: SAMPLE_SUBJECT }),
  sampled(vectorizeImage, {}),
  sampled(watermarkEmbed, { payload: 'Atelier', output: 'url' }),
];

/** The tool with its full response for a built-in drawing as sample. */
function sampled(tool: AnyTool, wanted: Record<string, unknown>): AnyTool {
  const { name, output } = tool;
  const params = { image: LARGE_PNG_B64, ...wanted };
  return {
    ...tool,
    sandbox: {
      query: z.object({}),
      answer: output,
      of: 'a drawing of 384 × 384 pixels',
      input: () => params,
      next: [
        {
          action: 'Make the same call yourself',
          tool: name,
          why: 'Replace the image with your own',
          params,
        },
      ],
    },
  };
}
