import { type Box, containsBox, expandBox, MM_PER_POINT, pointsOf } from '../content/matrix.ts';
import { BOX_COORDINATE_MAX, USER_UNIT_MAX } from '../limits.ts';
import { mediaOf, trimOf } from '../pdf/pages.ts';
import { nameOf, numbersIn } from '../pdf/values.ts';
import type { PageFacts } from './facts.ts';
import { ANY_PDFX, type PageRule } from './rule.ts';

const BLEED_MM = 3;
/** Tolerance for rounded sizes. */
const SLACK_MM = 0.1;
const NEARLY_EMPTY_SHARE = 0.002;
const SIDE_MAX_PT = 14_400;

const mm = (points: number): string => String(Math.round(points * MM_PER_POINT * 10) / 10);

/** Minimum distance between the edges of two boxes in units; negative if the inner box extends beyond the outer. */
const minimumDistance = (inner: Box, outer: Box): number =>
  Math.min(
    inner.left - outer.left,
    inner.bottom - outer.bottom,
    outer.right - inner.right,
    outer.top - inner.top,
  );

function bleedFault({ page, marks }: PageFacts) {
  const trim = trimOf(page);
  const bleed = page.bleed ?? page.media ?? trim;
  const margin = minimumDistance(trim, bleed) * page.userUnit;
  if (marks === 0 || margin >= pointsOf(BLEED_MM - SLACK_MM)) return undefined;
  const bleedText = margin <= 0 ? 'no bleed' : `${mm(margin)} mm bleed`;
  return { message: `There is ${bleedText} around the trim; ${BLEED_MM} mm is usual.`, box: trim };
}

const SIDES = ['left', 'bottom', 'right', 'top'] as const;

/** Returns the sides whose content reaches the trim but does not fill the bleed. */
function unfilledSides({ page, paintedBox }: PageFacts): string[] {
  if (!paintedBox) return [];
  const trim = trimOf(page);
  const wanted = expandBox(trim, pointsOf(BLEED_MM - SLACK_MM) / page.userUnit);
  const slack = pointsOf(0.5) / page.userUnit;
  return SIDES.filter((side) => {
    const isLow = side === 'left' || side === 'bottom';
    const [cut, end, full] = [trim[side], paintedBox[side], wanted[side]];
    return isLow ? end <= cut + slack && end > full : end >= cut - slack && end < full;
  });
}

