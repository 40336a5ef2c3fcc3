import { largestFirst } from '../../pixels/box.ts';
import { roundTo } from '../../pixels/round_to.ts';
import type { Seen } from '../../vision/seen.ts';
import { narrowest } from '../../vision/vocabulary.ts';
import type { Measures } from '../analyse_picture.ts';
import { ANALYSIS_FIELDS, type AnalysisField, SECTIONS, type Section } from '../analysis_fields.ts';
import { atPlace, type Point, placeName } from '../places.ts';
import {
  colorShares,
  dropUndefined,
  type Fact,
  type Facts,
  type FactValue,
  measuredFact,
  percent,
  type TermIds,
} from './facts.ts';
import { type Given, oneLine } from './given.ts';

/** Below this side, composition is not analysed. */
const SIDE_MIN = 32;

/**
 * Measurements, detections of models and statements of the client, in the sections of a full analysis. `withUnseen` adds the fields that only a
 * viewer can fill.
 * @param given returned unchanged, never treated as instructions
 */
export function measuredFacts(measures: Measures, given: Given): Facts {
  const isLarge = Math.min(measures.width, measures.height) >= SIDE_MIN && !measures.isBlank;
  return {
    work: givenFacts(given),
    description: descriptionFacts(measures, given),
    composition: { ...formatFacts(measures), ...(isLarge && compositionFacts(measures)) },
    color: colorFacts(measures),
    light: lightFacts(measures, isLarge),
    surface: isLarge ? surfaceFacts(measures) : {},
    reading: dropUndefined({ energy: measuredFact(energyOf(measures), 0.5) }),
    reproduction: reproductionFacts(measures),
  };
}

/**
 * Adds every field that only a viewer can fill and that has no value, on the basis `unseen`.
 * @param text value of these fields; absent: "Needs eyes" with the description of the field
 */
export function withUnseen(facts: Facts, text?: string): Facts {
  const sections = SECTIONS.map((section) => {
    const unseen = unseenFields(section).map((name): [string, Fact] => {
      const { kind, about } = (ANALYSIS_FIELDS[section] as Record<string, AnalysisField>)[name]!;
      const value = kind === 'texts' ? [] : (text ?? `Needs eyes: ${about}`);
      return [name, { value, basis: 'unseen', confidence: 0 }];
    });
    return [section, { ...Object.fromEntries(unseen), ...facts[section] }];
  });
  return Object.fromEntries(sections) as Facts;
}

/** Fields of a section that only a viewer can fill. */
const unseenFields = (section: Section): string[] =>
  Object.entries(ANALYSIS_FIELDS[section]).flatMap(([name, { from }]) =>
    (from as readonly string[]).includes('unseen') ? [name] : [],
  );

const givenFact = (text: string): Fact | undefined => {
  const value = oneLine(text);
  return value ? { value, basis: 'given', confidence: 1 } : undefined;
};

/** Statements of the client about the work, each on one line. */
export const givenFacts = (given: Given): Facts['work'] =>
  dropUndefined({
    title: givenFact(given.title),
    artist_name: givenFact(given.artist_name),
    date: givenFact(given.creation_year),
    copyright_holder: givenFact(given.copyright_holder),
    content_type: givenFact(given.content_type),
    brief: givenFact(given.context),
  });

/** Name of the image format with these sides. */
export function formatName({ width, height }: Pick<Measures, 'width' | 'height'>): string {
  const ratio = width / height;
  if (ratio > 2.1) return 'panorama';
  if (ratio < 1 / 2.1) return 'tall strip';
  if (ratio > 1.06) return 'landscape format';
  return ratio < 1 / 1.06 ? 'portrait format' : 'square';
}

/** Not detected, which does not prove absence. */
const NONE: Fact = { value: 'none found', basis: 'measured', confidence: 0.5 };
const NO_ENTRIES: Fact = { ...NONE, value: [] };

const KEYWORDS_MAX = 24;
/** Number of broader terms of a detected subject, nearest first: "cat", "mammal", "animal". */
const BROADER_MAX = 3;
const SUBJECTS_MAX = 12;

