import { type Fold, fold } from '../cloth.ts';
import { hypot2 } from '../light.ts';
import { flattenOutline, mirrorOutline } from '../outline.ts';

/** Half a hooded sweatshirt, from the top of its hood to the centre of its hem, and its mirror image. */
export const OUTLINE = mirrorOutline(
  flattenOutline(
    [500, 58],
    [
      [
        [560, 57],
        [612, 84],
        [628, 140],
      ],
      [
        [638, 176],
        [636, 206],
        [628, 228],
      ],
      [
        [668, 240],
        [704, 250],
        [738, 270],
      ],
      [
        [782, 300],
        [802, 380],
        [826, 500],
      ],
      [
        [846, 600],
        [866, 690],
        [882, 778],
      ],
      [
        [886, 806],
        [886, 822],
        [884, 836],
      ],
      [
        [862, 848],
        [834, 852],
        [812, 848],
      ],
      [
        [806, 830],
        [802, 814],
        [800, 796],
      ],
      [
        [784, 700],
        [762, 590],
        [738, 480],
      ],
      [
        [740, 600],
        [742, 760],
        [740, 860],
      ],
      [
        [736, 880],
        [732, 900],
        [728, 924],
      ],
      [
        [726, 930],
        [720, 933],
        [712, 934],
      ],
      [
        [640, 940],
        [570, 941],
        [500, 941],
      ],
    ],
  ),
);

/** Seams of sleeves, hood, ribbing and pocket. */
export const SEAMS = [
  [
    [738, 272],
    [726, 340],
    [732, 420],
    [740, 484],
  ],
  [
    [262, 272],
    [274, 340],
    [268, 420],
    [260, 484],
  ],
  [
    [740, 860],
    [620, 867],
    [500, 868],
    [380, 867],
    [260, 860],
  ],
  [
    [882, 778],
    [842, 792],
    [800, 796],
  ],
  [
    [118, 778],
    [158, 792],
    [200, 796],
  ],
  [
    [628, 228],
    [600, 262],
    [556, 288],
    [500, 298],
    [444, 288],
    [400, 262],
    [372, 228],
  ],
] as const;

/** The pocket: its upper edge and slanted openings; the hem closes it below. */
export const POCKET = [
  [416, 664],
  [584, 664],
  [662, 790],
  [662, 866],
  [338, 866],
  [338, 790],
] as const;

/** The opening of the hood: round at the top, pointed at the bottom. */
export const HOOD = { x: 500, y: 168, across: 84, up: 84, down: 122 };

/** Signed distance to the opening of the hood, negative inside. */
export function hoodDistance(x: number, y: number): number {
  const dy = y - HOOD.y;
  const narrow = dy > 0 ? 1 - 0.22 * (dy / HOOD.down) ** 2 : 1;
  return (
    (hypot2((x - HOOD.x) / (HOOD.across * narrow), dy / (dy < 0 ? HOOD.up : HOOD.down)) - 1) * HOOD.across
  );
}

/** Cords hanging from both sides of the opening. */
export const CORDS = [
  flattenOutline(
    [457, 258],
    [
      [
        [446, 286],
        [452, 316],
        [447, 344],
      ],
    ],
  ),
  flattenOutline(
    [543, 258],
    [
      [
        [556, 290],
        [547, 322],
        [555, 356],
      ],
    ],
  ),
];

/** Heavy cloth: few, broad folds, gathered above the ribbing and at the elbows. */
export const FOLDS: readonly Fold[] = [
  fold([15, 14], 730, 478, 690, 520, 640, 548, 580, 556),
  fold([14, 11], 734, 500, 706, 566, 664, 620),
  fold([13, 10], 728, 460, 684, 448, 630, 440),
  fold([15, 13], 268, 478, 312, 524, 362, 546, 418, 558),
  fold([14, 11], 268, 504, 296, 570, 330, 626),
  fold([13, 9], 274, 456, 318, 444, 366, 446),
  fold([14, 12], 738, 846, 690, 826, 640, 822),
  fold([13, 10], 734, 812, 690, 778, 664, 726),
  fold([14, 12], 262, 846, 310, 828, 352, 820),
  fold([13, 10], 266, 806, 306, 770, 332, 720),
  fold([16, 9], 700, 600, 690, 700, 704, 800),
  fold([16, 9], 300, 590, 312, 690, 296, 790),
  fold([14, 13], 758, 520, 796, 540, 838, 546),
  fold([13, 11], 772, 590, 810, 600, 850, 596),
  fold([12, 11], 784, 640, 818, 664, 858, 664),
  fold([14, 12], 796, 772, 830, 752, 868, 748),
  fold([12, 9], 792, 738, 824, 716, 858, 710),
  fold([14, 13], 242, 520, 204, 544, 162, 548),
  fold([13, 11], 228, 584, 190, 602, 150, 594),
  fold([12, 11], 216, 646, 182, 660, 142, 668),
  fold([14, 12], 204, 772, 170, 756, 132, 746),
  fold([12, 9], 208, 734, 176, 720, 142, 706),
  fold([15, -8], 760, 330, 784, 420, 806, 500),
  fold([15, -8], 240, 330, 216, 420, 194, 500),
  fold([14, 9], 650, 262, 676, 330, 690, 400),
  fold([14, 9], 350, 262, 326, 332, 310, 402),
  fold([13, 9], 612, 120, 600, 190, 566, 262),
  fold([13, 9], 388, 122, 402, 190, 434, 262),
  fold([12, 7], 560, 74, 600, 110, 618, 160),
  fold([18, 6], 512, 560, 506, 610, 514, 660),
];