export const PAGE_RULES: readonly PageRule[] = [
  {
    id: 'media_box_missing',
    about: 'page',
    severity: 'error',
    basis: 'ISO 32000-1, 7.7.3.3: every page has a MediaBox',
    check: ({ page }) =>
      page.media === undefined && !page.invalid.includes('MediaBox') && 'It has no MediaBox with a size.',
    remedy: 'Export it again.',
  },
  {
    id: 'page_size_invalid',
    about: 'page',
    severity: 'error',
    basis: 'ISO 32000-1, 14.11.2 and annex C: limits of page sizes',
    check: ({ page }) =>
      page.invalid.length > 0 &&
      `Its ${page.invalid.join(', ')} is not plausible: coordinates are limited to ${BOX_COORDINATE_MAX} units, UserUnit to ${USER_UNIT_MAX}.`,
    remedy: 'Export it again with the size of the page.',
  },
  {
    id: 'trim_box_missing',
    about: 'page',
    severity: 'error',
    severityWithoutStandard: 'warning',
    basis: 'ISO 15930: TrimBox or ArtBox on every page; ISO 32000-1, 14.11.2',
    check: ({ page }) => !page.trim && !page.art && 'It has no TrimBox, so the trim size is unknown.',
    remedy: 'Export it with its trim size, which writes a TrimBox.',
  },
  {
    id: 'trim_and_art_box',
    about: 'page',
    severity: 'error',
    standards: ANY_PDFX,
    basis: 'ISO 15930: TrimBox or ArtBox, not both',
    check: ({ page }) =>
      page.trim && page.art && { message: 'It has both a TrimBox and an ArtBox.', box: page.art },
    remedy: 'Remove the ArtBox.',
  },
  {
    id: 'boxes_not_nested',
    about: 'page',
    severity: 'error',
    basis: 'ISO 15930: trim inside bleed inside media',
    check: ({ page }) => {
      const { trim, art, bleed, media } = page;
      const pairs: [string, Box | undefined, string, Box | undefined][] = [
        ['TrimBox', trim, 'BleedBox', bleed],
        ['ArtBox', art, 'BleedBox', bleed],
        ['TrimBox', trim, 'MediaBox', media],
        ['ArtBox', art, 'MediaBox', media],
        ['BleedBox', bleed, 'MediaBox', media],
      ];
      const wrong = pairs.find(([, inner, , outer]) => inner && outer && !containsBox(inner, outer));
      return wrong && { message: `Its ${wrong[0]} extends beyond its ${wrong[2]}.`, box: wrong[1] };
    },
    remedy: 'Correct the boxes: MediaBox around BleedBox around TrimBox.',
  },
  {
    id: 'crop_box_cuts',
    about: 'page',
    severity: 'warning',
    basis: 'Trade practice: programs show and place only content inside the CropBox',
    check: ({ page }) => {
      const { crop, bleed, trim } = page;
      const inner = bleed ?? trim;
      return (
        crop &&
        inner &&
        !containsBox(inner, crop) && {
          message: `Its CropBox cuts into the ${bleed ? 'bleed' : 'trim'}.`,
          box: crop,
        }
      );
    },
    remedy: 'Make the CropBox as large as the MediaBox.',
  },
  {
    id: 'bleed_too_small',
    about: 'page',
    needsContent: true,
    severity: 'warning',
    basis: 'Trade practice: 3 mm bleed',
    check: bleedFault,
    remedy: 'Extend everything that reaches the trim 3 mm beyond it, and export with bleed.',
  },
  {
    id: 'bleed_not_filled',
    about: 'page',
    needsContent: true,
    severity: 'warning',
    basis: 'Trade practice: content that reaches the trim extends beyond it',
    check: (facts) => {
      const sides = bleedFault(facts) ? [] : unfilledSides(facts);
      return (
        sides.length > 0 && {
          message: `Content that reaches the trim ends there on the ${sides.join(', ')}; an inaccurate cut leaves a white edge.`,
          box: facts.paintedBox,
        }
      );
    },
    remedy: 'Extend backgrounds and images 3 mm beyond the trim.',
  },
  {
    id: 'annotations',
    about: 'page',
    severity: 'error',
    severityWithoutStandard: 'warning',
    basis: 'ISO 15930: no annotations inside the bleed, except TrapNet and PrinterMark',
    check: ({ page }, document) => {
      const area = page.bleed ?? trimOf(page);
      const inside = document
        .list(page.dictionary.get('Annots'))
        .slice(0, 2000)
        .flatMap((one) => {
          const annotation = document.dictionary(one);
          const kind = nameOf(document.get(annotation, 'Subtype')) ?? 'of no kind';
          const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbersIn(document.get(annotation, 'Rect'));
          const box = {
            left: Math.min(x1, x2),
            right: Math.max(x1, x2),
            bottom: Math.min(y1, y2),
            top: Math.max(y1, y2),
          };
          const isApart =
            box.left > area.right || box.right < area.left || box.bottom > area.top || box.top < area.bottom;
          return !annotation || isApart || /^(TrapNet|PrinterMark|Popup)$/.test(kind) ? [] : [{ kind, box }];
        });
      return inside.slice(0, 50).map(({ kind, box }) => ({
        message: `An annotation (${kind.slice(0, 30)}) is on the page; it may or may not be printed.`,
        box,
        object: `annotation ${kind.slice(0, 30)}`,
      }));
    },
    remedy: 'Delete comments and links, or flatten them into the page.',
  },
  {
    id: 'blank',
    about: 'page',
    needsContent: true,
    severity: 'warning',
    basis: 'Trade practice: blank pages are counted and printed',
    check: ({ marks, problems, page }) =>
      marks === 0 && problems.size === 0 && { message: 'The page is blank.', box: trimOf(page) },
    remedy: 'Remove it, unless it is meant to be blank.',
  },
  {
    id: 'nearly_empty',
    about: 'page',
    needsContent: true,
    severity: 'info',
    basis: 'Trade practice: pages created by overset text or a stray object',
    check: ({ marks, coveredArea, page, largest }) => {
      const trim = trimOf(page);
      const share = coveredArea / ((trim.right - trim.left) * (trim.top - trim.bottom));
      return (
        marks > 0 && share < NEARLY_EMPTY_SHARE && { message: 'The page is almost blank.', box: largest?.box }
      );
    },
    remedy: 'Check whether the page is intended.',
  },
  {
    id: 'rotated',
    about: 'page',
    severity: 'info',
    basis: 'Trade practice: some imposition programs ignore Rotate',
    check: ({ page }) => page.rotate !== 0 && `It is displayed rotated by ${page.rotate}°.`,
    remedy: 'Rotate the content of the page instead.',
  },
  {
    id: 'scaled_units',
    about: 'page',
    severity: 'error',
    basis: 'ISO 15930: no UserUnit before X-4; ISO 32000-1, 14.11.2',
    severityWithoutStandard: 'warning',
    check: ({ page }) =>
      page.userUnit !== 1 &&
      `Its unit is ${page.userUnit} points; programs that ignore it print the page at the wrong size.`,
    remedy: 'Export it at its real size.',
  },
  {
    id: 'page_too_large',
    about: 'page',
    severity: 'warning',
    basis: 'ISO 32000-1, annex C: at most 14,400 units',
    check: ({ page }) => {
      const { left, right, top, bottom } = mediaOf(page);
      return (
        Math.max(right - left, top - bottom) > SIDE_MAX_PT &&
        `It is ${mm(right - left)} × ${mm(top - bottom)} mm, above the limit of 14,400 units.`
      );
    },
    remedy: 'Export it at a scale, such as 1:10, and tell the printer.',
  },
  {
    id: 'content_broken',
    about: 'page',
    severity: 'error',
    basis: 'ISO 32000-1, 7.8: valid content streams',
    check: ({ problems }) =>
      [...problems].slice(0, 5).map((problem) => ({ message: `Its content ${problem}.` })),
    remedy: 'Export it again.',
  },
];
