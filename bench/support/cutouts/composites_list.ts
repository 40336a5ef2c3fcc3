import type { ObjectName } from './loose_objects.ts';

/** All decisions use the first half; the second is only for the final measurement. */
export type Half = 'building' | 'held_back';

export interface CompositeRow {
  readonly half: Half;
  readonly object: ObjectName;
  /** A shared image. */
  readonly ground: string;
  readonly isUpright: boolean;
  /** Share of the image height. */
  readonly part: number;
  /** Position in the remaining space: 0 is left or top, 1 is right or bottom. */
  readonly across: number;
  readonly down: number;
  readonly isMirrored: boolean;
}

type Short = readonly [
  object: ObjectName,
  ground: string,
  part: number,
  across: number,
  down: number,
  ...looks: ('upright' | 'mirrored')[],
];

const rows = (half: Half, list: readonly Short[]): CompositeRow[] =>
  list.map(([object, ground, part, across, down, ...looks]) => ({
    half,
    object,
    ground,
    part,
    across,
    down,
    isUpright: looks.includes('upright'),
    isMirrored: looks.includes('mirrored'),
  }));

/**
 * Sixty images: ten objects with known opacity on six backgrounds each, the last two mostly with a small
 * object. No object and no background is in both halves. An object cut off by the edge of its own image
 * touches the edge here.
 */
