import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deltaE2000, type Lab } from '@atelier/imaging/color/lab.ts';
import { OUT_OF_GAMUT_DELTA_E } from '@atelier/imaging/color/press_link.ts';
import { SLUG_MM } from '@atelier/imaging/print/page_marks.ts';
import sharp from 'sharp';
import { type PrintedFile, type PrintRequest, runPrint } from '../src/core/workers/run_print.ts';
import { photo } from './support/photo.ts';

// The sharp of the engines blocks SVG and file names; this benchmark needs both.
sharp.unblock({ operation: ['VipsForeignLoad'] });

/** Checks print files, and the figures of their preflight, with other programs. */
export const run = async (): Promise<string> => `${await sheets()}\n\n${await preflight()}`;

const SHARED = fileURLToPath(new URL('../../shared/images/', import.meta.url));
const PROFILES = ['coated_fogra39', 'uncoated_fogra29', 'coated_gracol2006'];
/** Trim size of A5, landscape, in millimetres. */
const TRIM_MM = { width: 210, height: 148 };
const DPI = 150;
/** Patches per image that are converted with littlecms. */
const PATCHES = 4000;
const PROGRAMS = ['convert', 'gs', 'pdftoppm', 'transicc'];

/** Compares the figures of preflight with those of other programs for the same files. */
async function preflight(): Promise<string> {
  const absent = PROGRAMS.filter((program) => spawnSync(program, []).error);
  if (absent.length > 0) return `print: preflight skipped, not installed: ${absent.join(', ')}`;
  const folder = await mkdtemp(join(tmpdir(), 'atelier-preflight-'));
  const dpiRows: string[] = [];
  for (const across of [600, 1240, 2480]) dpiRows.push(await resolutionRow(folder, across));
  const pictures = await artworks();
  const inkRows: string[] = [];
  for (const picture of pictures)
    for (const press of PROFILES) inkRows.push(await inkRow(folder, picture, press));
  await rm(folder, { recursive: true });
  return [
    '## Preflight figures compared with third-party programs',
    '',
    `A sheet of ${TRIM_MM.width} × ${TRIM_MM.height} mm at ${DPI} dpi. Effective dpi: distance of two bars in the image divided by their distance on the page rendered by poppler (pdftoppm) at 600 dpi.`,
    '',
    '| image | reported dpi | by poppler |',
    '|---|---|---|',
    ...dpiRows,
    '',
    `Ink: highest total (except a ten-thousandth of the pixels) from the samples ImageMagick reads from the TIFF; mean of each plate by Ghostscript (ink_cov) from the PDF; both in per cent. Gamut: share of ${PATCHES} pixels that Little CMS (transicc, relative colorimetric) misses by ΔE00 ${OUT_OF_GAMUT_DELTA_E} or more after a round trip.`,
    '',
    '| image | profile | highest ink Atelier / ImageMagick | plates Atelier | plates Ghostscript | out of gamut Atelier / littlecms, % |',
    '|---|---|---|---|---|---|',
    ...inkRows,
  ].join('\n');
}

interface Artwork {
  readonly name: string;
  readonly bytes: Buffer;
}

async function artworks(): Promise<Artwork[]> {
  const files = ['photo/kodak_23.png', 'art/starry_night.jpg'].filter((file) => existsSync(SHARED + file));
  const made: [string, Buffer][] = [
    ['grain, made here', await photo(1200, 846)],
    ['all hues, made here', await allHues()],
    ...files.map((file): [string, Buffer] => [file, readFileSync(SHARED + file)]),
  ];
  // All in the proportions of the trim, so that the sheet shows exactly the whole image.
  return Promise.all(
    made.map(async ([name, bytes]) => ({
      name,
      bytes: await sharp(bytes).resize(1240, 874, { fit: 'cover' }).png().toBuffer(),
    })),
  );
}

/** Hues from left to right, from white through full saturation to black. */
function allHues(): Promise<Buffer> {
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1240" height="874"><defs><linearGradient id="h">${[0, 60, 120, 180, 240, 300, 360].map((hue) => `<stop offset="${hue / 360}" stop-color="hsl(${hue},100%,50%)"/>`).join('')}</linearGradient><linearGradient id="l" x2="0" y2="1"><stop stop-color="#fff"/><stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset=".5" stop-opacity="0"/><stop offset="1"/></linearGradient></defs><rect width="1240" height="874" fill="url(#h)"/><rect width="1240" height="874" fill="url(#l)"/></svg>`,
    ),
  )
    .png()
    .toBuffer();
}

