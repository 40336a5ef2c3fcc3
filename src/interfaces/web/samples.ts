import { type PageFileName, pageFile } from '../../core/html/page_files.ts';

/** A picture of our own making that tools can be tried with. */
export interface Sample {
  /** In addresses: `?image=sample:pear`. */
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
    alt: 'A yellow pear with a leaf before a pale ground',
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

/** For asking where a picture is from: one more, whose pixels and file have something to tell. */
export const TELLING_SAMPLES: readonly Sample[] = [
  ...SAMPLES,
  {
    name: 'telling_pear',
    title: 'Pear with a message',
    file: 'sample_telling_pear.webp',
    alt: 'The yellow pear again, with an invisible watermark in its pixels',
    width: 640,
    height: 640,
  },
];

/** @throws Error where there is none of that name */
export function sampleOf(name: string): Sample {
  const found = SAMPLES.find((sample) => sample.name === name);
  if (!found) throw new Error(`no sample ${name}`);
  return found;
}

export const sampleAddress = ({ file }: Sample): string => pageFile(file).address;
