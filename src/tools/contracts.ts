import { enrichMetadata } from './creative/enrich_metadata.ts';
import { upscaleImage } from './creative/upscale_image.ts';
import { verifyProvenance } from './creative/verify_provenance.ts';
import { complianceManifest } from './dataset/compliance_manifest.ts';
import { searchArtworks } from './dataset/search_artworks.ts';
import type { AnyContract } from './tool.ts';

/** The tools with a free sample, in the order of the specification. */
export const sandboxContracts: readonly AnyContract[] = [
  complianceManifest,
  enrichMetadata,
  searchArtworks,
  upscaleImage,
  verifyProvenance,
];
