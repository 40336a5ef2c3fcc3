import type { Session } from '../onnx/session.ts';
import { WeightsError } from '../onnx/tensors.ts';
import type { HolePicture } from './fill_by_patches.ts';

/** Input names of the MI-GAN pipeline: an image, and a mask that is 255 for known pixels and 0 in the hole. */
export const MIGAN_INPUTS = ['image', 'mask'] as const;

/**
 * Fills a hole with MI-GAN, whose graph crops around the hole, scales the crop to the training size and pastes the result itself.
 * Source: Sargsyan and others, "MI-GAN: A simple baseline for image inpainting on mobile devices", 2023.
 * @param picture opaque; its samples in the hole are overwritten
 * @throws WeightsError for any other graph
 */
export async function fillByNetwork(
  session: Pick<Session, 'inputs' | 'runBytes'>,
  { width, height, data, hole }: HolePicture,
): Promise<void> {
  if (MIGAN_INPUTS.some((name) => !session.inputs.includes(name)))
    throw new WeightsError(
      `The graph has the inputs ${session.inputs.join(', ')} instead of ${MIGAN_INPUTS.join(', ')}.`,
    );
  const pixels = width * height;
  const planes = new Uint8Array(3 * pixels);
  for (let at = 0; at < pixels; at++)
    for (let side = 0; side < 3; side++) planes[side * pixels + at] = hole[at] ? 0 : data[4 * at + side]!;
  const filled = await session.runBytes({
    image: { data: planes, sides: [1, 3, height, width] },
    mask: { data: hole.map((value) => (value ? 0 : 255)), sides: [1, 1, height, width] },
  });
  if (filled.data.length !== planes.length)
    throw new WeightsError(
      `The graph returns ${filled.sides.join(' × ')} values for an image of ${width} × ${height}.`,
    );
  for (let at = 0; at < pixels; at++)
    if (hole[at]) for (let side = 0; side < 3; side++) data[4 * at + side] = filled.data[side * pixels + at]!;
}
