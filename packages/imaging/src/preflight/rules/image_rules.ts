import { type ImageRule, inkErrorText, inkWarningText } from './rule.ts';

export const IMAGE_RULES: readonly ImageRule[] = [
  {
    id: 'image_total_ink',
    about: 'image',
    severity: 'error',
    basis: 'Trade practice: total area coverage; ISO 12647-2',
    check: ({ inspection }, { ink }) => {
      const problem = inkErrorText(inspection?.inkPercent ?? 0, ink);
      return problem && `Its darkest areas have ${problem}`;
    },
    remedy: 'Convert it again with the profile of the press (convert_color_profile), or reduce it with fix.',
  },
  {
    id: 'image_much_ink',
    about: 'image',
    severity: 'warning',
    basis: 'Trade practice: total area coverage of the printing condition; ISO 12647-2',
    check: ({ inspection }, { ink }) => {
      const problem = inkWarningText(inspection?.inkPercent ?? 0, ink);
      return problem && `Its darkest areas have ${problem}`;
    },
    remedy: 'Convert it again with the profile of the press (convert_color_profile), or reduce it with fix.',
  },
  {
    id: 'image_broken',
    about: 'image',
    severity: 'error',
    basis: 'ISO 32000-1, 7.4: streams decode completely',
    check: ({ inspection }) =>
      inspection?.isBroken === true && 'Its pixels cannot be decoded, or not all of them.',
    remedy: 'Place it again; the file was damaged in transfer.',
  },
];