function descriptionFacts(measures: Measures, given: Given): Facts['description'] {
  const { horizon, pattern, figure } = measures.subject;
  const detected = narrowest(measures.subjects ?? []).slice(0, SUBJECTS_MAX);
  const scenes = detected.filter(({ kind }) => kind === 'scene');
  const subjects = detectedFact(
    detected.map(({ term }) => term),
    detected,
  );
  return dropUndefined({
    keywords: keywordsFact(detected, given),
    subjects: subjects && { ...subjects, ...idsOf(detected) },
    setting: detectedFact(scenes.map(({ term }) => term).join(', '), scenes),
    people: peopleFact(measures),
    horizon: horizon
      ? measuredFact(`level border at ${Math.round(100 * horizon.height)}% from the top`, horizon.confidence)
      : NONE,
    writing: writingFact(measures),
    content_hint: contentHintFact(measures),
    repeating_pattern: pattern
      ? measuredFact(
          `step ${percent(pattern.stepX)}% of the width, ${percent(pattern.stepY)}% of the height`,
          pattern.likeness,
        )
      : NONE,
    figure_on_plain_ground: figure
      ? measuredFact(`${figure.place}, ${percent(figure.share)}% of the surface`, figure.confidence)
      : NONE,
  });
}

type Detected = NonNullable<Seen['subjects']>[number];
interface Detection {
  readonly by: string | undefined;
  readonly confidence: number;
}

/** A fact detected by models; undefined without detections. */
function detectedFact(value: FactValue, detections: readonly Detection[]): Fact | undefined {
  if (detections.length === 0) return undefined;
  const by = [...new Set(detections.flatMap((detection) => detection.by?.split(', ') ?? []))].join(', ');
  const confidence = roundTo(Math.min(...detections.map((detection) => detection.confidence)), 2);
  return { value, basis: 'model', confidence, ...(by && { by }) };
}

function idsOf(detected: readonly Detected[]): { ids?: Record<string, TermIds> } {
  const known = detected.flatMap(({ term, ids }) => (ids ? [[term, ids] as const] : []));
  return known.length > 0 ? { ids: Object.fromEntries(known) } : {};
}

/** Subjects listed by a museum, else those detected by models, with their broader terms. */
function keywordsFact(detected: readonly Detected[], { museum }: Given): Fact | undefined {
  const listed = (museum?.subjects ?? []).map((subject) => oneLine(subject).toLowerCase());
  const terms = detected.flatMap(({ term, broader }) => [term, ...broader.slice(0, BROADER_MAX)]);
  const value = [...new Set([...listed, ...terms])].slice(0, KEYWORDS_MAX);
  if (listed.length > 0) return { value, basis: 'record', confidence: 0.95 };
  const fact = detectedFact(value, detected);
  return fact && { ...fact, ...idsOf(detected) };
}

/** Detected people and faces: models miss some, so counts are lower bounds. */
function peopleFact({ faces = [], facesBy, objects = [], objectsBy, people }: Seen): Fact | undefined {
  const [largest] = faces.toSorted((one, other) => other.height - one.height);
  const share = people && people.share >= 0.01 ? `people on ${percent(people.share)}% of the surface` : '';
  const counted = largest
    ? `at least ${faces.length} ${faces.length === 1 ? 'face' : 'faces'}, the largest ${atPlace(placeName(middleOf(largest)))}`
    : '';
  const persons = objects.filter(({ kind }) => kind === 'person');
  const figures =
    persons.length > 0 ? `at least ${persons.length} ${persons.length === 1 ? 'person' : 'people'}` : '';
  return detectedFact([figures, counted, share].filter(Boolean).join('; '), [
    ...(figures ? [{ by: objectsBy, confidence: Math.max(...persons.map(({ score }) => score)) }] : []),
    ...(largest ? [{ by: facesBy, confidence: Math.max(...faces.map(({ score }) => score)) }] : []),
    ...(share ? [people!] : []),
  ]);
}

const middleOf = (box: Point & { width: number; height: number }): Point => ({
  x: box.x + box.width / 2,
  y: box.y + box.height / 2,
});

/** Detected lines of text. A model takes precedence over the measurement of regular marks; if it detects none, nothing is stated. */
function writingFact({
  writing = [],
  writingBy,
  subject,
}: Pick<Measures, 'writing' | 'writingBy' | 'subject'>): Fact | undefined {
  const [largest] = largestFirst(writing);
  if (!largest)
    return subject.textLines > 0
      ? measuredFact(`${subject.textLines} lines of marks as regular as writing`, 0.6)
      : undefined;
  return {
    value: `at least ${writing.length} ${writing.length === 1 ? 'line' : 'lines'}, the largest ${atPlace(placeName(middleOf(largest)))}`,
    basis: 'model',
    confidence: roundTo(Math.max(...writing.map(({ score }) => score)), 2),
    ...(writingBy && { by: writingBy }),
  };
}