const printed = (path: string, bytes: Buffer, format: 'tiff' | 'pdf', press: string): Promise<PrintedFile> =>
  printSheet({
    bytes,
    format,
    path,
    trimMm: TRIM_MM,
    bleedMm: 0,
    dpi: DPI,
    hasMarks: false,
    press: { name: press, path: shippedProfile(press), registered: press },
    rendering: { intent: 'relative', blackPointCompensation: false },
  });

const RENDER_DPI = 600;

async function resolutionRow(folder: string, across: number): Promise<string> {
  const down = Math.round((across * TRIM_MM.height) / TRIM_MM.width);
  const [bar, apart] = [across / 20, (across * 7) / 10];
  const bars = [across / 10, across / 10 + apart].map(
    (x) => `<rect x="${x}" y="0" width="${bar}" height="${down}"/>`,
  );
  const picture = await sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${across}" height="${down}"><rect width="100%" height="100%" fill="#fff"/>${bars.join('')}</svg>`,
    ),
  )
    .png()
    .toBuffer();
  const path = join(folder, `bars-${across}.pdf`);
  const { plan } = await printed(path, picture, 'pdf', 'coated_fogra39');
  ask('pdftoppm', ['-r', `${RENDER_DPI}`, '-gray', '-png', '-singlefile', path, `${path}.page`]);
  const { data, info } = await sharp(`${path}.page.png`)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const row = data.subarray(info.width * Math.floor(info.height / 2)).subarray(0, info.width);
  const [left, right] = [row.subarray(0, info.width / 2), row.subarray(info.width / 2)].map(darkMiddle);
  const inches = (info.width / 2 + right! - left!) / RENDER_DPI;
  return `| bars, ${across} pixels across | ${plan.effectiveDpi.toFixed(1)} | ${(apart / inches).toFixed(1)} |`;
}

function darkMiddle(row: Uint8Array): number {
  let [weight, moment] = [0, 0];
  for (const [x, value] of row.entries()) {
    weight += 255 - value;
    moment += (255 - value) * x;
  }
  return moment / weight;
}

async function inkRow(folder: string, { name, bytes }: Artwork, press: string): Promise<string> {
  const [tiff, pdf] = [join(folder, 'sheet.tiff'), join(folder, 'sheet.pdf')];
  const { inks, plan } = await printed(tiff, bytes, 'tiff', press);
  await printed(pdf, bytes, 'pdf', press);
  const highest = highestInk(ask('convert', [tiff, '-depth', '8', 'cmyk:-']));
  const inkCov = ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=ink_cov', `-r${DPI}`, '-o', '-', pdf];
  const plates = (`${ask('gs', inkCov)}`.match(/[\d.]+/g) ?? []).slice(0, 4).map(Number);
  const { cyan, magenta, yellow, black } = inks.platesPercent;
  const own = [cyan, magenta, yellow, black];
  const missed = await missedShare(bytes, plan.sheet.width * plan.sheet.height, shippedProfile(press));
  const figures = (values: number[]) => values.map((value) => value.toFixed(1)).join(' / ');
  await rm(tiff);
  await rm(pdf);
  return `| ${name} | ${press} | ${figures([inks.inkMaxPercent, highest])} | ${figures(own)} | ${figures(plates)} | ${figures([100 * inks.outOfGamutShare, 100 * missed])} |`;
}

function highestInk(samples: Buffer): number {
  const totals = new Uint16Array(samples.length / 4);
  for (let pixel = 0; pixel < totals.length; pixel++)
    for (let ink = 0; ink < 4; ink++) totals[pixel]! += samples[4 * pixel + ink]!;
  totals.sort();
  return (100 * totals[Math.ceil(totals.length * (1 - 1e-4)) - 1]!) / 255;
}

/** Share of pixels whose colour changes in printing according to littlecms. */
async function missedShare(picture: Buffer, pixels: number, profile: string): Promise<number> {
  const { data } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const step = Math.max(1, Math.floor(Math.min(pixels, data.length / 3) / PATCHES));
  const colors: number[][] = [];
  for (let at = 0; at + 2 < data.length; at += 3 * step) colors.push([...data.subarray(at, at + 3)]);
  const meant = transicc(colors, ['-t1', '-i*sRGB', '-o*Lab'], 3);
  const inks = transicc(colors, ['-t1', '-i*sRGB', `-o${profile}`], 4);
  const seen = transicc(inks, ['-t1', `-i${profile}`, '-o*Lab'], 3);
  const far = meant.filter(
    (lab, index) => deltaE2000(lab as Lab, seen[index] as Lab) >= OUT_OF_GAMUT_DELTA_E,
  );
  return far.length / colors.length;
}

