import { existsSync, readFileSync } from 'node:fs';
import { analysePicture } from '@atelier/imaging/analysis/analyse_picture.ts';
import { readHeader } from '@atelier/imaging/codecs/read_header.ts';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import type { Disagreement } from '../src/features/enrichment/observations/reconcile.ts';
import { createEnrichment } from '../src/features/enrichment/service.ts';
import { NOTHING_GIVEN } from '../tests/support/nothing_given.ts';
import { picturedSubjects } from '../tests/support/pictured_subjects.ts';
import { type WrittenObservations, writtenObservations } from '../tests/support/written_observations.ts';
import { median } from './support/load.ts';
import { readStrictly, type Verdict } from './support/strict_reader.ts';

const SHARED = new URL('../../shared/', import.meta.url);
const CHECKS = {
  wholeSentences: 'whole sentences',
  length: 'length',
  namesSubject: 'names something visible',
  noEmptyWords: 'no empty words',
  noContradiction: 'no contradiction with the labels',
} as const satisfies Record<keyof Verdict, string>;

/** A generated title and alt text, and the verdict of the strict reader. */
interface Row {
  readonly file: string;
  readonly title: string;
  readonly altText: string;
  readonly verdicts: { readonly title: Verdict; readonly altText: Verdict };
}

interface Written {
  readonly rows: readonly Row[];
  /** CPU seconds per image: measuring, comparing and writing, without networks. */
  readonly seconds: readonly number[];
  readonly disagreements: readonly Disagreement[];
}

/**
 * Generates titles and alt texts for every image with observations, and evaluates the English ones. The
 * others are only checked against the pixels.
 */
export async function readWritten(): Promise<Written> {
  const labels = new Map(picturedSubjects(SUBJECT_TERMS).map((one) => [one.file, one]));
  const rows: Row[] = [];
  const disagreements: Disagreement[] = [];
  const seconds: number[] = [];
  for (const written of writtenObservations()) {
    const began = process.cpuUsage();
    const answer = await enrich(written);
    const { user, system } = process.cpuUsage(began);
    seconds.push((user + system) / 1e6);
    disagreements.push(...(answer.disagreements ?? []));
    const label = labels.get(written.file);
    const { title, alt_text: altText } = answer.metadata as { title: string; alt_text: string };
    if (written.language !== 'en' || !label) continue;
    const verdicts = {
      title: readStrictly(title, label, 'title'),
      altText: readStrictly(altText, label, 'alt text'),
    };
    rows.push({ file: written.file, title, altText, verdicts });
  }
  return { rows, seconds, disagreements };
}

/**
 * The share of titles and alt texts that a strict reader accepts unchanged, for images with observations by
 * one person and labels by another, in English.
 */
export async function run(): Promise<string> {
  if (!existsSync(SHARED)) return '## Alt texts\n\nSkipped, ../shared is absent.';
  const { rows, seconds, disagreements } = await readWritten();
  if (process.env.SHOW)
    for (const { file, title, altText, verdicts } of rows)
      console.log(takes(verdicts.title), takes(verdicts.altText), file, '|', title, '|', altText);
  const line = (name: string, passes: (verdict: Verdict) => boolean) =>
    `| ${name} | ${(['title', 'altText'] as const).map((kind) => `${rows.filter(({ verdicts }) => passes(verdicts[kind])).length} of ${rows.length}`).join(' | ')} |`;
  return [
    '## Titles and alt texts accepted by a strict reader',
    '',
    `${seconds.length} images with observations written by a person; ${rows.length} of them in English and labelled. Evaluated by code (\`bench/support/strict_reader.ts\`): a text is accepted if all criteria hold. Observations contradicted by the pixels: ${disagreements.length}.`,
    '',
    '| | titles | alt texts |',
    '|---|---|---|',
    ...(Object.keys(CHECKS) as (keyof Verdict)[]).map((check) =>
      line(CHECKS[check], (verdict) => verdict[check]),
    ),
    line('**accepted unchanged**', takes),
    '',
    `CPU seconds per image: median ${median(seconds).toFixed(2)}, maximum ${Math.max(...seconds).toFixed(2)}; peak of the process ${Math.round(process.resourceUsage().maxRSS / 1024)} MB.`,
  ].join('\n');
}

export const takes = (verdict: Verdict): boolean => Object.values(verdict).every(Boolean);

async function enrich({ file, language, observations }: WrittenObservations) {
  const bytes = readFileSync(new URL(`images/${file}`, SHARED));
  const pixels = { run: (_: string, input: { bytes: Uint8Array }) => analysePicture(input) };
  const { width, height, format } = readHeader(bytes);
  const request = {
    image: { bytes, format, width, height },
    tier: 'standard',
    engine: 'default',
    given: NOTHING_GIVEN,
    language,
    observations,
  } as const;
  return createEnrichment({ pixels: pixels as never }).enrich(request, {
    signal: AbortSignal.timeout(60_000),
  });
}