const contentHintFact = ({ rating }: Seen): Fact | undefined =>
  rating && {
    value: `may show ${rating.hint}`,
    basis: 'model',
    confidence: roundTo(rating.confidence, 2),
    by: rating.by,
  };

const formatFacts = (measures: Measures): Facts['composition'] => ({
  format: measuredFact(formatName(measures), 1),
  aspect_ratio: measuredFact(roundTo(measures.width / measures.height, 3), 1),
});

function compositionFacts({ focus, symmetry, lines, space }: Measures): Facts['composition'] {
  const [first, ...others] = focus.points;
  const names = [...new Set(focus.points.map((point) => placeName(point)))];
  const further = names.filter((name) => !first || name !== placeName(first));
  return dropUndefined({
    focal_point: first && measuredFact(placeName(first), 0.6),
    further_focal_points: further.length > 0 ? measuredFact(further, 0.5) : NO_ENTRIES,
    eye_path:
      first &&
      measuredFact(
        [first, ...others]
          .map((point) => placeName(point))
          .filter((name, at, all) => name !== all[at - 1])
          .join(' → '),
        0.4,
      ),
    thirds: focus.third
      ? measuredFact(`on the ${focus.third.name} crossing`, roundTo(0.9 - 4 * focus.third.distance, 2))
      : NONE,
    balance: measuredFact(focus.balance, 0.7),
    vertical_balance: measuredFact(focus.verticalBalance, 0.7),
    weight_left_pct: measuredFact(percent(focus.weightLeft)),
    weight_top_pct: measuredFact(percent(focus.weightTop)),
    symmetry: measuredFact(
      symmetry.axis
        ? `${symmetry.name}, about ${symmetry.axis === 'both' ? 'both axes' : `the ${symmetry.axis} axis`}`
        : 'none',
      0.8,
    ),
    symmetry_score: measuredFact(roundTo(Math.max(symmetry.leftRight, symmetry.topBottom), 2)),
    edge_direction: lines.direction === 'none' ? undefined : measuredFact(lines.direction, 0.8),
    long_lines: measuredFact(lines.count, 0.7),
    meeting_point: lines.meeting
      ? measuredFact(`${lines.meeting.lines} lines ${meetingPlace(lines.meeting)}`, 0.6)
      : NONE,
    leading_lines: measuredFact(lines.leading, 0.4),
    depth_cues:
      space.depthCues.length > 0
        ? measuredFact(space.depthCues, 0.4 + 0.1 * space.depthCues.length)
        : NO_ENTRIES,
    empty_space_pct: measuredFact(percent(space.empty)),
    empty_space_place: space.emptiest ? measuredFact(space.emptiest.where, 0.8) : NONE,
  });
}

function meetingPlace({ x, y }: Point): string {
  const isInside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
  return isInside
    ? atPlace(placeName({ x, y }))
    : `beyond the ${x < 0 ? 'left' : x > 1 ? 'right' : y < 0 ? 'upper' : 'lower'} edge`;
}

function colorFacts({ color, reproduction }: Measures): Facts['color'] {
  const [first] = color.palette;
  return dropUndefined({
    palette: measuredFact(colorShares(color.palette), 0.95),
    dominant_color: measuredFact(`${first!.name} ${first!.hex}`, 0.95),
    dominant_share_pct: measuredFact(first!.share, 0.95),
    accent_color: color.accent
      ? measuredFact(`${color.accent.name} ${color.accent.hex}, ${color.accent.share}%`, 0.8)
      : NONE,
    basic_colors: measuredFact(
      Object.entries(color.basic).flatMap(([name, share]) =>
        share >= 0.01 ? [`${name} ${Math.round(100 * share)}%`] : [],
      ),
      0.8,
    ),
    colorfulness: measuredFact(color.colorfulness),
    colorfulness_score: measuredFact(roundTo(color.colorfulnessScore, 1), 0.95),
    mean_chroma: measuredFact(roundTo(color.meanChroma, 3), 0.95),
    temperature: measuredFact(color.temperature, 0.85),
    warm_share_pct: measuredFact(percent(color.warm)),
    cool_share_pct: measuredFact(percent(color.cool)),
    neutral_share_pct: measuredFact(percent(color.neutral)),
    harmony: measuredFact(color.harmony.scheme, 0.75),
    harmony_fit_pct: measuredFact(percent(color.harmony.fit)),
    hue_families: color.hues.length > 0 ? measuredFact(color.hues, 0.85) : undefined,
    white_tint: reproduction.cast ? measuredFact(reproduction.cast, 0.6) : NONE,
  });
}

