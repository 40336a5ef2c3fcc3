import { EngineError } from '../errors/engine_error.ts';
import { type IccTable, readTable } from './icc_table.ts';
import type { Lab, Xyz } from './lab.ts';
import { profileName } from './profile_name.ts';

export const INTENTS = ['perceptual', 'relative', 'saturation', 'absolute'] as const;
export type Intent = (typeof INTENTS)[number];

/** A CMYK printing condition: inks 0 to 1 in the order cyan, magenta, yellow, black. */
export interface PressProfile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Colour of the paper, where white is 1. */
  readonly paper: Readonly<Xyz>;
  /** Colour on that paper, relative to it: paper is L* 100. `inks` has room for four values and is overwritten. */
  labOf(inks: Float64Array, intent: Intent): Lab;
  /** Inks for a colour, written into `inks`. */
  inksFor(lab: Readonly<Lab>, intent: Intent, inks: Float64Array): void;
}

/** Number in the names of the tags A2B0 to A2B2; absolute colour is relative colour on the paper's white. 9.2 */
const TABLE_OF: Record<Intent, 0 | 1 | 2> = { perceptual: 0, relative: 1, saturation: 2, absolute: 1 };

/**
 * Reads the ICC profile of a press (ICC.1, versions 2 and 4; CMYK with Lab tables).
 * @throws EngineError invalid_input where it is another or damaged
 */
export function openPressProfile(bytes: Uint8Array): PressProfile {
  try {
    return read(bytes);
  } catch (error) {
    const isRefused = error instanceof TypeError;
    if (!isRefused && !(error instanceof RangeError)) throw error;
    throw new EngineError(
      'invalid_input',
      `The colour profile cannot be used: ${isRefused ? error.message : 'it is cut off'}. It must be an ICC profile of a CMYK press with Lab tables both ways.`,
    );
  }
}

function read(bytes: Uint8Array): PressProfile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (text(view, 36) !== 'acsp') throw new TypeError('it is no ICC profile');
  if (text(view, 16) !== 'CMYK') throw new TypeError(`its colours are ${text(view, 16).trim()}, not CMYK`);
  if (text(view, 20) !== 'Lab ') throw new TypeError('its tables do not lead to Lab');
  const tags = tagsOf(view);
  const table = (letters: 'A2B' | 'B2A', intent: Intent): IccTable => {
    const at = tags.get(`${letters}${TABLE_OF[intent]}`) ?? tags.get(`${letters}0`);
    if (at === undefined) throw new TypeError(`it has no table ${letters}0`);
    const found = readTable(view, at);
    const [inputs, outputs] = letters === 'A2B' ? [4, 3] : [3, 4];
    if (found.inputs !== inputs || found.outputs !== outputs) throw new TypeError('a table has an odd shape');
    return found;
  };
  const byIntent = (letters: 'A2B' | 'B2A') => {
    const [perceptual, relative, saturation] = (['perceptual', 'relative', 'saturation'] as const).map(
      (intent) => table(letters, intent),
    );
    return { perceptual: perceptual!, relative: relative!, saturation: saturation!, absolute: relative! };
  };
  const [toLab, toInks] = [byIntent('A2B'), byIntent('B2A')];
  return {
    name: profileName(bytes),
    bytes,
    paper: paperOf(view, tags),
    labOf(inks, intent) {
      toLab[intent].convert(inks);
      return decodeLab(inks, toLab[intent].isLegacy16);
    },
    inksFor(lab, intent, inks) {
      encodeLab(lab, toInks[intent].isLegacy16, inks);
      toInks[intent].convert(inks);
    },
  };
}

const TAGS_MAX = 100;

function tagsOf(view: DataView): Map<string, number> {
  const count = Math.min(TAGS_MAX, view.getUint32(128));
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const entry = 132 + 12 * index;
      return [text(view, entry), view.getUint32(entry + 4)];
    }),
  );
}

function paperOf(view: DataView, tags: Map<string, number>): Xyz {
  const at = tags.get('wtpt');
  if (at === undefined) throw new TypeError('it does not say how white its paper is');
  return [8, 12, 16].map((offset) => view.getInt32(at + offset) / 65536) as Xyz;
}

const text = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));

/** The largest value of the 16-bit encoding of version 2, of 65535. */
const LEGACY_FULL = 65280 / 65535;

function decodeLab(values: Float64Array, isLegacy16: boolean): Lab {
  const full = isLegacy16 ? LEGACY_FULL : 1;
  return [(100 * values[0]!) / full, (255 * values[1]!) / full - 128, (255 * values[2]!) / full - 128];
}

function encodeLab([lightness, a, b]: Readonly<Lab>, isLegacy16: boolean, values: Float64Array): void {
  const full = isLegacy16 ? LEGACY_FULL : 1;
  values[0] = (full * lightness) / 100;
  values[1] = (full * (a + 128)) / 255;
  values[2] = (full * (b + 128)) / 255;
}
