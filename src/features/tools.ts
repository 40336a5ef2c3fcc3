import { manageWallet } from './account/tools/manage_wallet.ts';
import { openAccount } from './account/tools/open_account.ts';
import { registerWallet } from './account/tools/register_wallet.ts';
import { storePermanent } from './archive/tools/store_permanent.ts';
import { batchDownload } from './artworks/tools/batch_download.ts';
import { complianceManifest } from './artworks/tools/compliance_manifest.ts';
import { getArtwork } from './artworks/tools/get_artwork.ts';
import { getArtworkOracle } from './artworks/tools/get_artwork_oracle.ts';
import { searchArtworks } from './artworks/tools/search_artworks.ts';
import { deleteAsset } from './assets/tools/delete_asset.ts';
import { getAsset } from './assets/tools/get_asset.ts';
import { listAssets } from './assets/tools/list_assets.ts';
import { manageTrash } from './assets/tools/manage_trash.ts';
import { requestUpload } from './assets/tools/request_upload.ts';
import { saveAsset } from './assets/tools/save_asset.ts';
import { zipFiles } from './assets/tools/zip_files.ts';
import { checkBalance } from './billing/tools/check_balance.ts';
import { requestPayment } from './billing/tools/request_payment.ts';
import { postToCommunity } from './community/tools/post_to_community.ts';
import type { Tool } from './definitions/tool.ts';
import { getToolSchema } from './discovery/tools/get_tool_schema.ts';
import { searchTools } from './discovery/tools/search_tools.ts';
import { enrichMetadata } from './enrichment/tools/enrich_metadata.ts';
import { editWithWords } from './generation/tools/edit_with_words.ts';
import { generateImage } from './generation/tools/generate_image.ts';
import { compareUpscalers } from './images/tools/compare_upscalers.ts';
import { composeImage } from './images/tools/compose_image.ts';
import { convertImage } from './images/tools/convert_image.ts';
import { editImage } from './images/tools/edit_image.ts';
import { eraseObject } from './images/tools/erase_object.ts';
import { extractPalette } from './images/tools/extract_palette.ts';
import { inspectImage } from './images/tools/inspect_image.ts';
import { makeVariants } from './images/tools/make_variants.ts';
import { mockupImage } from './images/tools/mockup_image.ts';
import { readText } from './images/tools/read_text.ts';
import { removeBackground } from './images/tools/remove_background.ts';
import { resizeImage } from './images/tools/resize_image.ts';
import { upscaleImage } from './images/tools/upscale_image.ts';
import { vectorizeImage } from './images/tools/vectorize_image.ts';
import { cancelJob } from './jobs/tools/cancel_job.ts';
import { getJob } from './jobs/tools/get_job.ts';
import { infuseMetadata } from './metadata/tools/infuse_metadata.ts';
import { convertColorProfile } from './print/tools/convert_color_profile.ts';
import { preflightFile } from './print/tools/preflight_file.ts';
import { printReady } from './print/tools/print_ready.ts';
import { registerHash } from './provenance/tools/register_hash.ts';
import { verifyProvenance } from './provenance/tools/verify_provenance.ts';
import { watermarkDetect } from './provenance/tools/watermark_detect.ts';
import { watermarkEmbed } from './provenance/tools/watermark_embed.ts';
import { manageRecipes } from './recipes/tools/manage_recipes.ts';
import { runRecipe } from './recipes/tools/run_recipe.ts';
import type { Services } from './services.ts';
import { openWorkspace } from './workspaces/tools/open_workspace.ts';
import { showWorkspace } from './workspaces/tools/show_workspace.ts';

/** THE list: everything the workshop offers, in catalogue order. */
// biome-ignore lint/suspicious/noExplicitAny: tools of every input and output type; each finds the services it needs
export const tools: readonly Tool<string, any, any, Services>[] = [
  editImage,
  composeImage,
  resizeImage,
  convertImage,
  makeVariants,
  inspectImage,
  readText,
  extractPalette,
  convertColorProfile,
  removeBackground,
  eraseObject,
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
  zipFiles,
  saveAsset,
  getAsset,
  listAssets,
  deleteAsset,
  manageTrash,
  storePermanent,
  runRecipe,
  manageRecipes,
  openWorkspace,
  showWorkspace,
  getJob,
  cancelJob,
  postToCommunity,
  openAccount,
  registerWallet,
  manageWallet,
  checkBalance,
  requestPayment,
  searchTools,
  getToolSchema,
];

/** Offered only where the operator has configured what they need, at the price that follows from the settings. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export const optionalTools: readonly Tool<string, any, any, Services>[] = [generateImage, editWithWords];
