import { expect, test } from 'vitest';
import { verdictOf } from './verdict.ts';
import type { Difference, Verification } from './words.ts';

const DIFFERENCE: Difference = {
  crop_box: { x: 0, y: 0, width: 1, height: 1 },
  rotation_degrees: 0,
  mirrored: false,
  changed_regions: [],
  changed_share: 0,
  beyond_share: 0,
  heat_map_b64: '',
};
const REGION = { polygon: [[0, 0]], share: 0.1 };
const MARK = {
  standing: 'bound',
  sentence: '',
  signed_by: null,
  signed_at: null,
  share: null,
  exact: false,
  statement: null,
} as const;
const AI_MARK = {
  layer: 'c2pa',
  is_ai: true,
  says: 'trainedAlgorithmicMedia',
  who: 'Example Ltd',
  software: null,
  place: 'c2pa.created',
  signature: 'holds',
  trust: 'not_checked',
} as const;
const CAMERA_MARK = { ...AI_MARK, layer: 'iptc', is_ai: false, says: 'digitalCapture', who: null } as const;
const C2PA = { witness: 'c2pa', finding: 'agree', sentence: '' } as const;
const UNREGISTERED = 'This image is not registered on this server.';

const wordsOf = (found: Partial<Verification>): string => {
  const { answer, more } = verdictOf({
    matches: [],
    difference: null,
    witnesses: [],
    marked_as_ai: 'no_trace',
    ai_marks: [],
    ...found,
  } as unknown as Verification);
  return [answer, ...more].join(' ');
};

test.each<[string, Partial<Verification>]>([
  [
    'This file is identical to a registered file. Registration does not prove ownership.',
    { verdict: 'identical' },
  ],
  ['This is a copy of an image registered on this server.', { verdict: 'same_picture' }],
  ['This image was derived from an image registered on this server.', { verdict: 'altered' }],
  [
    'This is part of an image registered on this server. It was mirrored, rotated and changed in 2 regions.',
    {
      verdict: 'altered',
      difference: {
        ...DIFFERENCE,
        crop_box: { x: 0, y: 0, width: 0.5, height: 1 },
        mirrored: true,
        rotation_degrees: -3,
        changed_regions: [REGION, REGION],
      },
    },
  ],
  [
    `${UNREGISTERED} This is not a warning: most images are not registered.`,
    { verdict: 'unknown', watermark_authorship: null, codex: null, ai_evidence: null },
  ],
  [
    `This image was watermarked on this server. ${UNREGISTERED}`,
    { verdict: 'unknown', watermark_authorship: MARK },
  ],
  [
    `This image contains a valid C2PA manifest. ${UNREGISTERED}`,
    { verdict: 'unknown', witnesses: [C2PA], ai_evidence: [] },
  ],
  [
    `Marked as made with AI by “Example Ltd”. Found in: C2PA manifest of “Example Ltd” (trainedAlgorithmicMedia). This image contains a valid C2PA manifest. ${UNREGISTERED}`,
    { verdict: 'marked_as_ai', witnesses: [C2PA], marked_as_ai: 'yes', ai_marks: [AI_MARK] },
  ],
  [
    'Its AI markings contradict each other. The layers contradict each other. Marked as made with AI: C2PA manifest of “Example Ltd” (trainedAlgorithmicMedia); but other layers name a source without AI: IPTC metadata (digitalCapture).',
    { verdict: 'conflicting', marked_as_ai: 'contradictory', ai_marks: [AI_MARK, CAMERA_MARK] },
  ],
  [
    'Marked as made with AI. Found in: IPTC metadata of “Example Ltd” (trainedAlgorithmicMedia, not signed). This file is identical to a registered file. Registration does not prove ownership.',
    {
      verdict: 'identical',
      marked_as_ai: 'yes',
      ai_marks: [{ ...AI_MARK, layer: 'iptc', signature: 'none' }],
    },
  ],
  [
    'Marked as made with AI by “Example Ltd”. Found in: C2PA manifest of “Example Ltd” (trainedAlgorithmicMedia). This file is identical to a registered file. Registration does not prove ownership.',
    { verdict: 'identical', marked_as_ai: 'yes', ai_marks: [AI_MARK] },
  ],
])('the verdict reads: %s', (words, found) => {
  expect(wordsOf(found)).toBe(words);
});

test('a match with a known work is named as such', () => {
  const matches = [{ kind: 'work' }] as unknown as Verification['matches'];
  expect(wordsOf({ verdict: 'same_picture', matches })).toBe('This is a copy of a known work.');
});
