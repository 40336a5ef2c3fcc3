import type { Services } from '../services/contract.ts';
import { checkBalance } from './account/check_balance.ts';
import { getToolSchema } from './account/get_tool_schema.ts';
import { registerWallet } from './account/register_wallet.ts';
import { requestPayment } from './account/request_payment.ts';
import { searchTools } from './account/search_tools.ts';
import { compareUpscalers } from './creative/compare_upscalers.ts';
import { convertColorProfile } from './creative/convert_color_profile.ts';
import { enrichMetadata } from './creative/enrich_metadata.ts';
import { extractPalette } from './creative/extract_palette.ts';
import { infuseMetadata } from './creative/infuse_metadata.ts';
import { mockupImage } from './creative/mockup_image.ts';
import { preflightFile } from './creative/preflight_file.ts';
import { printReady } from './creative/print_ready.ts';
import { registerHash } from './creative/register_hash.ts';
import { removeBackground } from './creative/remove_background.ts';
import { resizeImage } from './creative/resize_image.ts';
import { upscaleImage } from './creative/upscale_image.ts';
import { vectorizeImage } from './creative/vectorize_image.ts';
import { verifyProvenance } from './creative/verify_provenance.ts';
import { watermarkDetect } from './creative/watermark_detect.ts';
import { watermarkEmbed } from './creative/watermark_embed.ts';
import { batchDownload } from './dataset/batch_download.ts';
import { complianceManifest } from './dataset/compliance_manifest.ts';
import { getArtwork } from './dataset/get_artwork.ts';
import { getArtworkOracle } from './dataset/get_artwork_oracle.ts';
import { searchArtworks } from './dataset/search_artworks.ts';
import { runRecipe } from './recipes/run_recipe.ts';
import { deleteAsset } from './storage/delete_asset.ts';
import { getAsset } from './storage/get_asset.ts';
import { listAssets } from './storage/list_assets.ts';
import { requestUpload } from './storage/request_upload.ts';
import { saveAsset } from './storage/save_asset.ts';
import { storePermanent } from './storage/store_permanent.ts';
import type { Tool } from './tool.ts';

/** THE list: everything the workshop offers, in catalogue order. */
// biome-ignore lint/suspicious/noExplicitAny: tools of every input and output type; each finds the services it needs
export const tools: readonly Tool<string, any, any, Services>[] = [
  resizeImage,
  extractPalette,
  convertColorProfile,
  removeBackground,
  vectorizeImage,
  upscaleImage,
  compareUpscalers,
  enrichMetadata,
  registerHash,
  verifyProvenance,
  printReady,
  preflightFile,
  mockupImage,
  infuseMetadata,
  searchArtworks,
  watermarkEmbed,
  watermarkDetect,
  getArtwork,
  getArtworkOracle,
  batchDownload,
  complianceManifest,
  requestUpload,
  saveAsset,
  getAsset,
  listAssets,
  deleteAsset,
  storePermanent,
  runRecipe,
  registerWallet,
  checkBalance,
  requestPayment,
  searchTools,
  getToolSchema,
];