export const COMPOSITES: readonly CompositeRow[] = [
  ...rows('building', [
    ['trolls', 'train/budgie-tea-gardens.jpg', 0.8, 0.4, 1],
    ['trolls', 'train/texture-onyx.jpg', 0.7, 0.6, 1, 'mirrored'],
    ['trolls', 'artworks/met-435809-pieter-bruegel-the-elder-the-harvesters.jpg', 0.85, 0.5, 1],
    ['trolls', 'train/budgie-orange-hallway.jpg', 0.6, 0.5, 1, 'upright'],
    ['plant', 'train/elementary-ashim-dsilva.jpg', 1, 1, 1],
    ['plant', 'train/pexels-161212.jpg', 1, 0, 1, 'mirrored'],
    ['plant', 'artworks/met-437398-rembrandt-flora.jpg', 1, 0, 1, 'mirrored'],
    ['plant', 'train/texture-metal.jpg', 1, 1, 1],
    ['car', 'train/budgie-high-trestle-trail.jpg', 0.45, 0.5, 0.75],
    ['car', 'train/pexels-315998.jpg', 0.35, 0.3, 0.8, 'mirrored'],
    ['car', 'artworks/met-437436-auguste-renoir-a-road-in-louveciennes.jpg', 0.4, 0.6, 0.9],
    ['car', 'train/texture-ground054.jpg', 0.5, 0.5, 0.5],
    ['drawn_witch', 'train/budgie-lake-sherburne.jpg', 0.85, 0.4, 0.8],
    ['drawn_witch', 'train/texture-bark.jpg', 0.8, 0.6, 0.6, 'mirrored'],
    ['drawn_witch', 'artworks/met-437980-vincent-van-gogh-cypresses.jpg', 0.75, 0.5, 0.9, 'upright'],
    ['drawn_witch', 'train/pd-piranesi-carceri.png', 0.8, 0.5, 0.7],
    ['girl_in_red', 'train/budgie-singaporean-cityscape.jpg', 0.95, 0, 1],
    ['girl_in_red', 'train/pexels-472309.jpg', 0.8, 0, 1],
    [
      'girl_in_red',
      'artworks/met-436090-charles-francois-daubigny-landscape-with-a-sunlit-stream.jpg',
      0.85,
      0,
      1,
    ],
    ['girl_in_red', 'train/texture-rustymetal.jpg', 0.9, 0, 1],
    ['trolls', 'train/pexels-315998.jpg', 0.35, 0.8, 0.9],
    ['trolls', 'train/budgie-lake-sherburne.jpg', 0.95, 0.5, 1, 'upright'],
    ['plant', 'train/budgie-orange-hallway.jpg', 0.7, 1, 1],
    ['plant', 'train/pexels-472309.jpg', 0.8, 0, 1, 'mirrored'],
    ['car', 'train/budgie-lake-sherburne.jpg', 0.18, 0.2, 0.9],
    ['car', 'train/texture-bark.jpg', 0.3, 0.7, 0.6, 'mirrored'],
    ['drawn_witch', 'train/budgie-high-trestle-trail.jpg', 0.3, 0.7, 0.8],
    ['drawn_witch', 'train/pexels-161212.jpg', 0.45, 0.2, 0.9, 'mirrored'],
    ['girl_in_red', 'train/elementary-ashim-dsilva.jpg', 0.5, 0, 1],
    ['girl_in_red', 'train/texture-onyx.jpg', 0.6, 0, 1, 'upright'],
  ]),
  ...rows('held_back', [
    ['doll', 'train/elementary-ryan-schroeder.jpg', 0.95, 0.5, 1],
    ['doll', 'train/budgie-roman-colosseum.jpg', 0.8, 0.3, 1, 'upright'],
    ['doll', 'artworks/met-437307-camille-pissarro-poplars-eragny.jpg', 0.85, 0.6, 1, 'upright'],
    ['doll', 'train/texture-mossyrock.jpg', 0.9, 0.5, 1, 'mirrored'],
    ['witch', 'train/budgie-the-spices-of-life.jpg', 0.8, 0.4, 0.8],
    ['witch', 'train/pexels-164201.jpg', 0.7, 0.6, 0.9, 'mirrored'],
    ['witch', 'artworks/met-437680-alfred-sisley-the-bridge-at-villeneuve-la-gare.jpg', 0.75, 0.5, 0.8],
    ['witch', 'train/texture-facade.jpg', 0.85, 0.5, 0.5, 'upright'],
    ['tree', 'train/budgie-extreme-desert-hike.jpg', 0.85, 0.5, 0.8],
    ['tree', 'train/pexels-434614.jpg', 0.7, 0.4, 0.7],
    [
      'tree',
      'artworks/met-437853-joseph-mallord-william-turne-venice-from-the-porch-of-madonna.jpg',
      0.8,
      0.6,
      0.8,
    ],
    ['tree', 'train/texture-rock.jpg', 0.8, 0.5, 0.5],
    ['girls', 'train/nolmoonen-bus.jpg', 0.9, 1, 1],
    ['girls', 'train/ccby-plaigne-2.jpg', 0.75, 1, 1],
    ['girls', 'artworks/met-438635-camille-corot-waterfall-at-terni.jpg', 0.85, 1, 1],
    ['girls', 'train/pd-signac-calanque.jpg', 0.95, 1, 1],
    ['honeysuckle', 'train/elementary-mr-lee.jpg', 0.9, 0.5, 1],
    ['honeysuckle', 'train/budgie-ocean-waves.jpg', 0.8, 0.4, 1],
    ['honeysuckle', 'artworks/met-11894-william-trost-richards-indian-summer.jpg', 0.85, 0.5, 1, 'upright'],
    ['honeysuckle', 'train/flickr-bunker-entrance.jpg', 0.75, 0.6, 1, 'mirrored'],
    ['doll', 'train/budgie-ocean-waves.jpg', 0.35, 0.7, 0.9],
    ['doll', 'train/pexels-434614.jpg', 1, 0.5, 1, 'upright'],
    ['witch', 'train/budgie-extreme-desert-hike.jpg', 0.3, 0.2, 0.9],
    ['witch', 'train/elementary-ryan-schroeder.jpg', 0.5, 0.7, 1, 'mirrored'],
    ['tree', 'train/budgie-ocean-waves.jpg', 0.4, 0.8, 0.6],
    ['tree', 'train/elementary-mr-lee.jpg', 0.6, 0.3, 0.9, 'upright'],
    ['girls', 'train/budgie-roman-colosseum.jpg', 0.5, 1, 1],
    ['girls', 'train/texture-rock.jpg', 0.65, 1, 1],
    ['honeysuckle', 'train/texture-mossyrock.jpg', 0.45, 0.3, 0.5],
    ['honeysuckle', 'train/pexels-164201.jpg', 0.6, 0.8, 1],
  ]),
];
