import type { UpscalerName } from '../../models/manifest.ts';

/** The networks a call may name. Each enlarges by one factor only. */
export const UPSCALE_MODELS = {
  realesrgan_x2plus: { best_for: 'general, web images, fast', scale: 2 },
  realesrgan_x4plus: { best_for: 'photography, print quality, high detail', scale: 4 },
  realesrgan_x4plus_anime: { best_for: 'anime, illustrations, digital art', scale: 4 },
  realesr_general_x4v3: { best_for: 'fast general, speed/quality balance', scale: 4 },
  realesr_animevideov3: { best_for: 'anime video frames, fastest 4x', scale: 4 },
} as const satisfies Partial<Record<UpscalerName, { best_for: string; scale: 2 | 4 }>>;
export type UpscaleModel = keyof typeof UPSCALE_MODELS;

/** Whether a call may name it; the others run where the service chooses them. */
export const isNamed = (name: string): name is UpscaleModel => name in UPSCALE_MODELS;

/** The network that can be mixed with a twin that keeps noise. */
export const DENOISING_MODEL: UpscaleModel = 'realesr_general_x4v3';

/** That twin. */
export const DENOISING_TWIN = 'realesr_general_wdn_x4v3';

/** Strengths are a few, as each is a network to open and to keep open. */
const DENOISE_STEPS = 4;
/** The strength that runs for the one that was asked for. */
export const roundDenoise = <Asked extends number | undefined>(asked: Asked): Asked =>
  (asked === undefined ? asked : Math.round(asked * DENOISE_STEPS) / DENOISE_STEPS) as Asked;

export const DEFAULT_MODEL: UpscaleModel = 'realesrgan_x2plus';
