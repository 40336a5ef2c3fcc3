import { richBlackText } from '../../print/ink_limit.ts';
import type { Mark } from '../content/mark.ts';
import { expandBox, intersection, MM_PER_POINT } from '../content/matrix.ts';
import { ALL_INKS, inksOf, isBlackOnly, isPaper, totalInk } from '../pdf/inks.ts';
import { trimOf } from '../pdf/pages.ts';
import { PLACED_IMAGE_RULES } from './placed_image_rules.ts';
import { inkErrorText, inkWarningText, type MarkRule, percent, WITHOUT_TRANSPARENCY } from './rule.ts';
import { TEXT_RULES } from './text_rules.ts';

const HAIRLINE_PT = 0.25;
/** Minimum size of a large area: 5 × 5 cm. */
const LARGE_MM2 = 2500;

const inks = ({ paint }: Mark) =>
  paint.pattern === undefined && paint.values.length > 0 ? inksOf(paint.space, paint.values) : undefined;
/** Inks of a mark; for a gradient, of its colour with the most ink. */
const maxCoverageInks = (mark: Mark) =>
  mark.paint.maxCoverageColor ? inksOf(mark.paint.space, mark.paint.maxCoverageColor) : inks(mark);
const relatedSpaces = ({ paint }: Mark) =>
  [paint.space, paint.space.base, paint.space.base?.base].filter((space) => space !== undefined);
const profiles = (mark: Mark) =>
  relatedSpaces(mark).flatMap(({ profile, components }) => (profile ? [{ ...profile, components }] : []));
const visibleSpaces = (mark: Mark) =>
  mark.paint.space.basis === 'inks' ? [mark.paint.space] : relatedSpaces(mark);
const byObject = (mark: Mark): string => mark.image?.key ?? mark.object;
const isShown = (mark: Mark): boolean => !mark.isInvisible;
const isTypeOrArea = ({ kind }: Mark): boolean => kind !== 'image';

