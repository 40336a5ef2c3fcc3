import type { Difference } from '@atelier/imaging/difference/difference.ts';
import { z } from 'zod';

const share = z.number().min(0).max(1);

export const differenceFields = z.object({
  crop_box: z
    .object({ x: share, y: share, width: share, height: share })
    .describe('The visible part of the registered image, as shares of its width and height.'),
  rotation_degrees: z.number().min(-180).max(180).describe('Clockwise.'),
  mirrored: z.boolean().describe('Mirrored left to right, before rotation.'),
  changed_regions: z
    .array(
      z.object({
        polygon: z.array(z.array(share).length(2)).describe('[x, y] as shares of the image sent.'),
        share: share.describe('Part of the picture sent.'),
      }),
    )
    .describe(
      'Regions that differ from the registered image, the largest first. Slight retouching is not detected.',
    ),
  changed_share: share,
  beyond_share: share.describe(
    'Share of the image sent that lies outside the registered image, such as a frame.',
  ),
  heat_map_b64: z
    .string()
    .describe('PNG of at most 256 pixels: changes from yellow to red, areas outside in blue.'),
});

export const differenceAnswer = (difference: Difference): z.input<typeof differenceFields> => ({
  crop_box: difference.cropBox,
  rotation_degrees: difference.rotationDegrees,
  mirrored: difference.mirrored,
  changed_regions: difference.regions.map(({ polygon, share: part }) => ({
    polygon: polygon.map(([x, y]) => [x, y]),
    share: part,
  })),
  changed_share: difference.changedShare,
  beyond_share: difference.beyondShare,
  heat_map_b64: Buffer.from(difference.heatMap).toString('base64'),
});

/** Share of an edge that scaling or saving may lose. */
const EDGE = 0.02;

/** Short descriptions of the edits made to an image; empty for a plain copy. */
export function describeDifferences({
  cropBox,
  rotationDegrees,
  mirrored,
  regions,
  beyondShare,
}: Difference): string[] {
  const percent = (part: number) => `${Math.max(1, Math.round(part * 100))} %`;
  const shown = cropBox.width * cropBox.height;
  const said: [boolean, string][] = [
    [mirrored, 'mirrored'],
    [
      Math.abs(rotationDegrees) >= 0.5,
      `rotated by ${Math.abs(rotationDegrees)}° ${rotationDegrees < 0 ? 'anticlockwise' : 'clockwise'}`,
    ],
    [shown < 1 - EDGE, `cropped to ${percent(shown)} of the registered image`],
    [beyondShare > EDGE, `${percent(beyondShare)} of it lies outside the registered image`],
    [regions.length > 0, `changed in ${regions.length === 1 ? 'one place' : `${regions.length} places`}`],
  ];
  return said.flatMap(([holds, words]) => (holds ? [words] : []));
}
