/** Palette file formats of other programs, and their media types. */
export const PALETTE_FILES = {
  ase: 'application/x-adobe-ase',
  gpl: 'application/x-gimp-palette',
  css: 'text/css',
  json: 'application/json',
} as const;
export type PaletteFile = keyof typeof PALETTE_FILES;

/** Writes a palette file; colours with duplicate names are numbered. */
export function writePalette(colors: readonly Swatch[], file: PaletteFile): Uint8Array {
  return WRITERS[file](numberAlike(colors));
}

const WRITERS: Record<PaletteFile, (colors: readonly Swatch[]) => Uint8Array> = {
  ase: writeAse,
  gpl: (colors) => Buffer.from(gimpText(colors)),
  css: (colors) => Buffer.from(`:root {\n${colors.map(cssLine).join('')}}\n`),
  json: (colors) => Buffer.from(`${JSON.stringify(designTokens(colors), null, 2)}\n`),
};

function numberAlike(colors: readonly Swatch[]): Swatch[] {
  const seen = new Map<string, number>();
  return colors.map((color) => {
    const count = (seen.get(color.name) ?? 0) + 1;
    seen.set(color.name, count);
    return count === 1 ? color : { ...color, name: `${color.name} ${count}` };
  });
}

const cssName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
const cssLine = ({ hex, name }: Swatch): string => `  --${cssName(name)}: ${hex};\n`;

/** GIMP, Inkscape and Krita. Source: GIMP's developer documentation, "gpl.txt". */
function gimpText(colors: readonly Swatch[]): string {
  const rows = colors.map(({ rgb, name, hex }) => {
    const numbers = [rgb.r, rgb.g, rgb.b].map((value) => String(value).padStart(3)).join(' ');
    return `${numbers}\t${name} ${hex}`;
  });
  return `GIMP Palette\nName: Palette\nColumns: ${colors.length}\n#\n${rows.join('\n')}\n`;
}

/** Source: Design Tokens Format Module 2025.10, with its colour module. */
const designTokens = (colors: readonly Swatch[]) => ({
  palette: {
    $type: 'color',
    ...Object.fromEntries(
      colors.map(({ hex, rgb, name, percentage }) => [
        cssName(name),
        {
          $value: {
            colorSpace: 'srgb',
            components: [rgb.r, rgb.g, rgb.b].map((value) => Number((value / 255).toFixed(4))),
            hex,
          },
          $description: `${name}, ${percentage}% of the picture`,
        },
      ]),
    ),
  },
});

const [COLOR_ENTRY, NORMAL_COLOR] = [0x0001, 2];

/**
 * Adobe Swatch Exchange: "ASEF", version and count, then one block per colour: type, length, NUL-terminated UTF-16 name, model, three
 * floats, kind; all big-endian.
 */
function writeAse(colors: readonly Swatch[]): Uint8Array {
  const head = Buffer.alloc(12);
  head.write('ASEF');
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(colors.length, 8);
  return Buffer.concat([head, ...colors.map(aseBlock)]);
}

function aseBlock({ name, rgb }: Swatch): Buffer {
  const text = Buffer.from(`${name}\0`, 'utf16le').swap16();
  const block = Buffer.alloc(6 + 2 + text.length + 4 + 12 + 2);
  block.writeUInt16BE(COLOR_ENTRY, 0);
  block.writeUInt32BE(block.length - 6, 2);
  block.writeUInt16BE(text.length / 2, 6);
  text.copy(block, 8);
  const at = 8 + text.length;
  block.write('RGB ', at);
  for (const [index, value] of [rgb.r, rgb.g, rgb.b].entries())
    block.writeFloatBE(value / 255, at + 4 + 4 * index);
  block.writeUInt16BE(NORMAL_COLOR, at + 16);
  return block;
}

/** A colour of a palette. */
export interface Swatch {
  /** "#1144aa" */
  readonly hex: string;
  readonly rgb: { readonly r: number; readonly g: number; readonly b: number };
  /** Percentage of the visible image. */
  readonly percentage: number;
  readonly name: string;
}