function ask(program: string, words: string[]): Buffer {
  const { status, stdout, stderr } = spawnSync(program, words, { maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}

const SIZES = [
  ['a4', 210, 297],
  ['a3', 297, 420],
  ['letter', 215.9, 279.4],
  ['poster_24x36', 609.6, 914.4],
] as const;
const WAYS = [
  { bleedMm: 0, hasMarks: false },
  { bleedMm: 3, hasMarks: true },
  { bleedMm: 10, hasMarks: true },
];
interface Sheet {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  /** In points: distances from the page edge to the bleed and to the trim, and the trim size. */
  readonly bleedAt: number;
  readonly trimAt: number;
  readonly trim: readonly [number, number];
}

/**
 * A program that validates a sheet: it must exit with success, report no errors, and print the expected text.
 */
interface Judge {
  readonly looksAt: string;
  words(sheet: Sheet): string[];
  says(sheet: Sheet): string[];
}

const at = (value: number) => value.toFixed(2);
const JUDGES: Record<'tiff' | 'pdf', Record<string, Judge>> = {
  tiff: {
    tiffinfo: {
      looksAt: 'size, density, CMYK, profile',
      words: ({ path }) => [path],
      says: ({ width, height }) => [
        `Image Width: ${width} Image Length: ${height}`,
        `Resolution: ${DPI}, ${DPI} pixels/inch`,
        'Photometric Interpretation: separated',
        'ICC Profile: <present>',
      ],
    },
    tiffcp: {
      looksAt: 'every strip decodes',
      words: ({ path }) => ['-c', 'none', path, `${path}.copy`],
      says: () => [],
    },
    exiftool: {
      looksAt: 'tags and profile',
      words: ({ path }) => ['-s', '-warning', '-error', '-ProfileDescription', path],
      says: () => ['Coated FOGRA39'],
    },
  },
  pdf: {
    pdfinfo: {
      looksAt: 'boxes, PDF/X-4',
      words: ({ path }) => ['-box', path],
      says: ({ bleedAt, trimAt, trim }) => [
        `BleedBox: ${at(bleedAt)} ${at(bleedAt)}`,
        `TrimBox: ${at(trimAt)} ${at(trimAt)} ${at(trimAt + trim[0])} ${at(trimAt + trim[1])}`,
        'PDF subtype: PDF/X-4',
      ],
    },
    qpdf: {
      looksAt: 'syntax and streams',
      words: ({ path }) => ['--check', path],
      says: () => ['File is not encrypted'],
    },
    pdftoppm: {
      looksAt: 'the page renders',
      words: ({ path }) => ['-r', '18', path, `${path}.page`],
      says: () => [],
    },
    gs: {
      looksAt: 'the page renders, all four inks',
      words: ({ path }) => [
        '-q',
        '-dBATCH',
        '-dNOPAUSE',
        '-dPDFSTOPONERROR',
        '-sDEVICE=inkcov',
        '-r18',
        '-o',
        '-',
        path,
      ],
      says: () => ['CMYK OK'],
    },
    exiftool: {
      looksAt: 'XMP',
      words: ({ path }) => ['-s', '-warning', '-error', '-GTS_PDFXVersion', path],
      says: () => ['PDF/X-4'],
    },
  },
};

/** Validates all sizes as TIFF and PDF, with bleed and marks in three variants, with other programs. */
async function sheets(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-sheets-'));
  const art = await photo(1200, 900);
  const counts = new Map<string, { looksAt: string; sheets: number; complaints: string[] }>();
  for (const format of ['tiff', 'pdf'] as const)
    for (const [size, ...trimMm] of SIZES)
      for (const way of WAYS) {
        const sheet = await makeSheet(join(folder, `${size}-${way.bleedMm}.${format}`), {
          art,
          format,
          trimMm,
          ...way,
        });
        for (const [program, judge] of Object.entries(JUDGES[format])) {
          const name = `${program}, ${format.toUpperCase()}`;
          const count = counts.get(name) ?? { looksAt: judge.looksAt, sheets: 0, complaints: [] };
          counts.set(name, count);
          count.sheets += 1;
          const complaint = complaintOf(program, judge, sheet);
          if (complaint) count.complaints.push(`${size}, bleed ${way.bleedMm}: ${complaint}`);
        }
      }
  await rm(folder, { recursive: true });
  return [
    '## Sheets validated by third-party programs',
    '',
    `A4, A3, letter and 24 × 36 inches at ${DPI} dpi, without bleed, with 3 mm and with 10 mm (the latter two with marks). A program accepts a file if it exits successfully, reports no error or warning, and finds the sizes, boxes and standard that were requested.`,
    '',
    '| program | checks | sheets | passed | complaints |',
    '|---|---|---|---|---|',
    ...[...counts].map(
      ([name, { looksAt, sheets, complaints }]) =>
        `| ${name} | ${looksAt} | ${sheets} | ${sheets - complaints.length} | ${complaints.join('; ') || '–'} |`,
    ),
  ].join('\n');
}

interface SheetOptions {
  readonly art: Buffer;
  readonly format: 'tiff' | 'pdf';
  readonly trimMm: readonly [number, number];
  readonly bleedMm: number;
  readonly hasMarks: boolean;
}

async function makeSheet(
  path: string,
  { art, format, trimMm, bleedMm, hasMarks }: SheetOptions,
): Promise<Sheet> {
  const { plan } = await printSheet({
    bytes: art,
    format,
    path,
    bleedMm,
    dpi: DPI,
    hasMarks,
    trimMm: { width: trimMm[0], height: trimMm[1] },
  });
  const [slug, bleed] = [hasMarks ? SLUG_MM : 0, bleedMm].map((mm) => (mm * 72) / 25.4) as [number, number];
  const trim = trimMm.map((mm) => (mm * 72) / 25.4) as [number, number];
  return { path, ...plan.sheet, bleedAt: slug, trimAt: slug + bleed, trim };
}

/** The problem, in the program's own words if it has any; undefined for a valid sheet. */
function complaintOf(program: string, { words, says }: Judge, sheet: Sheet): string | undefined {
  const { error, status, stdout, stderr } = spawnSync(program, words(sheet), { encoding: 'utf8' });
  if (error) return 'not installed';
  const text = `${stdout}\n${stderr}`.replace(/ +/g, ' ');
  const line = /^.*\b(error|warning|invalid)\b.*$/im.exec(
    text.replaceAll(/no syntax or stream encoding errors.*|errors that qpdf cannot.*/gi, ''),
  );
  if (status !== 0 || line) return line?.[0]?.trim() ?? `ended with ${status}`;
  const missing = says(sheet).find((words) => !text.includes(words));
  return missing && `does not say "${missing}"`;
}

const shippedProfile = (name: string): string =>
  fileURLToPath(new URL(`../src/features/print/profiles/shipped/${name}.icc`, import.meta.url));

/** Settings that the benchmarks do not vary. */
const USUAL = {
  fit: 'cover',
  orientation: 'as_given',
  press: { name: 'coated_fogra39', path: shippedProfile('coated_fogra39'), registered: 'FOGRA39' },
  rendering: { intent: 'perceptual', blackPointCompensation: false },
  software: 'Atelier',
  title: 'Sheet',
  createdAt: '2026-01-01T00:00:00Z',
  documentId: '00000000-0000-4000-8000-000000000000',
  deadlineMs: 600_000,
} as const satisfies Partial<PrintRequest>;

type Order = Omit<PrintRequest, keyof typeof USUAL> & Partial<Pick<PrintRequest, keyof typeof USUAL>>;

/** Makes a sheet, by default filled, on coated paper with FOGRA39. */
const printSheet = (order: Order): Promise<PrintedFile> => runPrint({ ...USUAL, ...order });

/**
 * Converts colours with `transicc` of littlecms.
 * @param words its arguments, including both profiles
 * @param channels channels of the resulting colours
 * @throws Error if it fails or returns too few colours
 */
function transicc(
  colors: readonly (readonly number[])[],
  words: readonly string[],
  channels: number,
): number[][] {
  const { status, stdout, stderr } = spawnSync('transicc', ['-n', '-c0', ...words], {
    input: `${colors.map((color) => color.join(' ')).join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`transicc ended with ${status}: ${stderr}`);
  const answers = stdout
    .split('\n')
    .map((line) => (line.match(/-?[\d.]+/g) ?? []).map(Number).slice(-channels))
    .filter(({ length }) => length === channels);
  if (answers.length < colors.length) throw new Error(`transicc answered ${answers.length} colours`);
  return answers.slice(-colors.length);
}
