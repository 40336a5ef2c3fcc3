import { INK_TOLERANCE } from '../../print/ink_limit.ts';
import { FontReplacer } from '../fonts/replace_fonts.ts';
import { FORM_DEPTH_MAX } from '../limits.ts';
import { TextOutlines } from '../outline/outline_text.ts';
import { OutlinedFonts, OutliningError } from '../outline/outlined_fonts.ts';
import { CMYK, type ColorSpace, readColorSpace } from '../pdf/color_space.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { type PdfImage, readImage } from '../pdf/images.ts';
import { inspectImage } from '../pdf/inspect_image.ts';
import {
  isDictionary,
  Name,
  nameOf,
  type PdfDictionary,
  PdfStream,
  type PdfValue,
  Reference,
} from '../pdf/values.ts';
import { COST } from '../work_budget.ts';
import { type ContentContext, convertContent, isRgbOrLab } from './convert_content.ts';
import { convertImage, imageStream, isRgbOrLabImage } from './convert_image.ts';
import { convertShading } from './convert_shading.ts';
import { flateStream } from './flate_stream.ts';
import { limitImage, limitIndexed } from './limit_image.ts';
import { inkLimiter } from './limit_inks.ts';
import { limitShading } from './limit_shading.ts';
import type { NewDocument } from './new_document.ts';
import type { PressColors } from './press_colors.ts';

/** Counts of conversions, and what was left unconverted. */
export interface Converted {
  colors: number;
  images: number;
  gradients: number;
  blendSpaces: number;
  /** Colours, images, colour tables and gradients reduced to the ink limit. */
  reduced: number;
  readonly left: Set<string>;
  /** Text strings converted to outlines. */
  outlined: number;
  /** Names of fonts whose text could not be converted to outlines. */
  readonly notOutlined: Set<string>;
}

const LEFT_MAX = 20;
/** Maximum inline images converted to XObjects. */
const INLINE_MAX = 1000;

type Convert = (value: PdfValue, within: ConversionScope) => Promise<PdfValue | undefined>;

interface ConversionScope {
  readonly resources: PdfDictionary | undefined;
  readonly depth: number;
}

/**
 * Copies content streams from one file to another and converts colours, images and axial and radial gradients in RGB or
 * Lab to the inks of a printing condition. Everything else is copied unchanged. Shared objects are converted once.
 */
export class ResourceConverter {
  readonly converted: Converted = {
    colors: 0,
    images: 0,
    gradients: 0,
    blendSpaces: 0,
    reduced: 0,
    left: new Set(),
    outlined: 0,
    notOutlined: new Set(),
  };
  readonly #document: PdfDocument;
  readonly #made: NewDocument;
  readonly #colors: PressColors;
  readonly #fonts: FontReplacer | undefined;
  readonly #outlined: OutlinedFonts | undefined;
  readonly #known = new Map<string, Promise<PdfValue>>();
  /** Graphics states with overprint mode 1, in which inks of 0 % leave the backdrop visible. */
  readonly #overprintStates: PdfDictionary[] = [];
  #inline = 0;

  /** @param fonts absent: fonts are copied unchanged, and text stays text */
  constructor(
    document: PdfDocument,
    made: NewDocument,
    colors: PressColors,
    fonts?: FontReplacer | OutlinedFonts,
  ) {
    this.#document = document;
    this.#made = made;
    this.#colors = colors;
    this.#fonts = fonts instanceof FontReplacer ? fonts : undefined;
    this.#outlined = fonts instanceof OutlinedFonts ? fonts : undefined;
  }

  /** Converts a content stream and its resources for the new file. @throws WorkBudgetExceeded, TooManyObjects */
  async content(
    data: Uint8Array,
    { resources, depth }: ConversionScope,
  ): Promise<{ data: Uint8Array; resources: PdfDictionary }> {
    const document = this.#document;
    const spaces = document.dictionary(resources?.get('ColorSpace'));
    await this.#prepare(spaces);
    const own = await this.#resources(resources, depth);
    const images = new Map(document.dictionary(own.get('XObject')) ?? []);
    const fonts = this.#fontsOf(own, { resources, depth });
    const converted = await convertContent(data, {
      document,
      colors: this.#colors,
      spaces,
      lengthOf: (dictionary) => {
        const image = readImage(document, new PdfStream(dictionary, data.subarray(0, 0)), {
          key: '',
          spaces,
        });
        const components = image.isStencil ? 1 : image.space.components;
        if (image.filters.length > 0) return undefined;
        return Math.ceil((image.width * components * image.bits) / 8) * image.height;
      },
      imageNamed: async (stream) => {
        const image = await this.#inlineImage(stream, spaces);
        if (!image) return undefined;
        this.#inline += 1;
        const name = `AtelierInline${this.#inline}`;
        images.set(name, image);
        return name;
      },
      ...fonts,
      onColor: () => {
        this.converted.colors += 1;
      },
      onReduced: () => {
        this.converted.reduced += 1;
      },
      onUnconverted: (what) => this.#reportUnconverted(what),
    });
    if (images.size > 0) own.set('XObject', images);
    fonts.finish();
    return { data: converted, resources: own };
  }

