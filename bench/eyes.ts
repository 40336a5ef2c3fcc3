import { existsSync, readFileSync } from 'node:fs';
import { openSession } from '@atelier/engines/onnx/open_session.ts';
import { findFaces } from '@atelier/engines/sight/find_faces.ts';
import { maskPeople, peopleIn } from '@atelier/engines/sight/find_people.ts';
import { findWriting } from '@atelier/engines/sight/find_writing.ts';
import { rateContent } from '@atelier/engines/sight/rate_content.ts';
import { smallCopy } from '@atelier/engines/sight/small_copy.ts';
import { LABELLED_PICTURES, type LabelledPicture } from '../tests/support/eyes_labels.ts';

const SHARED = new URL('../../shared/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, SHARED));
const open = (file: string) => openSession(read(`models/${file}`));

const CLAIMS = {
  'somebody, by a face': 'people',
  'how much of it people take up': 'people',
  'lines of writing': 'writing',
  'nudity, a hint': 'nudity',
} as const satisfies Record<string, keyof LabelledPicture>;
type Claim = keyof typeof CLAIMS;

interface Row {
  readonly labels: LabelledPicture;
  readonly said: Readonly<Record<Claim, boolean>>;
}

/** What the networks say of pictures labelled by hand and how often they are right; what looking costs. */
export async function run(): Promise<string> {
  if (!existsSync(SHARED)) return '## Eyes\n\nSkipped, ../shared is absent.';
  const { rows, costs } = await look();
  const halves = [false, true].map((isHeldBack) =>
    rows.filter(({ labels }) => labels.isHeldBack === isHeldBack),
  );
  return [
    '## Eyes: networks that look at pictures',
    '',
    `${rows.length} paintings, drawings, photographs, mosaics and textures labelled by hand. Thresholds were chosen on the first half (${halves[0]!.length}); the second (${halves[1]!.length}) was held back. "Right of said": precision; "found of shown": recall.`,
    '',
    '| said of a picture | right of said, first half | right of said, held back | found of shown, held back |',
    '|---|---|---|---|',
    ...(Object.keys(CLAIMS) as Claim[]).map((claim) => rowOf(claim, halves)),
    '',
    'Processor time of a look, each network on a picture decoded once before; the mean of all pictures.',
    '',
    '| step | processor ms |',
    '|---|---|',
    ...Object.entries(costs).map(([step, ms]) => `| ${step} | ${(ms / rows.length).toFixed(0)} |`),
  ].join('\n');
}

async function look(): Promise<{ rows: Row[]; costs: Record<string, number> }> {
  const eyes = {
    faces: await open('face_detection_yunet_2026may.onnx'),
    writing: await open('text_detection_ppocrv3.onnx'),
    people: await open('person_segmentation_pphumansegv1_lite.onnx'),
    rating: await open('nsfw_mobilenet_v2.onnx'),
  };
  const costs: Record<string, number> = {};
  const timed = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    const before = process.cpuUsage();
    const done = await work();
    const { user, system } = process.cpuUsage(before);
    costs[step] = (costs[step] ?? 0) + (user + system) / 1000;
    return done;
  };
  const rows: Row[] = [];
  for (const labels of LABELLED_PICTURES) {
    const bytes = await timed('decoding', () => smallCopy(read(`images/${labels.path}`)));
    const faces = await timed('faces', () => findFaces(bytes, eyes.faces));
    const lines = await timed('writing', () => findWriting(bytes, eyes.writing));
    const mask = await timed('people', () => maskPeople(bytes, eyes.people));
    const hint = await timed('content rating', () => rateContent(bytes, eyes.rating, { mask, faces }));
    rows.push({
      labels,
      said: {
        'somebody, by a face': faces.length > 0,
        'how much of it people take up': peopleIn(mask, faces) !== undefined,
        'lines of writing': lines.length > 0,
        'nudity, a hint': hint !== undefined,
      },
    });
  }
  return { rows, costs };
}

function rowOf(claim: Claim, halves: readonly (readonly Row[])[]): string {
  const [chosen, held] = halves.map((rows) => {
    const said = rows.filter((row) => row.said[claim]);
    const right = said.filter(({ labels }) => labels[CLAIMS[claim]]).length;
    const shown = rows.filter(({ labels }) => labels[CLAIMS[claim]]).length;
    return { precision: `${right} of ${said.length}`, recall: `${right} of ${shown}` };
  }) as [Tally, Tally];
  return `| ${claim} | ${chosen.precision} | ${held.precision} | ${held.recall} |`;
}

interface Tally {
  readonly precision: string;
  readonly recall: string;
}
