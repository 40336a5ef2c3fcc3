import type { TiffPage } from '../tiff/read_tiff_pages.ts';
import { inkErrorText, inkWarningText, type TiffRule } from './rule.ts';
import { DPI_LINE_ART, DPI_MIN, DPI_RECOMMENDED } from './thresholds.ts';

const [MASK, SEPARATED, RGB, YCBCR, PALETTE] = [4, 5, 2, 6, 3];
const LAB = [8, 9, 10];
const GREY = [0, 1];
/** Uncompressed, LZW, Deflate (both codes), PackBits. */
const SUPPORTED_COMPRESSIONS = [1, 5, 8, 32_946, 32_773];
const NAMES: Record<number, string> = {
  2: 'CCITT',
  3: 'CCITT G3',
  4: 'CCITT G4',
  6: 'old JPEG',
  7: 'JPEG',
  34712: 'JPEG 2000',
  34887: 'LERC',
  34925: 'LZMA',
  50000: 'Zstandard',
  50001: 'WebP',
  50002: 'JPEG XL',
};

const isLineArt = ({ bits, samples }: TiffPage): boolean => samples === 1 && bits[0] === 1;
const lowerDpi = ({ dpi }: TiffPage): number | undefined => dpi && Math.min(dpi.x, dpi.y);
const expectedSpace = ({ photometric }: TiffPage): string | undefined =>
  photometric === SEPARATED
    ? 'CMYK'
    : [RGB, YCBCR].includes(photometric)
      ? 'RGB'
      : GREY.includes(photometric)
        ? 'GRAY'
        : undefined;
const isToned = (page: TiffPage): boolean => !isLineArt(page) && !page.isReduced;

