import type { UpscalerName } from '../../services/models/manifest.ts';

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

export const DEFAULT_MODEL: UpscaleModel = 'realesrgan_x2plus';
