/**
 * The 111 fields of a full analysis, in 8 sections, which `enrich_metadata` in tier premium and `get_artwork_oracle` return. Schemas, the provider's
 * instructions and the reference page are generated from this table.
 */

/** Source of a value. */
export type Basis =
  /** Computed from the pixels or the file. */
  | 'measured'
  /** From the record of the work: the museum's, or a bundled one, which states that. */
  | 'record'
  /** Sent by the client and returned unchanged. */
  | 'given'
  /** Detected or written by a model, which may be wrong. */
  | 'model'
  /** Observed by the client and sent in `observations`. */
  | 'observed'
  /** Requires visual interpretation, which did not run. */
  | 'unseen';

export type FieldKind = 'text' | 'texts' | 'number' | 'colors';

export interface AnalysisField {
  readonly kind: FieldKind;
  /** Possible sources of a value. */
  readonly from: readonly Basis[];
  readonly about: string;
}

const field = (kind: FieldKind, from: string, about: string): AnalysisField => ({
  kind,
  from: from.split(' ') as Basis[],
  about,
});

export const ANALYSIS_FIELDS = {
  work: {
    title: field('text', 'given record observed model unseen', 'Title.'),
    artist_name: field('text', 'given record', 'Who made the work.'),
    artist_life: field('text', 'record', 'Nationality and dates of the artist.'),
    date: field('text', 'given record', 'When it was made.'),
    medium: field('text', 'record', 'Materials and technique as the record states them.'),
    dimensions: field('text', 'record', 'Size of the object.'),
    culture: field('text', 'record', 'Culture or country it comes from.'),
    period: field('text', 'record', 'Period, dynasty or reign.'),
    classification: field('text', 'record', 'Kind of object.'),
    department: field('text', 'record', 'Department or collection that keeps it.'),
    museum: field('text', 'record', 'Museum that owns it.'),
    object_number: field('text', 'record', 'Number at the museum.'),
    credit_line: field('text', 'record', 'How it came to the museum.'),
    licence: field('text', 'record', 'Terms of the reproduction.'),
    source_url: field('text', 'record', 'Page of the museum about it.'),
    copyright_holder: field('text', 'given', 'Who holds the rights.'),
    content_type: field('text', 'given', 'artwork or photo.'),
    brief: field('text', 'given', "The creator's brief."),
  },
  description: {
    summary: field('text', 'observed model record unseen', 'A paragraph for a catalogue.'),
    alt_text: field('text', 'observed model measured unseen', 'For people who cannot see the image.'),
    extended_description: field('text', 'observed model', 'The same at length.'),
    keywords: field('texts', 'observed model record unseen', 'For search.'),
    themes: field('texts', 'observed model unseen', 'What it is about.'),
    subjects: field('texts', 'observed model record unseen', 'Things shown.'),
    people: field('text', 'observed model unseen', 'People shown: their number, or detected faces.'),
    setting: field('text', 'observed model unseen', 'Where it plays.'),
    objects: field('texts', 'observed model unseen', 'Objects of note.'),
    text_read: field('text', 'observed model unseen', 'Writing in the picture, word for word.'),
    horizon: field('text', 'measured', 'A level border across the picture, with its height from the top.'),
    writing: field(
      'text',
      'measured model',
      'Lines of writing found, and where; what they say is text_read.',
    ),
    content_hint: field('text', 'model', 'What some readers may not want to see: a hint, never a verdict.'),
    repeating_pattern: field('text', 'measured', 'A motif that repeats, with its step.'),
    figure_on_plain_ground: field(
      'text',
      'measured',
      'One thing or group before a plain ground, with its place and share.',
    ),
  },
  composition: {
    overview: field('text', 'measured', 'The fields below in one line.'),
    format: field('text', 'measured', 'Landscape, portrait, square or panorama.'),
    aspect_ratio: field('number', 'measured', 'Width through height.'),
    focal_point: field('text', 'measured', 'Where the picture stands out most.'),
    further_focal_points: field('texts', 'measured', 'Where it stands out next, in order.'),
    eye_path: field('text', 'measured', 'From focal point to focal point to rest.'),
    thirds: field('text', 'measured', 'The crossing of thirds the focal point lies on.'),
    balance: field('text', 'measured', 'Visual weight left and right.'),
    vertical_balance: field('text', 'measured', 'Visual weight above and below.'),
    weight_left_pct: field('number', 'measured', 'Visual weight in the left half, percent.'),
    weight_top_pct: field('number', 'measured', 'Visual weight in the upper half, percent.'),
    symmetry: field('text', 'measured', 'Likeness of the halves, and about which axis.'),
    symmetry_score: field('number', 'measured', 'Correlation with the mirror image, -1 to 1.'),
    edge_direction: field('text', 'measured', 'Which way edges run.'),
    long_lines: field('number', 'measured', 'Long straight edges found.'),
    meeting_point: field('text', 'measured', 'Where long lines meet, as perspective makes them.'),
    leading_lines: field('number', 'measured', 'Slanted lines that run to the focal point.'),
    depth_cues: field('texts', 'measured', 'What weakens upwards as it does with distance.'),
    empty_space_pct: field('number', 'measured', 'Part of the picture with hardly any change in it.'),
    empty_space_place: field(
      'text',
      'measured',
      'Where the largest empty stretch lies, such as across the top.',
    ),
  },
  color: {
    palette: field('colors', 'measured', 'Main colours with names and shares, the largest first.'),
    dominant_color: field('text', 'measured', 'Name and value of the first colour.'),
    dominant_share_pct: field('number', 'measured', 'Its part of the picture.'),
    accent_color: field('text', 'measured', 'A small vivid colour among quieter ones.'),
    basic_colors: field('texts', 'measured', 'Basic colours with their shares; ranges overlap.'),
    colorfulness: field('text', 'measured', 'In a word.'),
    colorfulness_score: field(
      'number',
      'measured',
      "Hasler and Süsstrunk's M3; 15 slightly, 45 averagely, 82 highly.",
    ),
    mean_chroma: field('number', 'measured', 'Strength of colour in OKLab; above 0.1 is vivid.'),
    temperature: field('text', 'measured', 'Warm, cool, mixed or neutral.'),
    warm_share_pct: field('number', 'measured', 'Part with hues from red to yellow.'),
    cool_share_pct: field('number', 'measured', 'Part with hues from green-blue to violet.'),
    neutral_share_pct: field('number', 'measured', 'Part with hardly any hue.'),
    harmony: field('text', 'measured', 'How the hues lie on the colour circle.'),
    harmony_fit_pct: field('number', 'measured', 'Part of all colour within that scheme.'),
    hue_families: field('texts', 'measured', 'Families of hue, the strongest first.'),
    white_tint: field('text', 'measured', 'Tint of the lightest tones.'),
  },
  light: {
    overview: field('text', 'measured', 'Key, contrast and quality in one line.'),
    tonal_map: field('texts', 'measured', 'Mean L* of each ninth, row by row.'),
    tonal_key: field('text', 'measured', 'Low, middle or high.'),
    contrast: field('text', 'measured', 'In a word.'),
    mean_lightness: field('number', 'measured', 'CIE L*, 0 to 100.'),
    darkest_lightness: field('number', 'measured', 'L* below which 5 % of the picture lie.'),
    lightest_lightness: field('number', 'measured', 'L* above which 5 % of the picture lie.'),
    shadow_pct: field(
      'number',
      'measured',
      'Part below L* 30; what is neither this nor highlight lies between.',
    ),
    highlight_pct: field('number', 'measured', 'Part above L* 70.'),
    quality: field('text', 'measured', 'Even, soft, contrasty, spotlit or silhouetted.'),
    direction: field(
      'text',
      'measured',
      'Where the shading of one thing on a plain ground says the light comes from.',
    ),
    direction_degrees: field('number', 'measured', 'The same clockwise from the right.'),
    brightest_area: field('text', 'measured', 'The lightest ninth of the picture.'),
    darkest_area: field('text', 'measured', 'The darkest.'),
  },
  surface: {
    texture: field('text', 'measured', 'How much fine detail there is, from smooth to dense.'),
    edge_pct: field('number', 'measured', 'Part of the picture on an edge.'),
    edge_quality: field('text', 'measured', 'Soft, mixed or crisp.'),
    directional_grain: field('number', 'measured', 'How much fine marks run alike, 0 to 1.'),
    flat_color_pct: field('number', 'measured', 'Part in patches of one unvarying colour.'),
    technique_cues: field('texts', 'measured', 'What the surface says about how it was made.'),
    medium_seen: field('text', 'unseen', 'Medium and technique as they look.'),
  },
  reading: {
    mood: field('text', 'observed model unseen', 'The mood.'),
    energy: field('text', 'measured', 'Quiet, moderate or lively.'),
    emotional_journey: field('text', 'unseen', 'What attention meets, from first to last.'),
    symbolism: field('text', 'observed model unseen', 'What things stand for.'),
    art_movements: field('texts', 'observed model record unseen', 'Movements or schools.'),
    style: field('text', 'observed model record unseen', 'Style in words.'),
    artist_analysis: field('text', 'observed model unseen', 'The hand of the artist.'),
    cultural_context: field('text', 'observed model record unseen', 'Where and when it belongs.'),
  },
  reproduction: {
    width_px: field('number', 'measured', 'Of the file as it is shown.'),
    height_px: field('number', 'measured', 'Of the file as it is shown.'),
    megapixels: field('number', 'measured', 'Of the file as it is shown.'),
    file_format: field('text', 'measured', 'Format of the file.'),
    print_size_300_ppi: field('text', 'measured', 'Largest print at 300 pixels an inch, in centimetres.'),
    transparent_pct: field('number', 'measured', 'Part that is transparent.'),
    clipped_light_pct: field('number', 'measured', 'Part at pure white.'),
    clipped_dark_pct: field('number', 'measured', 'Part at pure black.'),
    noise_level: field('number', 'measured', 'Grain or noise that is everywhere alike, in 8-bit steps.'),
    blur_score: field('number', 'measured', '0 sharp to 1 blurred, at full size.'),
    compression_blocks: field(
      'number',
      'measured',
      "Steps on JPEG's grid through steps beside it; 1 is none.",
    ),
    margins: field('text', 'measured', 'Plain margins or a mount around the picture.'),
    flaws: field('texts', 'measured', 'What a buyer of a print would notice.'),
  },
} as const satisfies Record<string, Record<string, AnalysisField>>;

export type Section = keyof typeof ANALYSIS_FIELDS;
export const SECTIONS = Object.keys(ANALYSIS_FIELDS) as Section[];
