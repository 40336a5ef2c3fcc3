import { COLORS } from '@atelier/imaging/upscale/architecture.ts';
import { SPEED_SAMPLE_PX } from './limits.ts';
import { type ModelFile, openModel } from './open_models.ts';

/** Measures the time of an open model for a small image; the content makes no difference. */
export async function runMeasureUpscaler({
  model,
}: {
  readonly model: ModelFile;
}): Promise<{ pixelsSeen: number; seconds: number }> {
  const network = await openModel(model);
  const side = SPEED_SAMPLE_PX;
  const planes = new Float32Array(COLORS * side * side).fill(0.5);
  const started = performance.now();
  await network.enlarge(planes, side, side);
  return { pixelsSeen: side * side, seconds: (performance.now() - started) / 1000 };
}
