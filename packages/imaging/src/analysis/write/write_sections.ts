import { oklabDistance, oklabOf } from '../../pixels/oklab.ts';
import { roundTo } from '../../pixels/round_to.ts';
import type { SeenSubject } from '../../vision/seen.ts';
import type { Measures } from '../analyse_picture.ts';
import type { NamedColor } from '../measure_color.ts';
import { placeName } from '../places.ts';
import { compositionOverview, focalNames, formatName, meetingPlace } from './composition_words.ts';
import { titleFromContext } from './context_words.ts';
import { colorOverview, descriptionFacts, lightOverview, seenFact } from './description_facts.ts';
import {
  capitalise,
  colorShares,
  dropUndefined,
  type Fact,
  type Facts,
  joinWords,
  measuredFact,
  percent,
} from './facts.ts';
import { type Given, oneLine } from './given.ts';
import { handOf, journey, moodOf, stress, surfaceOverview } from './reading_words.ts';
import {
  facesTitle,
  isAboutPeople,
  isAlive,
  isColourless,
  joinSeen,
  nounOf,
  peopleSeenBy,
  placesToSay,
  sayTerm,
  shownIn,
  termWords,
  thingsToSay,
} from './subject_words.ts';

/**
 * A title where none was given: what the brief calls the picture, else what networks have seen in it ("Still Life with
 * Flowers"), else its colours in the manner of "Arrangement in Grey and Black".
 */
function suggestTitle(measures: Measures, given: Given): Fact {
  const told = titleFromContext(given.context);
  if (told) return { value: told, basis: 'given', confidence: 0.6 };
  const { genres } = shownIn(measures);
  const things = thingsToSay(measures).slice(0, 2);
  const shown = things.length === 0 && !isAboutPeople(measures) ? placesToSay(measures).slice(0, 1) : things;
  const genre = genres.find(({ term }) => LEADS.test(term));
  const seen = joinSeen([...shown, ...(genre ? [genre] : [])]);
  if (seen) {
    const names = shown.map(({ term }) => sayTerm(term));
    const value = genre
      ? titleOfGenre(genre.term, shown)
      : names.join(isAlive(shown[0]!) ? ' with ' : ' and ');
    return {
      value: titleCase(value),
      basis: 'model',
      confidence: roundTo(0.6 * seen.confidence, 2),
      by: seen.by,
    };
  }
  const people = facesTitle(measures);
  if (people) {
    const { by } = peopleSeenBy(measures)[0]!;
    return { value: `${people} in ${colorsOf(measures)}`, basis: 'model', confidence: 0.4, by };
  }
  return { ...measuredFact(titleByLook(measures, given)), confidence: 0.3 };
}

/** Genres that museums begin a title with. */
const LEADS =
  /^(?:(?:\S+ )?still life|landscape(?: picture)?|seascape|cityscape|city view|(?:\S+ )?portrait|self-portrait|portrait of .+|interior view|nude study|flower piece|allegory)$/u;

/** "Still Life with Flowers", "Portrait of a Woman". */
function titleOfGenre(term: string, shown: readonly SeenSubject[]): string {
  const genre = term.replace(/ picture$/u, '');
  const [first] = shown;
  if (!first || genre.includes(' of ')) return genre;
  if (genre === 'portrait') return `portrait of ${termWords(first).words}`;
  return `${genre} with ${joinWords(shown.map(({ term }) => sayTerm(term)))}`;
}

function titleByLook(measures: Measures, given: Given): string {
  const { subject, isBlank, color } = measures;
  if (isBlank) return `Field of ${titleCase(color.palette[0]!.name)}`;
  if (subject.textLines > 0) return `Page in ${colorsOf(measures)}`;
  if (subject.pattern) return `Pattern in ${colorsOf(measures)}`;
  const noun = nounOf(measures, given);
  if (isColourless(measures)) return titleCase(noun);
  return `${noun === 'artwork' ? 'Composition' : titleCase(noun)} in ${colorsOf(measures)}`;
}

function colorsOf({ color }: Measures): string {
  const second = findContrasting(color.palette);
  return titleCase([color.palette[0]!.name, ...(second ? [second.name] : [])].join(' and '));
}

