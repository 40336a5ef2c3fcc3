import type { ImageRule } from './rule.ts';
import { INK_GOOD, INK_MOST } from './thresholds.ts';

export const IMAGE_RULES: readonly ImageRule[] = [
  {
    id: 'image_total_ink',
    about: 'image',
    severity: 'error',
    basis: 'Trade practice: total area coverage; ISO 12647-2',
    check: ({ look }) =>
      (look?.inkPercent ?? 0) > INK_MOST &&
      `Its darkest parts take ${look!.inkPercent} % ink; no press takes more than ${INK_MOST} %.`,
    remedy: 'Convert it anew with the profile of the press (convert_color_profile).',
  },
  {
    id: 'image_much_ink',
    about: 'image',
    severity: 'warning',
    basis: 'Trade practice: total area coverage on coated paper; ISO 12647-2',
    check: ({ look }) => {
      const ink = look?.inkPercent ?? 0;
      return (
        ink > INK_GOOD &&
        ink <= INK_MOST &&
        `Its darkest parts take ${ink} % ink; more than ${INK_GOOD} % dries badly.`
      );
    },
    remedy: 'Convert it anew with the profile of the press (convert_color_profile).',
  },
  {
    id: 'image_broken',
    about: 'image',
    severity: 'error',
    basis: 'ISO 32000-1, 7.4: streams unpack whole',
    check: ({ look }) => look?.isBroken === true && 'Its pixels do not unpack, or not all of them.',
    remedy: 'Place it anew; the file was damaged on its way.',
  },
];