function lightFacts({ tone, light }: Measures, isLarge: boolean): Facts['light'] {
  const where = isLarge && light.brightest !== light.darkest;
  const map = light.tonalMap.map((value) => Math.round(value));
  return dropUndefined({
    tonal_map: isLarge ? measuredFact([0, 3, 6].map((row) => map.slice(row, row + 3).join(' '))) : undefined,
    tonal_key: measuredFact(tone.key, tone.keyConfidence),
    contrast: measuredFact(tone.contrast),
    mean_lightness: measuredFact(roundTo(tone.mean, 1), 0.95),
    darkest_lightness: measuredFact(roundTo(tone.dark, 1), 0.95),
    lightest_lightness: measuredFact(roundTo(tone.light, 1), 0.95),
    shadow_pct: measuredFact(percent(tone.shadows), 0.95),
    highlight_pct: measuredFact(percent(tone.highlights), 0.95),
    quality: measuredFact(light.quality, light.qualityConfidence),
    direction: isLarge && light.from ? measuredFact(light.from.side, light.from.confidence) : NONE,
    direction_degrees:
      isLarge && light.from ? measuredFact(light.from.degrees, light.from.confidence) : undefined,
    brightest_area: where ? measuredFact(light.brightest) : undefined,
    darkest_area: where ? measuredFact(light.darkest) : undefined,
  });
}

function surfaceFacts({ surface }: Measures): Facts['surface'] {
  return dropUndefined({
    texture: measuredFact(surface.texture, 0.7),
    edge_pct: measuredFact(percent(surface.edges)),
    edge_quality: measuredFact(surface.edgeQuality, 0.6),
    directional_grain: measuredFact(roundTo(surface.grain, 2), 0.7),
    flat_color_pct: measuredFact(percent(surface.flat)),
    technique_cues:
      surface.cues.length > 0
        ? measuredFact(
            surface.cues.map(({ cue }) => cue),
            Math.min(...surface.cues.map(({ confidence }) => confidence)),
          )
        : NO_ENTRIES,
  });
}

/** Arousal rises with saturation (Valdez and Mehrabian, "Effects of color on emotions", 1994) and, here, with the spread of tones. */
function energyOf({ tone, color }: Measures): string {
  const arousal = color.meanChroma / 0.12 + (tone.deviation - 18) / 40;
  if (arousal < 0.35) return 'quiet';
  return arousal > 0.8 ? 'lively' : 'moderate';
}

function reproductionFacts({
  width,
  height,
  format,
  transparent,
  reproduction,
}: Measures): Facts['reproduction'] {
  const { margins, flaws } = reproduction;
  const centimetres = (pixels: number) => roundTo((pixels / 300) * 2.54, 1);
  const sides =
    margins && (['top', 'right', 'bottom', 'left'] as const).filter((side) => margins[side] > 0.005);
  return dropUndefined({
    width_px: measuredFact(width, 1),
    height_px: measuredFact(height, 1),
    megapixels: measuredFact(roundTo((width * height) / 1e6, 2), 1),
    file_format: measuredFact(format, 1),
    print_size_300_ppi: measuredFact(`${centimetres(width)} × ${centimetres(height)} cm`, 1),
    transparent_pct: measuredFact(percent(transparent), 1),
    clipped_light_pct: measuredFact(percent(reproduction.clippedLight), 0.95),
    clipped_dark_pct: measuredFact(percent(reproduction.clippedDark), 0.95),
    noise_level: measuredFact(roundTo(reproduction.noise, 1), 0.6),
    blur_score: measuredFact(roundTo(reproduction.blur, 2), 0.7),
    compression_blocks: measuredFact(roundTo(reproduction.blocks, 2), 0.7),
    margins: margins
      ? measuredFact(sides!.map((side) => `${side} ${percent(margins[side])}%`).join(', '), 0.8)
      : NONE,
    flaws: flaws.length > 0 ? measuredFact(flaws, 0.7) : NO_ENTRIES,
  });
}