/** The entry that differs most from the first, of those that cover a twentieth; none that has its name. */
function findContrasting([first, ...others]: readonly NamedColor[]): NamedColor | undefined {
  const [lab, ...labs] = [first!, ...others].map(({ hex }) => {
    const color = Number.parseInt(hex.slice(1), 16);
    return oklabOf(color >> 16, (color >> 8) & 255, color & 255);
  });
  const distances = others.map(({ name, share }, index) =>
    name === first!.name || share < 5 ? 0 : oklabDistance(lab!, labs[index]!),
  );
  const most = Math.max(0, ...distances);
  return most > 0 ? others[distances.indexOf(most)] : undefined;
}

const SMALL = new Set(['and', 'of', 'with', 'in', 'on', 'a', 'an', 'the']);

const titleCase = (text: string): string =>
  text
    .split(' ')
    .map((word, at) => (at > 0 && SMALL.has(word) ? word : capitalise(word)))
    .join(' ')
    .replace(/-(?!and-)(\p{L})/gu, (_, letter: string) => `-${letter.toUpperCase()}`);

/** Everything the analyst can say of a picture, in the sections of a full analysis. Below this side nothing can be composed. */
const SIDE_MIN = 32;

/** @param given what the caller says of it: used as given, never as instructions */
export function writeSections(measures: Measures, given: Given): Facts {
  const isLarge = Math.min(measures.width, measures.height) >= SIDE_MIN && !measures.isBlank;
  return {
    work: workFacts(measures, given),
    description: descriptionFacts(measures, given),
    composition: isLarge ? compositionFacts(measures) : unmeasuredComposition(measures),
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

const workFacts = (measures: Measures, given: Given): Facts['work'] => ({
  title: suggestTitle(measures, given),
  ...givenFacts(given),
});

/** What the caller says of the work, as it was said. */
export const givenFacts = (given: Given): Facts['work'] =>
  dropUndefined({
    title: givenFact(given.title),
    artist_name: givenFact(given.artist_name),
    date: givenFact(given.creation_year),
    copyright_holder: givenFact(given.copyright_holder),
    content_type: givenFact(given.content_type),
    brief: givenFact(given.context),
  });

const formatFacts = (measures: Measures): Facts['composition'] => ({
  format: measuredFact(formatName(measures), 1),
  aspect_ratio: measuredFact(roundTo(measures.width / measures.height, 3), 1),
});

const unmeasuredComposition = (measures: Measures): Facts['composition'] => ({
  ...formatFacts(measures),
  overview: measuredFact(
    measures.isBlank
      ? 'Nothing stands out; the surface is even throughout.'
      : 'The picture is too small for its composition to be measured.',
    1,
  ),
});

const unmeasuredSurface = ({ isBlank }: Measures): Facts['surface'] => ({
  overview: measuredFact(
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
    ...dropUndefined({
      overview: measuredFact(compositionOverview(measures), 0.7),
      focal_point: first && measuredFact(placeName(first), 0.6),
      further_focal_points: further.length > 0 ? measuredFact(further, 0.5) : undefined,
      eye_path:
        first &&
        measuredFact(
          [first, ...others]
            .map((point) => placeName(point))
            .filter((name, at, all) => name !== all[at - 1])
            .join(' → '),
          0.4,
        ),
      thirds:
        focus.third &&
        measuredFact(`on the ${focus.third.name} crossing`, roundTo(0.9 - 4 * focus.third.distance, 2)),
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
      meeting_point:
        lines.meeting && measuredFact(`${lines.meeting.lines} lines ${meetingPlace(lines.meeting)}`, 0.6),
      leading_lines: lines.leading > 0 ? measuredFact(lines.leading, 0.4) : undefined,
      depth_cues:
        space.depthCues.length > 0
          ? measuredFact(space.depthCues, 0.4 + 0.1 * space.depthCues.length)
          : undefined,
      empty_space_pct: measuredFact(percent(space.empty)),
      empty_space_place: space.emptiest && measuredFact(space.emptiest.where, 0.8),
    }),
  };
}

function colorFacts({ color, reproduction }: Measures): Facts['color'] {
  const [first] = color.palette;
  return dropUndefined({
    overview: measuredFact(colorOverview(color), 0.9),
    palette: measuredFact(colorShares(color.palette), 0.95),
    dominant_color: measuredFact(`${first!.name} ${first!.hex}`, 0.95),
    dominant_share_pct: measuredFact(first!.share, 0.95),
    accent_color:
      color.accent && measuredFact(`${color.accent.name} ${color.accent.hex}, ${color.accent.share}%`, 0.8),
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
    white_tint: reproduction.cast && measuredFact(reproduction.cast, 0.6),
  });
}

function lightFacts({ tone, light }: Measures, isLarge: boolean): Facts['light'] {
  const where = isLarge && light.brightest !== 'nowhere in particular';
  return dropUndefined({
    overview: measuredFact(lightOverview({ tone, light }), 0.8),
    tonal_key: measuredFact(tone.key, tone.keyConfidence),
    contrast: measuredFact(tone.contrast),
    mean_lightness: measuredFact(roundTo(tone.mean, 1), 0.95),
    darkest_lightness: measuredFact(roundTo(tone.dark, 1), 0.95),
    lightest_lightness: measuredFact(roundTo(tone.light, 1), 0.95),
    shadow_pct: measuredFact(percent(tone.shadows), 0.95),
    highlight_pct: measuredFact(percent(tone.highlights), 0.95),
    quality: measuredFact(light.quality, light.qualityConfidence),
    direction: isLarge && light.from ? measuredFact(light.from.side, light.from.confidence) : undefined,
    direction_degrees:
      isLarge && light.from ? measuredFact(light.from.degrees, light.from.confidence) : undefined,
    brightest_area: where ? measuredFact(light.brightest) : undefined,
    darkest_area: where ? measuredFact(light.darkest) : undefined,
  });
}

function surfaceFacts(measures: Measures): Facts['surface'] {
  const { surface } = measures;
  return dropUndefined({
    overview: measuredFact(surfaceOverview(measures), 0.6),
    texture: measuredFact(surface.texture, 0.7),
    edge_pct: measuredFact(percent(surface.edges)),
    edge_quality: surface.edgeQuality === 'none' ? undefined : measuredFact(surface.edgeQuality, 0.6),
    directional_grain: surface.grain > 0 ? measuredFact(roundTo(surface.grain, 2), 0.7) : undefined,
    flat_color_pct: measuredFact(percent(surface.flat)),
    technique_cues:
      surface.cues.length > 0
        ? measuredFact(
            surface.cues.map(({ cue }) => cue),
            Math.min(...surface.cues.map(({ confidence }) => confidence)),
          )
        : undefined,
  });
}

function readingFacts(measures: Measures, given: Given): Facts['reading'] {
  const { words, energy } = moodOf(measures);
  const { genres } = shownIn(measures);
  return dropUndefined({
    mood: measuredFact(`${words}, going by tone and colour alone`, 0.35),
    energy: measuredFact(energy, 0.5),
    emotional_journey: measuredFact(journey(measures), 0.35),
    symbolism: measuredFact(stress(measures), 0.3),
    style: seenFact(genres.map(({ term }) => term).join(', '), genres),
    artist_analysis: measuredFact(handOf(measures, given), 0.4),
  });
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
    transparent_pct: transparent > 0 ? measuredFact(percent(transparent), 1) : undefined,
    clipped_light_pct: measuredFact(percent(reproduction.clippedLight), 0.95),
    clipped_dark_pct: measuredFact(percent(reproduction.clippedDark), 0.95),
    noise_level: measuredFact(roundTo(reproduction.noise, 1), 0.6),
    blur_score: measuredFact(roundTo(reproduction.blur, 2), 0.7),
    compression_blocks: measuredFact(roundTo(reproduction.blocks, 2), 0.7),
    margins:
      margins && measuredFact(sides!.map((side) => `${side} ${percent(margins[side])}%`).join(', '), 0.8),
    flaws: flaws.length > 0 ? measuredFact(flaws, 0.7) : undefined,
  });
}