  /**
   * Font handling for one content stream. `finish` removes the fonts that it does not need.
   * @param own resources in the new file
   */
  #fontsOf(
    own: PdfDictionary,
    { resources, depth }: ConversionScope,
  ): Pick<ContentContext, 'fontNamed' | 'onInheritedFont' | 'outlines'> & { finish(): void } {
    const document = this.#document;
    const found = own.get('Font');
    const fonts: PdfDictionary = isDictionary(found) ? found : new Map();
    const sent = document.dictionary(resources?.get('Font'));
    const outlined = this.#outlined;
    if (outlined) {
      const outlines = new TextOutlines((name) => outlined.font(sent?.get(name) ?? null));
      const finish = () => this.#keepFonts(fonts, { outlines, sent });
      return { outlines, fontNamed: () => undefined, onInheritedFont() {}, finish };
    }
    const set = new Set<string>();
    const useOf = (font: PdfValue | undefined) =>
      font instanceof Reference ? this.#fonts?.useOf(font) : undefined;
    return {
      fontNamed: (name) => {
        set.add(name);
        const use = useOf(fonts.get(name));
        if (use) use.isSet = true;
        return use;
      },
      // Pages start without a font.
      onInheritedFont: () => depth > 0 && this.#fonts?.onInheritedFont(),
      // Fonts neither embedded nor used are omitted.
      finish() {
        for (const [name, font] of fonts) if (!set.has(name) && useOf(font)) fonts.delete(name);
      },
    };
  }

  /** Keeps the fonts of text that was not converted to outlines. */
  #keepFonts(
    fonts: PdfDictionary,
    { outlines, sent }: { readonly outlines: TextOutlines; readonly sent: PdfDictionary | undefined },
  ): void {
    const document = this.#document;
    this.converted.outlined += outlines.outlined;
    fonts.clear();
    for (const name of outlines.kept) {
      fonts.set(name, this.#made.copy(sent?.get(name)));
      const font = document.dictionary(sent?.get(name));
      this.converted.notOutlined.add(nameOf(document.get(font, 'BaseFont')) ?? name);
    }
  }

  /** Converts a form XObject. */
  async form(form: PdfStream, within: ConversionScope): Promise<PdfStream> {
    const own = this.#document.dictionary(form.dictionary.get('Resources')) ?? within.resources;
    const unpacked = this.#document.decode(form);
    const { data, resources } = await this.content(unpacked.data, { resources: own, depth: within.depth });
    const entries: PdfDictionary = new Map();
    for (const [key, value] of form.dictionary) {
      if (/^(Length|Filter|DecodeParms|DL|Resources|Metadata|PieceInfo|StructParents?|OPI)$/.test(key))
        continue;
      entries.set(key, key === 'Group' ? this.group(value) : this.#made.copy(value));
    }
    entries.set('Resources', resources);
    return flateStream(entries, data);
  }

  /** Copies a transparency group. An RGB blending space becomes DeviceCMYK. */
  group(value: PdfValue): PdfValue {
    const document = this.#document;
    const group = document.dictionary(value);
    if (!group) return this.#made.copy(value);
    const space = group.has('CS') ? readColorSpace(document, group.get('CS'), undefined) : CMYK;
    const copied = this.#made.copy(group) as PdfDictionary;
    if (!isRgbOrLab(space)) return copied;
    this.converted.blendSpaces += 1;
    return new Map([...copied, ['CS', new Name('DeviceCMYK')]]);
  }

  /**
   * Overprint mode 1 affects only DeviceCMYK: RGB white converted to CMYK would leave the backdrop visible (ISO
   * 32000-1, 8.6.7). Called after all content is converted.
   * @returns whether a mode was changed
   */
  resetOverprintMode(): boolean {
    const { colors, images, gradients } = this.converted;
    if (colors + images + gradients === 0) return false;
    for (const state of this.#overprintStates) state.set('OPM', 0);
    return this.#overprintStates.length > 0;
  }

  #reportUnconverted(what: string): void {
    if (this.converted.left.size < LEFT_MAX) this.converted.left.add(what);
  }

  /** Prepares the profiles before the content that uses them is converted. */
  async #prepare(spaces: PdfDictionary | undefined): Promise<void> {
    for (const [, value] of [...(spaces ?? [])].slice(0, 100)) await this.#prepareSpace(value, spaces);
  }

  async #prepareSpace(value: PdfValue, spaces: PdfDictionary | undefined): Promise<ColorSpace> {
    const document = this.#document;
    const space = readColorSpace(document, value, spaces);
    const found = document.resolve(value);
    const [family, of] = Array.isArray(found) ? found : [];
    const kind = nameOf(document.resolve(family));
    if (kind === 'Indexed' && of) await this.#prepareSpace(of, spaces);
    const stream = kind === 'ICCBased' ? document.resolve(of) : null;
    if (stream instanceof PdfStream && space.basis === 'rgb')
      await this.#colors.prepare(space, document.decode(stream).data);
    return space;
  }

  async #resources(resources: PdfDictionary | undefined, depth: number): Promise<PdfDictionary> {
    const document = this.#document;
    const result: PdfDictionary = new Map();
    for (const [kind, value] of resources ?? []) {
      const entries = document.dictionary(value);
      const convert = Object.hasOwn(this.#converters, kind) ? this.#converters[kind] : undefined;
      if (!convert || !entries) {
        result.set(kind, this.#made.copy(value));
        continue;
      }
      const own: PdfDictionary = new Map();
      for (const [name, one] of entries) {
        document.work.spend(COST.resource);
        const made = await this.#once(kind, one, () => convert(one, { resources, depth }));
        if (made !== undefined) own.set(name, made);
      }
      result.set(kind, own);
    }
    return result;
  }

  /** Converts an indirect object once. */
  #once(
    kind: string,
    value: PdfValue,
    convert: () => Promise<PdfValue | undefined>,
  ): Promise<PdfValue | undefined> {
    if (!(value instanceof Reference)) return convert();
    const key = `${kind} ${value.number}`;
    const known = this.#known.get(key);
    if (known) return known;
    // Registered before conversion: a form that draws itself would otherwise recurse without end.
    const reference = this.#made.reserve();
    this.#known.set(key, Promise.resolve(reference));
    return convert().then((made) => {
      if (made instanceof Reference) this.#known.set(key, Promise.resolve(made));
      else this.#made.set(reference, made ?? null);
      return made instanceof Reference ? made : reference;
    });
  }

  readonly #converters: Readonly<Record<string, Convert>> = {
    XObject: async (value, within) => {
      const stream = this.#document.resolve(value);
      if (!(stream instanceof PdfStream)) return this.#made.copy(value);
      const kind = nameOf(this.#document.get(stream.dictionary, 'Subtype'));
      if (kind === 'Image') return this.#image(value, stream, within);
      if (kind !== 'Form' || within.depth >= FORM_DEPTH_MAX) return this.#made.copy(value);
      return this.form(stream, { ...within, depth: within.depth + 1 });
    },
    Pattern: async (value, within) => {
      const pattern = this.#document.resolve(value);
      if (pattern instanceof PdfStream)
        return within.depth >= FORM_DEPTH_MAX
          ? this.#made.copy(value)
          : this.form(pattern, { ...within, depth: within.depth + 1 });
      const shading = isDictionary(pattern) ? pattern.get('Shading') : undefined;
      if (!isDictionary(pattern) || shading === undefined) return this.#made.copy(value);
      const made = await this.#shading(shading, within);
      const entries = [...pattern].filter(([key]) => key !== 'Shading');
      return new Map([
        ...entries.map(([key, one]) => [key, this.#made.copy(one)] as const),
        ['Shading', made],
      ]);
    },
    Shading: (value, within) => this.#shading(value, within),
    ColorSpace: async (value, { resources }) =>
      this.#space(value, this.#document.dictionary(resources?.get('ColorSpace'))),
    // With outlines, fonts that are still needed are copied later.
    Font: async (value) =>
      this.#outlined ? undefined : (this.#fonts?.take(value) ?? this.#made.copy(value)),
    ExtGState: async (value) => {
      const state = this.#document.dictionary(value);
      if (this.#outlined && state?.has('Font')) throw new OutliningError('a graphics state sets a font');
      if (!state || this.#document.get(state, 'OPM') !== 1) return this.#made.copy(value);
      const copied = this.#made.copy(state) as PdfDictionary;
      this.#overprintStates.push(copied);
      return copied;
    },
  };

  async #shading(value: PdfValue, { resources }: ConversionScope): Promise<PdfValue> {
    const document = this.#document;
    const shading = document.dictionary(value);
    if (!shading) return this.#made.copy(value);
    const spaces = document.dictionary(resources?.get('ColorSpace'));
    const space = await this.#prepareSpace(shading.get('ColorSpace') ?? null, spaces);
    const add = (stream: PdfStream) => this.#made.add(flateStream(stream.dictionary, stream.raw));
    if (!isRgbOrLab(space)) return this.#limitShading(value, space, add);
    const made = convertShading(document, shading, { space, colors: this.#colors, add });
    if (!made) {
      this.#reportUnconverted('an RGB gradient with a mesh or an unsupported function');
      return this.#made.copy(value);
    }
    this.converted.gradients += 1;
    return made;
  }

  #limitShading(value: PdfValue, space: ColorSpace, add: (stream: PdfStream) => Reference): PdfValue {
    const { inkLimit } = this.#colors;
    const limit = inkLimit === undefined ? undefined : inkLimiter(space, inkLimit);
    const copy = (one: PdfValue) => this.#made.copy(one);
    const made = limit && limitShading(this.#document, value, { space, limit, add, copy });
    if (typeof made === 'string')
      this.#reportUnconverted(`a gradient of unknown ink coverage, because ${made}`);
    if (made === undefined || typeof made === 'string') return copy(value);
    this.converted.reduced += 1;
    return made instanceof PdfStream ? this.#made.add(made) : made;
  }

  async #image(value: PdfValue, stream: PdfStream, { resources }: ConversionScope): Promise<PdfValue> {
    const document = this.#document;
    const spaces = document.dictionary(resources?.get('ColorSpace'));
    await this.#prepareSpace(stream.dictionary.get('ColorSpace') ?? null, spaces);
    const image = readImage(document, stream, { key: '', spaces });
    const isScreen = isRgbOrLabImage(image);
    const made = isScreen
      ? await convertImage(document, image, this.#colors)
      : await this.#limitImage(image, spaces);
    if (made === undefined) return this.#made.copy(value);
    if (typeof made === 'string') {
      if (isScreen) this.#reportUnconverted(`an image in RGB, because ${made}`);
      return this.#made.copy(value);
    }
    this.converted[isScreen ? 'images' : 'reduced'] += 1;
    return imageStream(made, (one) => this.#made.copy(one));
  }

  /** Reduces an image to the ink limit. An image that exceeds the limit and cannot be changed is reported. */
  async #limitImage(image: PdfImage, spaces: PdfDictionary | undefined): ReturnType<typeof limitImage> {
    const { inkLimit } = this.#colors;
    if (inkLimit === undefined) return undefined;
    const made = await limitImage(this.#document, image, { percent: inkLimit, spaces });
    if (typeof made !== 'string') return made;
    const inspection = await inspectImage(this.#document, image);
    if (typeof inspection === 'object' && (inspection.inkPercent ?? 0) > inkLimit + INK_TOLERANCE)
      this.#reportUnconverted(`an image with ${inspection.inkPercent} % ink coverage, because ${made}`);
    return undefined;
  }

  async #inlineImage(stream: PdfStream, spaces: PdfDictionary | undefined): Promise<Reference | undefined> {
    const image = readImage(this.#document, stream, { key: '', spaces });
    if (!isRgbOrLabImage(image)) return this.#limitInlineImage(image, spaces);
    const made =
      this.#inline < INLINE_MAX
        ? await convertImage(this.#document, image, this.#colors)
        : `there are more than ${INLINE_MAX} inline images`;
    if (typeof made === 'string') {
      this.#reportUnconverted(`an inline image in RGB, because ${made}`);
      return undefined;
    }
    this.converted.images += 1;
    return this.#made.add(imageStream(made, (one) => this.#made.copy(one)));
  }

  async #limitInlineImage(
    image: PdfImage,
    spaces: PdfDictionary | undefined,
  ): Promise<Reference | undefined> {
    const made = this.#inline < INLINE_MAX ? await this.#limitImage(image, spaces) : undefined;
    if (made === undefined || typeof made === 'string') return undefined;
    this.converted.reduced += 1;
    return this.#made.add(imageStream(made, (one) => this.#made.copy(one)));
  }

  /** Copies a colour space. The colour table of an Indexed space may exceed the ink limit. */
  #space(value: PdfValue, spaces: PdfDictionary | undefined): PdfValue {
    const { inkLimit } = this.#colors;
    const space = inkLimit === undefined ? undefined : readColorSpace(this.#document, value, spaces);
    const limited =
      space?.family === 'Indexed'
        ? limitIndexed(this.#document, this.#document.resolve(value), { space, percent: inkLimit! })
        : undefined;
    if (!limited) return this.#made.copy(value);
    this.converted.reduced += 1;
    return limited.map((one) => this.#made.copy(one));
  }
}
