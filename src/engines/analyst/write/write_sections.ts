import type { Measures } from '../analyse_picture.ts';
import { placeName } from '../places.ts';
import { colorOverview } from './color_words.ts';
import {
  compositionOverview,
  focalNames,
  formatName,
  heightWords,
  meetingPlace,
} from './composition_words.ts';
import { colorShares, type Fact, type Facts, measured, percent, rounded } from './facts.ts';
import type { Given } from './given.ts';
import { oneLine } from './given.ts';
import { lightOverview } from './light_words.ts';
import { altText, keywordsOf, suggestedTitle } from './naming.ts';
import { handOf, journey, moodOf, stress, surfaceOverview, themesOf } from './reading_words.ts';
import { describedAtLength, summaryOf } from './summary.ts';

/** Everything the analyst can say of a picture, in the sections of a full analysis. Below this side nothing can be composed. */
const SIDE_MIN = 32;

/** @param given what the caller says of it: used as given, never as instructions */
export function writeSections(measures: Measures, given: Given): Facts {
  const isLarge = Math.min(measures.width, measures.height) >= SIDE_MIN && !measures.isBlank;
  return {
    work: workFacts(measures, given),
    description: descriptionFacts(measures, given),
    composition: isLarge ? compositionFacts(measures) : uncomposed(measures),
    color: colorFacts(measures),
    light: lightFacts(measures, isLarge),
    surface: isLarge ? surfaceFacts(measures) : unmeasuredSurface(measures),
    reading: readingFacts(measures, given),
    reproduction: reproductionFacts(measures),
  };
}

const givenFact = (text: string): Fact | undefined => {
  const value = oneLine(text);
  return value ? { value, basis: 'given', confidence: 1 } : undefined;
};

/** Without the members that are undefined. */
const known = <T extends Record<string, Fact | undefined>>(facts: T) =>
  Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined)) as {
    [K in keyof T]?: Fact;
  };

const workFacts = (measures: Measures, given: Given): Facts['work'] => ({
  title: measured(suggestedTitle(measures, given), 0.4),
  ...givenFacts(given),
});

/** What the caller says of the work, as it was said. */
export const givenFacts = (given: Given): Facts['work'] =>
  known({
    title: givenFact(given.title),
    artist_name: givenFact(given.artist_name),
    date: givenFact(given.creation_year),
    copyright_holder: givenFact(given.copyright_holder),
    content_type: givenFact(given.content_type),
    brief: givenFact(given.context),
  });

function descriptionFacts(measures: Measures, given: Given): Facts['description'] {
  const { horizon, pattern, figure, textLines } = measures.subject;
  const themes = themesOf(measures);
  return known({
    summary: measured(summaryOf(measures, given), 0.8),
    alt_text: measured(altText(measures, given), 0.8),
    extended_description: measured(describedAtLength(measures, given), 0.8),
    keywords: measured(keywordsOf(measures, given), 0.8),
    themes: themes.length > 0 ? measured(themes, 0.4) : undefined,
    horizon:
      horizon &&
      measured(
        `${heightWords(horizon.height)}, ${Math.round(100 * horizon.height)}% from the top`,
        horizon.confidence,
      ),
    writing_lines: textLines > 0 ? measured(textLines, 0.6) : undefined,
    repeating_pattern:
      pattern &&
      measured(
        `a motif every ${percent(pattern.stepX)}% of the width and ${percent(pattern.stepY)}% of the height`,
        pattern.likeness,
      ),
    figure_on_plain_ground:
      figure && measured(`${figure.place}, ${percent(figure.share)}% of the surface`, figure.confidence),
  });
}

const formatFacts = (measures: Measures): Facts['composition'] => ({
  format: measured(formatName(measures), 1),
  aspect_ratio: measured(rounded(measures.width / measures.height, 3), 1),
});

const uncomposed = (measures: Measures): Facts['composition'] => ({
  ...formatFacts(measures),
  overview: measured(
    measures.isBlank
      ? 'Nothing stands out; the surface is even throughout.'
      : 'The picture is too small for its composition to be measured.',
    1,
  ),
});

const unmeasuredSurface = ({ isBlank }: Measures): Facts['surface'] => ({
  overview: measured(
    isBlank
      ? 'The surface is one even tone; there is no texture in it.'
      : 'The picture is too small for its surface to be measured.',
    1,
  ),
});

function compositionFacts(measures: Measures): Facts['composition'] {
  const { focus, symmetry, lines, space } = measures;
  const [first, ...others] = focus.points;
  const further = focalNames(others).filter((name) => !first || name !== placeName(first));
  return {
    ...formatFacts(measures),
    ...known({
      overview: measured(compositionOverview(measures), 0.7),
      focal_point: first && measured(placeName(first), 0.6),
      further_focal_points: further.length > 0 ? measured(further, 0.5) : undefined,
      eye_path:
        first &&
        measured(
          [first, ...others]
            .map((point) => placeName(point))
            .filter((name, at, all) => name !== all[at - 1])
            .join(' → '),
          0.4,
        ),
      thirds:
        focus.third &&
        measured(`on the ${focus.third.name} crossing`, rounded(0.9 - 4 * focus.third.distance, 2)),
      balance: measured(focus.balance, 0.7),
      vertical_balance: measured(focus.verticalBalance, 0.7),
      weight_left_pct: measured(percent(focus.weightLeft)),
      weight_top_pct: measured(percent(focus.weightTop)),
      symmetry: measured(
        symmetry.axis
          ? `${symmetry.name}, about ${symmetry.axis === 'both' ? 'both axes' : `the ${symmetry.axis} axis`}`
          : 'none',
        0.8,
      ),
      symmetry_score: measured(rounded(Math.max(symmetry.leftRight, symmetry.topBottom), 2)),
      edge_direction: lines.direction === 'none' ? undefined : measured(lines.direction, 0.8),
      long_lines: measured(lines.count, 0.7),
      meeting_point:
        lines.meeting && measured(`${lines.meeting.lines} lines ${meetingPlace(lines.meeting)}`, 0.6),
      leading_lines: lines.leading > 0 ? measured(lines.leading, 0.4) : undefined,
      depth_cues:
        space.depthCues.length > 0
          ? measured(space.depthCues, 0.4 + 0.1 * space.depthCues.length)
          : undefined,
      empty_space_pct: measured(percent(space.empty)),
      empty_space_place: space.emptiest && measured(space.emptiest.where, 0.8),
    }),
  };
}

