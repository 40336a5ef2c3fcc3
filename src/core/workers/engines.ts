import { type OnProgress, withMetadataPassthrough } from './metadata_passthrough.ts';

/**
 * Engines that run off the main thread, by name. A process loads an engine when it first runs it. An engine takes one structured-cloneable
 * input and may report progress: `(input, onProgress) => output`.
 */
export const ENGINES = {
  resize: async () => (await import('./run_convert.ts')).runResize,
  convert: async () => (await import('./run_convert.ts')).runConvert,
  compose: async () => (await import('./run_compose.ts')).runCompose,
  edit: async () => (await import('./run_edit.ts')).runEdit,
  convert_to_srgb: async () =>
    withMetadataPassthrough((await import('@atelier/imaging/color/convert_to_srgb.ts')).convertToSrgb),
  convert_to_press: async () =>
    withMetadataPassthrough((await import('./run_convert_to_press.ts')).runConvertToPress),
  mockup: async () =>
    withMetadataPassthrough((await import('@atelier/imaging/mockup/mockup_image.ts')).mockupImage),
  mockup_in_photo: async () => (await import('./run_mockup_in_photo.ts')).runMockupInPhoto,
  print: async () => (await import('./run_print.ts')).runPrint,
  layout: async () => (await import('./run_layout.ts')).runLayout,
  inspect: async () => (await import('@atelier/imaging/intake/inspect_file.ts')).inspectFile,
  preflight: async () => (await import('./run_preflight.ts')).runPreflight,
  palette: async () => (await import('./run_palette.ts')).runPalette,
  analyse: async () => (await import('@atelier/imaging/analysis/analyse_picture.ts')).analysePicture,
  vectorize: async () => (await import('./run_vectorize.ts')).runVectorize,
  vectorize_by_network: async () => (await import('./run_vectorize.ts')).runVectorizeByNetwork,
  show_drawing: async () => (await import('@atelier/imaging/vectorize/show_drawing.ts')).showDrawing,
  compare_upscalers: async () => (await import('./run_compare_upscalers.ts')).runCompareUpscalers,
  cut_out: async () => withMetadataPassthrough((await import('./run_cut_out.ts')).runCutOutByColors),
  cut_out_by_network: async () => withMetadataPassthrough((await import('./run_cut_out.ts')).runCutOut),
  erase: async () => (await import('./run_erase.ts')).runErase,
  erase_by_network: async () => (await import('./run_erase.ts')).runEraseByNetwork,
  see: async () => (await import('./run_see.ts')).runSee,
  caption: async () => (await import('./run_caption.ts')).runCaption,
  read_text: async () => (await import('./run_read_text.ts')).runReadText,
  find_places: async () => (await import('./find_places.ts')).findPlaces,
  embed_picture: async () => (await import('./run_embed.ts')).runEmbedPicture,
  embed_text: async () => (await import('./run_embed.ts')).runEmbedText,
  embed_texts: async () => (await import('./run_embed.ts')).runEmbedTexts,
  look_for_terms: async () => (await import('./run_look_for_terms.ts')).runLookForTerms,
  difference: async () => (await import('@atelier/imaging/difference/difference.ts')).differenceOf,
  fingerprint: async () => (await import('@atelier/imaging/fingerprint/fingerprint.ts')).fingerprintOf,
  fingerprint_regions: async () =>
    (await import('@atelier/imaging/fingerprint/fingerprint.ts')).regionCodesOf,
  likeness: async () => (await import('@atelier/imaging/fingerprint/likeness.ts')).likenessOf,
  condition: async () => (await import('./run_condition.ts')).runCondition,
  count_passes: async () => (await import('./run_count_passes.ts')).runCountPasses,
  look: async () =>
    (await import('@atelier/imaging/visual_descriptor/compute_visual_descriptor.ts')).computeVisualDescriptor,
  measure_upscaler: async () => (await import('./run_measure_upscaler.ts')).runMeasureUpscaler,
  mark_ai: async () => (await import('./run_mark_ai.ts')).runMarkAi,
  hash_pixels: async () => (await import('@atelier/imaging/provenance/soulmark/hash_pixels.ts')).hashPixels,
  carry_metadata: async () => (await import('./run_carry_metadata.ts')).runCarryMetadata,
  infuse: async () => (await import('@atelier/imaging/metadata/write_metadata.ts')).infuse,
  read_metadata: async () => (await import('@atelier/imaging/metadata/read_metadata.ts')).readClaims,
  read_manifest: async () => (await import('./run_c2pa.ts')).runReadManifest,
  take_manifest: async () => (await import('./run_c2pa.ts')).runTakeManifest,
  prepare_manifest: async () => (await import('./run_c2pa.ts')).runPrepareManifest,
  read_soulmark: async () =>
    (await import('@atelier/imaging/provenance/soulmark/read_soulmark.ts')).readSoulmark,
  watermark_embed: async () =>
    withMetadataPassthrough((await import('@atelier/imaging/watermark/embed_watermark.ts')).embedWatermark),
  watermark_detect: async () =>
    (await import('@atelier/imaging/watermark/detect_watermark.ts')).detectWatermark,
  make_pyramid: async () => (await import('./run_make_pyramid.ts')).runMakePyramid,
  make_variants: async () => (await import('./run_make_variants.ts')).runMakeVariants,
  render_region: async () => (await import('./run_render_region.ts')).runRenderRegion,
  upscale: async () => withMetadataPassthrough((await import('./run_upscale.ts')).runUpscale),
} as const satisfies Record<string, () => Promise<Engine>>;

/** Engines that keep models open: they run in a separate process, which stays after a job. */
export const NETWORK_ENGINES: ReadonlySet<EngineName> = new Set<EngineName>([
  'upscale',
  'measure_upscaler',
  'compare_upscalers',
  'vectorize_by_network',
  'cut_out_by_network',
  'erase_by_network',
  'see',
  'find_places',
  'read_text',
  'caption',
  'embed_picture',
  'embed_text',
  'embed_texts',
  'look_for_terms',
]);

/** Engines that read the file instead of its pixels, or that assess the file itself: they receive the original bytes. */
export const READS_FILES: ReadonlySet<EngineName> = new Set<EngineName>([
  'inspect',
  'layout',
  'preflight',
  'infuse',
  'read_metadata',
  'read_manifest',
  'take_manifest',
  'prepare_manifest',
  'read_soulmark',
  'show_drawing',
]);

// biome-ignore lint/suspicious/noExplicitAny: the map holds engines of every input and output type
type Engine = (input: any, onProgress: OnProgress) => unknown;

export type EngineName = keyof typeof ENGINES;
export type Engines = { [Name in EngineName]: Awaited<ReturnType<(typeof ENGINES)[Name]>> };
