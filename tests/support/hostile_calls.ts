import { createHash } from 'node:crypto';
import { FREE } from '../../src/features/definitions/price.ts';
import type { AnyTool } from '../../src/features/definitions/tool.ts';
import { tools } from '../../src/features/tools.ts';
import type { HostilePicture } from '../fixtures/hostile/hostile_pictures.ts';

/** Needs models that no test installs, and reports so for every image; its own tests use fakes. */
const NEEDS_NETWORKS = 'read_text';

/** Tools that take an image and work without further models. */
export const imageTools: readonly AnyTool[] = tools.filter(
  ({ name, input }) => 'image' in input.shape && name !== NEEDS_NETWORKS,
);

/** Slow tools get one image of each format and kind: all tools decode in the same way. */
const SLOW = new Set(['mockup_image', 'upscale_image']);

export interface HostileCall {
  readonly tool: AnyTool;
  readonly picture: HostilePicture;
  readonly wallet: string;
  readonly body: object;
}

/**
 * One call for each image. A tool requires a paying wallet before it reads the image: `walletOf` the tool.
 */
export const hostileCalls = (tool: AnyTool, pictures: readonly HostilePicture[]): HostileCall[] =>
  sentTo(tool, pictures).map((picture) => ({
    tool,
    picture,
    wallet: walletOf(tool),
    // For infuse_metadata, the mode with more work.
    body: {
      ...tool.examples[tool.name === 'infuse_metadata' ? 1 : 0],
      image: picture.bytes.toString('base64'),
    },
  }));

export const walletOf = ({ name }: AnyTool): string =>
  `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;

/** What is wrong with a response; undefined for a result, or an error with a reason. */
export function problemWith(
  // biome-ignore lint/suspicious/noExplicitAny: the answer of a service, in this process or another
  { status, text, body }: { status: number; text: string; body: any },
  { kind }: HostilePicture,
): string | undefined {
  if (status === 401 || status === 402) return `${status}: the picture was not looked at`;
  if (status >= 500) return `${status} ${body?.code} ${body?.detail}`;
  if (status !== 200 && !body?.detail) return 'no detail';
  if (/node_modules|at \w+ \(|\.ts:\d+|vips_/.test(text)) return `inner detail: ${text.slice(0, 300)}`;
  if (kind === 'bomb' && status === 200) return 'a bomb was taken';
  return undefined;
}

function sentTo(tool: AnyTool, pictures: readonly HostilePicture[]): readonly HostilePicture[] {
  if (SLOW.has(tool.name)) return oneOfEach(pictures);
  // Paid tools take a second for a valid image, and their result is not tested here.
  return tool.price === FREE ? pictures : pictures.filter(({ kind }) => kind !== 'sound');
}

/** The first word of a name is its folder or format. */
const oneOfEach = (pictures: readonly HostilePicture[]): HostilePicture[] => [
  ...new Map(
    pictures.map((picture) => [`${/^\w+/.exec(picture.name)} ${picture.kind}`, picture] as const),
  ).values(),
];
