import { type Fold, fold } from '../cloth.ts';
import { flattenOutline, mirrorOutline } from '../outline.ts';

/** A bag of 38 × 42 cm hanging by its straps: a trapezium with rounded corners. */
export const BAG = mirrorOutline(
  flattenOutline(
    [500, 356],
    [
      [
        [600, 358],
        [690, 352],
        [776, 343],
      ],
      [
        [784, 500],
        [786, 740],
        [797, 912],
      ],
      [
        [798, 930],
        [792, 941],
        [776, 943],
      ],
      [
        [690, 951],
        [590, 955],
        [500, 955],
      ],
    ],
  ),
);

/** Straps as polylines; the front strap is sewn on below the hem, the other hangs behind. */
export const FRONT_STRAP = flattenOutline(
  [352, 416],
  [
    [
      [350, 300],
      [372, 46],
      [500, 44],
    ],
    [
      [628, 46],
      [650, 300],
      [648, 416],
    ],
  ],
);
export const BACK_STRAP = flattenOutline(
  [378, 366],
  [
    [
      [382, 250],
      [398, 96],
      [502, 92],
    ],
    [
      [604, 96],
      [616, 250],
      [620, 366],
    ],
  ],
);

/** Folds of cloth held at two points: pulled from the straps to the corners, sagging in between, gathered at the bottom. */
export const FOLDS: readonly Fold[] = [
  fold([11, 9], 352, 424, 344, 520, 322, 640, 290, 760),
  fold([11, 9], 648, 424, 656, 530, 680, 650, 716, 780),
  fold([13, 8], 366, 440, 392, 560, 404, 700),
  fold([13, 8], 634, 440, 612, 560, 600, 690),
  fold([15, -7], 420, 372, 450, 450, 500, 470, 552, 450, 580, 372),
  fold([13, 7], 330, 430, 284, 476, 240, 500),
  fold([13, 7], 670, 430, 716, 470, 764, 492),
  fold([12, 10], 214, 930, 270, 860, 318, 770, 336, 690),
  fold([12, 10], 786, 934, 726, 856, 690, 770, 676, 690),
  fold([10, 7], 208, 800, 280, 770, 360, 768),
  fold([10, 7], 792, 790, 720, 752, 640, 750),
  fold([11, 7], 260, 944, 360, 910, 470, 912),
  fold([11, 6], 744, 946, 650, 916, 560, 918),
  fold([14, 7], 470, 620, 462, 780, 478, 940),
  fold([13, 6], 548, 680, 560, 800, 548, 940),
  fold([10, 6], 214, 610, 250, 640, 300, 652),
  fold([10, 6], 784, 600, 748, 636, 700, 642),
];
