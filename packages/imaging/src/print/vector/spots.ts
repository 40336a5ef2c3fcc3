import { EngineError } from '../../errors/engine_error.ts';

/** A spot colour of a drawing: a separate ink on a separate plate. */
export interface SpotColor {
  readonly name: string;
  /** Overprints and is drawn last, so that nothing knocks it out: cut contours and white ink. */
  readonly isTechnical: boolean;
  readonly overprints: boolean;
}

/** Ink names that production software recognises: cut contour, and white printed on or under clear film. */
const TECHNICAL: Readonly<Record<string, string>> = { cutcontour: 'CutContour', white: 'White' };
const RESERVED = /^(all|none|cyan|magenta|yellow|black)$/i;
const SPOT_NAME_CHARACTERS_MAX = 60;
const SPOTS_MAX = 8;
const MARKED_MAX = 10_000;

/** Matches comments, CDATA sections, processing instructions and document types, or a tag with its attributes. */
const TAG =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<![^>[]*(?:\[[^\]]*\])?[^>]*>|<([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/g;
const ATTRIBUTE = /\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Attributes that may name an ink, in order of priority. Only `data-spot` names inks other than technical ones. */
const NAMING_ATTRIBUTES = ['data-spot', 'inkscape:label', 'id', 'class'];

/**
 * Finds the elements of an SVG in spot colours: those with `data-spot="Name"`, and those whose `id`, `class` or
 * `inkscape:label` is CutContour or White.
 * @returns the text with an id on each of these elements, which identifies it after simplification
 * @throws EngineError unsuitable_image for invalid spot colour names
 */
export function markSpots(text: string): {
  readonly text: string;
  readonly spots: ReadonlyMap<string, SpotColor>;
} {
  const spots = new Map<string, SpotColor>();
  const marked = text.replace(TAG, (tag, element?: string, attributes = '') => {
    if (element === undefined || !/data-spot|cutcontour|white/i.test(attributes)) return tag;
    const named = new Map<string, string>();
    for (const [, key, double, single] of ` ${attributes}`.matchAll(ATTRIBUTE))
      named.set(key!, double ?? single!);
    const spot = spotOf(named);
    if (!spot) return tag;
    const id = named.get('id') ?? `atelier-spot-${spots.size}`;
    spots.set(id, spot);
    if (spots.size > MARKED_MAX) throw unsuitable(`more than ${MARKED_MAX} elements are in spot colours`);
    return named.has('id') ? tag : `<${element} id="${id}"${tag.slice(1 + element.length)}`;
  });
  const names = new Set([...spots.values()].map(({ name }) => name));
  if (names.size > SPOTS_MAX)
    throw unsuitable(`it names ${names.size} spot colours; at most ${SPOTS_MAX} are supported`);
  return { text: marked, spots };
}

function spotOf(attributes: ReadonlyMap<string, string>): SpotColor | undefined {
  for (const key of NAMING_ATTRIBUTES) {
    const value = attributes.get(key)?.trim();
    if (!value) continue;
    const words = key === 'class' ? value.split(/\s+/) : [value];
    const technical = words.map((word) => TECHNICAL[word.toLowerCase()]).find(Boolean);
    if (technical) return { name: technical, isTechnical: true, overprints: true };
    if (key !== 'data-spot') continue;
    if (RESERVED.test(value) || value.length > SPOT_NAME_CHARACTERS_MAX || !/^[\x20-\x7e]+$/.test(value))
      throw unsuitable(
        `data-spot="${value.slice(0, 40)}" is not a valid spot colour name: use up to ${SPOT_NAME_CHARACTERS_MAX} ASCII characters, and not the name of a process ink`,
      );
    return { name: value, isTechnical: false, overprints: attributes.get('data-overprint') === 'true' };
  }
  return undefined;
}

const unsuitable = (reason: string): EngineError =>
  new EngineError('unsuitable_image', `The SVG cannot be printed: ${reason}.`);