/** Rules for painted objects. */
export const MARK_RULES: readonly MarkRule[] = [
  {
    id: 'rgb_in_x1a',
    about: 'mark',
    severity: 'error',
    standards: ['pdfx1a'],
    basis: 'ISO 15930-1 and -4: CMYK, grey and spot colours only',
    check: (mark) =>
      visibleSpaces(mark).some(({ basis }) => basis === 'rgb' || basis === 'lab') &&
      `It is in ${mark.paint.space.family}.`,
    remedy: 'Convert it to CMYK for the output intent, or export as PDF/X-4.',
  },
  {
    id: 'rgb_without_profile',
    about: 'mark',
    severity: 'error',
    severityWithoutStandard: 'warning',
    standards: ['pdfx3', 'pdfx4', 'none'],
    basis: 'ISO 15930-3, -6 and -7: DeviceRGB only for an RGB condition',
    check: (mark, { intent }) =>
      intent !== 'RGB' &&
      visibleSpaces(mark).some(({ family }) => family === 'DeviceRGB') &&
      'It is in RGB without a profile, so the intended colours are unknown.',
    remedy: 'Tag it with its profile (mostly sRGB), or convert it to CMYK.',
  },
  {
    id: 'rgb_with_profile',
    about: 'mark',
    severity: 'info',
    standards: ['pdfx3', 'pdfx4', 'none'],
    basis: 'Trade practice: colours outside the gamut of the press become duller',
    deduplicationKey: byObject,
    check: (mark, { intent }) =>
      intent !== 'RGB' &&
      visibleSpaces(mark).some(({ basis, family }) => basis === 'rgb' && family !== 'DeviceRGB') &&
      'It is in RGB and will be converted for the press.',
    remedy: 'Look at it in a soft proof (convert_color_profile), or convert it yourself.',
  },
  {
    id: 'profile_in_x1a',
    about: 'mark',
    severity: 'error',
    standards: ['pdfx1a'],
    basis: 'ISO 15930-1 and -4: no ICCBased, CalGray, CalRGB, Lab',
    check: (mark) =>
      relatedSpaces(mark).some(({ family }) => /^(ICCBased|CalGray|CalRGB|Lab)$/.test(family)) &&
      `It is in a colour space with a profile (${mark.paint.space.family}).`,
    remedy: 'Convert it to CMYK for the output intent.',
  },
  {
    id: 'profile_broken',
    about: 'mark',
    severity: 'error',
    basis: 'ICC.1 and ISO 32000-1, 8.6.5.5: N channels, and a class with colours',
    deduplicationKey: byObject,
    check: (mark) => {
      if (relatedSpaces(mark).some(({ isProfileMissing }) => isProfileMissing))
        return 'Its colour space has no readable profile.';
      const wrong = profiles(mark).find(
        ({ isWhole, channels, components, kind }) =>
          !isWhole || (channels ?? components) !== components || /^(link|nmcl|abst)$/.test(kind),
      );
      return (
        wrong &&
        `Its profile is ${wrong.isWhole ? `of class "${wrong.kind}" for ${wrong.space}, used for ${wrong.components} channels` : 'truncated or invalid'}.`
      );
    },
    remedy: 'Tag it with the correct profile.',
  },
  {
    id: 'profile_too_new',
    about: 'mark',
    severity: 'error',
    standards: ['pdfx3'],
    basis: 'ISO 32000-1, table 67: ICC version 4 from PDF 1.5 on',
    deduplicationKey: byObject,
    check: (mark) =>
      profiles(mark).some(({ version }) => version >= 4) &&
      'Its profile is ICC version 4; PDF 1.4 supports version 2.',
    remedy: 'Use a version 2 profile, or export as PDF/X-4.',
  },
  {
    id: 'transparency',
    about: 'mark',
    severity: 'error',
    standards: WITHOUT_TRANSPARENCY,
    basis: 'ISO 15930-1 to -6: no transparency; ISO 32000-1, 11',
    check: (mark) => {
      const reasons = [
        mark.alpha < 1 && `${percent(100 * mark.alpha)} opacity`,
        !/^(Normal|Compatible)$/.test(mark.blend) && `blend mode ${mark.blend.slice(0, 20)}`,
        (mark.hasSoftMask || mark.image?.hasSoftMask) && 'a soft mask',
      ].filter(Boolean);
      return reasons.length > 0 && `It is transparent: ${reasons.join(', ')}.`;
    },
    remedy: 'Flatten transparency when exporting, or export as PDF/X-4.',
  },
  {
    id: 'hairline',
    about: 'mark',
    severity: 'error',
    basis: 'Trade practice: lines of at least 0.25 pt',
    check: ({ kind, lineWidth = 1 }) =>
      kind === 'stroke' &&
      lineWidth < HAIRLINE_PT - 0.005 &&
      `A line is ${lineWidth === 0 ? 'as thin as the device allows' : `${Math.round(1000 * lineWidth) / 1000} pt wide`}; it may not be visible in print.`,
    remedy: `Draw lines ${HAIRLINE_PT} pt wide or more.`,
  },
  {
    id: 'total_ink',
    about: 'mark',
    severity: 'error',
    basis: 'Trade practice: total area coverage; ISO 12647-2',
    check: (mark, { ink }) => {
      const found = isTypeOrArea(mark) && isShown(mark) ? maxCoverageInks(mark) : undefined;
      if (!found || found.has(ALL_INKS)) return false;
      const problem = inkErrorText(totalInk(found), ink);
      return problem && `It has ${problem}`;
    },
    remedy: 'Reduce the ink to the limit of the printing condition, or reduce it with fix.',
  },
  {
    id: 'much_ink',
    about: 'mark',
    severity: 'warning',
    basis: 'Trade practice: total area coverage of the printing condition; ISO 12647-2',
    check: (mark, { ink }) => {
      const found = isTypeOrArea(mark) && isShown(mark) ? maxCoverageInks(mark) : undefined;
      const problem = found && !found.has(ALL_INKS) && inkWarningText(totalInk(found), ink);
      return problem && `It has ${problem}`;
    },
    remedy: 'Reduce the ink to the limit of the printing condition, or reduce it with fix.',
  },
  {
    id: 'large_black_in_one_ink',
    about: 'mark',
    severity: 'info',
    basis: 'Trade practice: large areas in black ink only look grey',
    deduplicationKey: () => 'black area',
    check: (mark, { ink }, { page }) => {
      const found = mark.kind === 'fill' && isShown(mark) ? inks(mark) : undefined;
      const { left, right, bottom, top } = mark.box;
      const mm = MM_PER_POINT * page.userUnit;
      const isLarge = (right - left) * mm * (top - bottom) * mm >= LARGE_MM2;
      return (
        isLarge &&
        found !== undefined &&
        isBlackOnly(found) &&
        `A large area is in black ink only, which looks grey; a rich black for ${ink.condition} is ${richBlackText(ink)}.`
      );
    },
    remedy: 'Add cyan, magenta and yellow to large black areas, never to small black text.',
  },
  {
    id: 'white_overprint',
    about: 'mark',
    severity: 'error',
    basis: 'Trade practice: overprinting white disappears; ISO 32000-1, 8.6.7',
    check: (mark) => {
      const found = isTypeOrArea(mark) && isShown(mark) && mark.overprint ? inks(mark) : undefined;
      // In overprint mode 0, zero values of DeviceCMYK still knock out.
      const isGone = mark.overprintMode === 1 || mark.paint.space.basis === 'inks';
      return (
        found && isPaper(found) && isGone && 'It is white and set to overprint, so it will not be visible.'
      );
    },
    remedy: 'Turn off overprint for white objects.',
  },
  {
    id: 'registration_color',
    about: 'mark',
    severity: 'error',
    basis: 'Trade practice: the registration colour is for marks outside the page; ISO 32000-1, 8.6.6.4',
    check: (mark, _criteria, { page }) => {
      const isAll = mark.paint.space.inks?.includes(ALL_INKS) && (mark.paint.values[0] ?? 1) > 0;
      const trim = expandBox(trimOf(page), -0.5);
      return (
        isAll &&
        intersection(mark.box, trim) !== undefined &&
        'It is in the registration colour, which prints on every plate.'
      );
    },
    remedy: 'Use black (0, 0, 0, 100) in the artwork.',
  },
  ...TEXT_RULES,
  ...PLACED_IMAGE_RULES,
];