function colorFacts({ color, reproduction }: Measures): Facts['color'] {
  const [first] = color.palette;
  return known({
    overview: measured(colorOverview(color), 0.9),
    palette: measured(colorShares(color.palette), 0.95),
    dominant_color: measured(`${first!.name} ${first!.hex}`, 0.95),
    dominant_share_pct: measured(first!.share, 0.95),
    accent_color:
      color.accent && measured(`${color.accent.name} ${color.accent.hex}, ${color.accent.share}%`, 0.8),
    colorfulness: measured(color.colorfulness),
    colorfulness_score: measured(rounded(color.colorfulnessScore, 1), 0.95),
    mean_chroma: measured(rounded(color.meanChroma, 3), 0.95),
    temperature: measured(color.temperature, 0.85),
    warm_share_pct: measured(percent(color.warm)),
    cool_share_pct: measured(percent(color.cool)),
    neutral_share_pct: measured(percent(color.neutral)),
    harmony: measured(color.harmony.scheme, 0.75),
    harmony_fit_pct: measured(percent(color.harmony.fit)),
    hue_families: color.hues.length > 0 ? measured(color.hues, 0.85) : undefined,
    white_tint: reproduction.cast && measured(reproduction.cast, 0.6),
  });
}

function lightFacts({ tone, light }: Measures, isLarge: boolean): Facts['light'] {
  const where = isLarge && light.brightest !== 'nowhere in particular';
  return known({
    overview: measured(lightOverview({ tone, light }), 0.8),
    tonal_key: measured(tone.key, tone.keyConfidence),
    contrast: measured(tone.contrast),
    mean_lightness: measured(rounded(tone.mean, 1), 0.95),
    darkest_lightness: measured(rounded(tone.dark, 1), 0.95),
    lightest_lightness: measured(rounded(tone.light, 1), 0.95),
    shadow_pct: measured(percent(tone.shadows), 0.95),
    midtone_pct: measured(percent(tone.midtones), 0.95),
    highlight_pct: measured(percent(tone.highlights), 0.95),
    quality: measured(light.quality, light.qualityConfidence),
    direction: isLarge && light.from ? measured(light.from.side, light.from.confidence) : undefined,
    direction_degrees:
      isLarge && light.from ? measured(light.from.degrees, light.from.confidence) : undefined,
    brightest_area: where ? measured(light.brightest) : undefined,
    darkest_area: where ? measured(light.darkest) : undefined,
  });
}

function surfaceFacts(measures: Measures): Facts['surface'] {
  const { surface } = measures;
  return known({
    overview: measured(surfaceOverview(measures), 0.6),
    texture: measured(surface.texture, 0.7),
    edge_pct: measured(percent(surface.edges)),
    edge_quality: surface.edgeQuality === 'none' ? undefined : measured(surface.edgeQuality, 0.6),
    directional_grain: surface.grain > 0 ? measured(rounded(surface.grain, 2), 0.7) : undefined,
    flat_color_pct: measured(percent(surface.flat)),
    technique_cues:
      surface.cues.length > 0
        ? measured(
            surface.cues.map(({ cue }) => cue),
            Math.min(...surface.cues.map(({ confidence }) => confidence)),
          )
        : undefined,
  });
}

function readingFacts(measures: Measures, given: Given): Facts['reading'] {
  const { mood, energy } = moodOf(measures);
  return {
    mood: measured(mood, 0.35),
    energy: measured(energy, 0.5),
    emotional_journey: measured(journey(measures), 0.35),
    symbolism: measured(stress(measures), 0.3),
    artist_analysis: measured(handOf(measures, given), 0.4),
  };
}

function reproductionFacts({
  width,
  height,
  format,
  transparent,
  reproduction,
}: Measures): Facts['reproduction'] {
  const { margins, flaws } = reproduction;
  const centimetres = (pixels: number) => rounded((pixels / 300) * 2.54, 1);
  const sides =
    margins && (['top', 'right', 'bottom', 'left'] as const).filter((side) => margins[side] > 0.005);
  return known({
    width_px: measured(width, 1),
    height_px: measured(height, 1),
    megapixels: measured(rounded((width * height) / 1e6, 2), 1),
    file_format: measured(format, 1),
    print_size_300_ppi: measured(`${centimetres(width)} × ${centimetres(height)} cm`, 1),
    transparent_pct: transparent > 0 ? measured(percent(transparent), 1) : undefined,
    clipped_light_pct: measured(percent(reproduction.clippedLight), 0.95),
    clipped_dark_pct: measured(percent(reproduction.clippedDark), 0.95),
    noise_level: measured(rounded(reproduction.noise, 1), 0.6),
    blur_score: measured(rounded(reproduction.blur, 2), 0.7),
    compression_blocks: measured(rounded(reproduction.blocks, 2), 0.7),
    margins: margins && measured(sides!.map((side) => `${side} ${percent(margins[side])}%`).join(', '), 0.8),
    flaws: flaws.length > 0 ? measured(flaws, 0.7) : undefined,
  });
}