export const TIFF_RULES: readonly TiffRule[] = [
  {
    id: 'tiff_rgb',
    about: 'tiff',
    severity: 'warning',
    basis: 'Trade practice: a TIFF for the press is CMYK',
    check: ({ photometric }) =>
      [RGB, YCBCR].includes(photometric) && 'It is in RGB, so the printer decides how to convert it.',
    remedy: 'Convert it for the press (convert_color_profile, or print_ready for the whole sheet).',
  },
  {
    id: 'tiff_other_colors',
    about: 'tiff',
    severity: 'error',
    basis: 'TIFF 6.0: PhotometricInterpretation',
    check: ({ photometric }) =>
      ![...GREY, RGB, YCBCR, SEPARATED].includes(photometric) &&
      `It is ${photometric === PALETTE ? 'in palette colours' : LAB.includes(photometric) ? 'in Lab' : photometric === MASK ? 'a mask' : `in a colour model (${photometric}) that few programs read`}.`,
    remedy: 'Convert it to CMYK, RGB or grey.',
  },
  {
    id: 'tiff_profile_missing',
    about: 'tiff',
    severity: 'warning',
    basis: 'Trade practice and ICC.1, B.4: colours are undefined without a profile',
    check: (page) => !page.hasProfile && !isLineArt(page) && 'It has no ICC profile.',
    remedy: 'Embed the profile it was created with.',
  },
  {
    id: 'tiff_profile_wrong',
    about: 'tiff',
    severity: 'error',
    basis: 'ICC.1: the profile and the image have the same colour space',
    check: (page) => {
      if (!page.hasProfile) return false;
      if (!page.profile?.isWhole) return 'Its ICC profile is truncated or invalid.';
      const space = expectedSpace(page);
      return (
        space !== undefined &&
        page.profile.space !== space &&
        `Its profile is for ${page.profile.space}, but the image is in ${space}.`
      );
    },
    remedy: 'Tag it with the correct profile.',
  },
  {
    id: 'tiff_resolution_missing',
    about: 'tiff',
    severity: 'error',
    basis: 'TIFF 6.0: XResolution, YResolution, ResolutionUnit',
    check: ({ dpi }) => !dpi && 'It states no resolution, so its print size is unknown.',
    remedy: 'Set its resolution, such as 300 dpi.',
  },
  {
    id: 'tiff_below_150_dpi',
    about: 'tiff',
    severity: 'error',
    basis: 'Trade practice: at least 150 dpi at reading distance',
    check: (page) =>
      isToned(page) &&
      (lowerDpi(page) ?? DPI_MIN) < DPI_MIN - 0.5 &&
      `It has ${Math.round(lowerDpi(page)!)} dpi and will look blurred at that size.`,
    remedy: 'Print it smaller, or send a larger image (upscale_image adds pixels).',
  },
  {
    id: 'tiff_below_225_dpi',
    about: 'tiff',
    severity: 'warning',
    basis: 'Trade practice: 225 to 300 dpi for offset',
    check: (page) => {
      const dpi = lowerDpi(page) ?? DPI_RECOMMENDED;
      return (
        isToned(page) &&
        dpi >= DPI_MIN - 0.5 &&
        dpi < DPI_RECOMMENDED - 0.5 &&
        `It has ${Math.round(dpi)} dpi; 300 dpi is recommended.`
      );
    },
    remedy: 'Send a larger image (upscale_image adds pixels).',
  },
  {
    id: 'tiff_line_art_below_550_dpi',
    about: 'tiff',
    severity: 'warning',
    basis: 'Trade practice: at least 600 dpi for 1-bit images',
    check: (page) =>
      isLineArt(page) &&
      (lowerDpi(page) ?? DPI_LINE_ART) < DPI_LINE_ART &&
      `A 1-bit image has ${Math.round(lowerDpi(page)!)} dpi; its edges will look jagged.`,
    remedy: 'Scan it at 600 to 1200 dpi, or convert it to vectors (vectorize_image).',
  },
  {
    id: 'tiff_pixels_not_square',
    about: 'tiff',
    severity: 'error',
    basis: 'TIFF 6.0: XResolution and YResolution',
    check: ({ dpi }) =>
      dpi !== undefined &&
      Math.abs(dpi.x / dpi.y - 1) > 0.01 &&
      `It has ${Math.round(dpi.x)} dpi horizontally and ${Math.round(dpi.y)} vertically; many programs distort it.`,
    remedy: 'Resample it to square pixels.',
  },
  {
    id: 'tiff_alpha',
    about: 'tiff',
    severity: 'error',
    basis: 'Trade practice: transparency has no meaning on paper; TIFF 6.0: ExtraSamples',
    check: ({ extraSamples }) =>
      extraSamples.some((kind) => kind === 1 || kind === 2) && 'It has an alpha channel.',
    remedy: 'Flatten it onto its background.',
  },
  {
    id: 'tiff_spot_channels',
    about: 'tiff',
    severity: 'warning',
    basis: 'Trade practice: extra channels may be printed as inks; TIFF 6.0: ExtraSamples, InkNames',
    check: ({ extraSamples, inkNames, samples, photometric }) => {
      const more = extraSamples.filter((kind) => kind === 0).length;
      const isMany = photometric === SEPARATED && samples > 4 && extraSamples.length === 0;
      return (
        (more > 0 || isMany) &&
        `It has ${more || samples - 4} extra channels${inkNames.length > 0 ? `: ${inkNames.slice(0, 6).join(', ').slice(0, 100)}` : ''}.`
      );
    },
    remedy: 'Tell the printer which inks they are, or delete them.',
  },
  {
    id: 'tiff_other_inks',
    about: 'tiff',
    severity: 'error',
    basis: 'TIFF 6.0, section 16: InkSet',
    check: ({ inkSet, photometric, samples }) =>
      photometric === SEPARATED &&
      (inkSet !== 1 || samples < 4) &&
      'Its inks are not cyan, magenta, yellow and black.',
    remedy: 'Convert it to CMYK.',
  },
  {
    id: 'tiff_layers',
    about: 'tiff',
    severity: 'warning',
    basis: 'Trade practice: flatten before sending; Adobe tag 37724',
    check: ({ hasLayers }) =>
      hasLayers && 'It has Photoshop layers; programs that read them may show a different image.',
    remedy: 'Save it flattened, without layers.',
  },
  {
    id: 'tiff_planar',
    about: 'tiff',
    severity: 'warning',
    basis: 'Trade practice: channels interleaved; TIFF 6.0: PlanarConfiguration',
    check: ({ isPlanar, samples }) =>
      isPlanar &&
      samples > 1 &&
      'Its channels are stored separately (planar), which some programs do not read.',
    remedy: 'Save it with interleaved channels.',
  },
  {
    id: 'tiff_16_bit',
    about: 'tiff',
    severity: 'warning',
    basis: 'Trade practice: 8 bits per channel for print',
    check: ({ bits }) => bits.some((count) => count > 8) && `It has ${Math.max(...bits)} bits per channel.`,
    remedy: 'Reduce it to 8 bits per channel.',
  },
  {
    id: 'tiff_compression',
    about: 'tiff',
    severity: 'warning',
    basis: 'Trade practice: none, LZW or ZIP',
    check: (page) => {
      const isFax = isLineArt(page) && [2, 3, 4].includes(page.compression);
      return (
        !SUPPORTED_COMPRESSIONS.includes(page.compression) &&
        !isFax &&
        `It is compressed with ${NAMES[page.compression] ?? `method ${page.compression}`}, which is lossy or not supported by every program.`
      );
    },
    remedy: 'Save it with LZW or without compression.',
  },
  {
    id: 'tiff_pages_many',
    about: 'tiff',
    severity: 'warning',
    basis: 'Trade practice: most programs print only the first image',
    check: ({ number }, pages) => number === 1 && pages > 1 && `It has ${pages} images in one file.`,
    remedy: 'Send each as a separate file, or all as a PDF.',
  },
  {
    id: 'tiff_big',
    about: 'tiff',
    severity: 'warning',
    basis: 'Trade practice: not every program reads BigTIFF',
    check: ({ isBig, number }) => isBig && number === 1 && 'It is a BigTIFF.',
    remedy: 'Save it as a classic TIFF, up to 4 GB.',
  },
  {
    id: 'tiff_turned',
    about: 'tiff',
    severity: 'warning',
    basis: 'Trade practice: imposition programs ignore Orientation',
    check: ({ orientation }) =>
      orientation !== 1 && `It is meant to be rotated or mirrored (Orientation ${orientation}).`,
    remedy: 'Rotate the pixels themselves.',
  },
  {
    id: 'tiff_cut_off',
    about: 'tiff',
    severity: 'error',
    basis: 'TIFF 6.0: strips and tiles are inside the file',
    check: ({ isCutOff, width, height, isReadable }) =>
      (isCutOff || width === 0 || height === 0 || isReadable === false) &&
      'Some of its pixels are missing or cannot be decoded.',
    remedy: 'Save and send it again.',
  },
  {
    id: 'tiff_total_ink',
    about: 'tiff',
    severity: 'error',
    basis: 'Trade practice: total area coverage; ISO 12647-2',
    check: ({ inkPercent = 0 }, _pages, ink) => {
      const problem = inkErrorText(inkPercent, ink);
      return problem && `Its darkest areas have ${problem}`;
    },
    remedy: 'Convert it again with the profile of the press (convert_color_profile).',
  },
  {
    id: 'tiff_much_ink',
    about: 'tiff',
    severity: 'warning',
    basis: 'Trade practice: total area coverage of the printing condition; ISO 12647-2',
    check: ({ inkPercent = 0 }, _pages, ink) => {
      const problem = inkWarningText(inkPercent, ink);
      return problem && `Its darkest areas have ${problem}`;
    },
    remedy: 'Convert it again with the profile of the press (convert_color_profile).',
  },
];
