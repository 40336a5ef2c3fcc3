import { type PageFileName, pageFile } from '../../core/html/page_files.ts';

/** A bundled image for trying tools. */
export interface Sample {
  /** As in URLs: `?image=sample:pear`. */
  readonly name: string;
  readonly title: string;
  readonly file: PageFileName;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
}

export const SAMPLES: readonly Sample[] = [
  {
    name: 'still_life',
    title: 'Still life with jug',
    file: 'sample_still_life.webp',
    alt: 'A painted still life: a green jug, two pears on a cloth, plums and cherries on a wooden table',
    width: 960,
    height: 720,
  },
  {
    name: 'pear',
    title: 'Pear',
    file: 'sample_pear.webp',
    alt: 'A yellow pear with a leaf on a pale background',
    width: 640,
    height: 640,
  },
  {
    name: 'badge',
    title: 'Badge',
    file: 'sample_badge.webp',
    alt: 'A round badge: four leaves on a stem, in orange and yellow on dark green',
    width: 640,
    height: 640,
  },
];

/** Samples of the verify page: one more, which has a watermark and metadata. */
export const TELLING_SAMPLES: readonly Sample[] = [
  ...SAMPLES,
  {
    name: 'telling_pear',
    title: 'Watermarked pear',
    file: 'sample_telling_pear.webp',
    alt: 'The same pear with an invisible watermark',
    width: 640,
    height: 640,
  },
];

/** @throws Error for an unknown name */
export function sampleOf(name: string): Sample {
  const found = SAMPLES.find((sample) => sample.name === name);
  if (!found) throw new Error(`no sample ${name}`);
  return found;
}

export const sampleAddress = ({ file }: Sample): string => pageFile(file).address;
