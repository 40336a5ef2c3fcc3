import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { readClaims, readMetadata } from '@atelier/imaging/metadata/read_metadata.ts';
import { writeMetadata } from '@atelier/imaging/metadata/write_metadata.ts';
import { element, textProperty } from '@atelier/imaging/metadata/xmp/make_property.ts';
import { pngChunk } from '@atelier/imaging/pixels/png_chunks.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { c2paProblems } from '../support/c2pa_problems.ts';
import { exiftool } from '../support/exiftool.ts';
import { developmentCertificate } from '../support/open_manifests.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { scene } from '../support/scene.ts';
import { needs } from '../support/test_requirements.ts';
import { answering, makeAuthority, serveAuthority } from '../support/time_stamp_authority.ts';

/** One policy in every language, and a picture marked as made by AI, through the whole service. */

const WALLET = '0x00000000000000000000000000000000000000e5';
/** A bonus pays for a few calls only. */
const LABEL_WALLET = '0x00000000000000000000000000000000000000e6';
const RIGHTS = {
  holder: 'Jane Doe',
  licence: 'https://example.org/licence',
  contact: 'jane@example.org',
  ai_training: 'not_allowed',
  ai_mining: 'search_only',
  url: 'https://example.org/a.jpg',
};
const AI = {
  system: 'Example',
  version: '3.1',
  provider: 'Example Ltd',
  generated_at: '2026-01-20T10:11:12+01:00',
};

let app: TestApp;
let jpeg: Buffer;
beforeAll(async () => {
  app = await openTestApp();
  jpeg = await sharp(await scene(7))
    .jpeg({ quality: 92 })
    .toBuffer();
  await app.post('/api/wallet/register', { wallet: WALLET });
  await app.post('/api/wallet/register', { wallet: LABEL_WALLET });
});
afterAll(() => app?.close());

const infuse = (image: Uint8Array, more: object, to = app, wallet = WALLET) =>
  to.post(
    '/api/tools/infuse_metadata',
    { image: Buffer.from(image).toString('base64'), metadata: { title: 'Sea' }, ...more },
    { Authorization: `Bearer ${wallet}` },
  );
const verify = async (image: Uint8Array, to = app) =>
  (await to.post('/api/tools/verify_provenance', { image: Buffer.from(image).toString('base64') })).body;
const bytesOf = (body: { image_b64: string }) => Buffer.from(body.image_b64, 'base64');
const statusesOf = (rows: { measure: string; title: string; status: string }[]) =>
  Object.fromEntries(rows.map(({ measure, title, status }) => [`${measure} ${title}`, status]));

/** A picture whose file contradicts itself: PLUS allows what TDMRep reserves, and RSL prohibits. */
const contradictory = () =>
  writeMetadata(jpeg, { data_mining: 'ALLOWED', copyright_holder: 'Ann' }, [
    textProperty('tdm:reservation', '1'),
    element('rsl:rsl', {
      children: [
        element('rsl:content', {
          children: [
            element('rsl:copyright', { text: 'Bob' }),
            element('rsl:license', {
              children: [
                element('rsl:prohibits', {
                  text: 'ai-train',
                  attributes: [{ uri: '', prefix: '', name: 'type', value: 'usage' }],
                }),
              ],
            }),
          ],
        }),
      ],
    }),
  ]).bytes;

test('a policy is written in every rights vocabulary, read back and shown at verification', async () => {
  const { body } = await infuse(jpeg, { metadata_mode: 'standard', rights: RIGHTS });
  const places = body.rights.statements.map(({ place }: { place: string }) => place);
  expect(places).toEqual(
    expect.arrayContaining([
      'plus:DataMining',
      'plus:Licensor',
      'xmpRights:WebStatement',
      'tdm:reservation',
      'rsl:rsl',
    ]),
  );
  expect(body.rights).toMatchObject({ conflicts: [], conflicts_found: [], replaced: [], unsaid: [] });
  expect(body).not.toHaveProperty('ai');
  const { rights_policy, ai_evidence } = await verify(bytesOf(body));
  expect(rights_policy.statements).toEqual(body.rights.statements);
  expect([rights_policy.conflicts, ai_evidence]).toEqual([[], null]);
});

test('contradictory rights in a file are named, and a new policy resolves them', async () => {
  const file = contradictory();
  const { conflicts } = (await verify(file)).rights_policy;
  expect(conflicts.join(' ')).toMatch(/plus:DataMining says “DMI-ALLOWED”, but tdm:reservation says “1”/);
  expect(conflicts.join(' ')).toMatch(/training AI on it .*rsl:rsl says “prohibits ai-train”/);
  expect(conflicts.join(' ')).toMatch(/“Ann”, but rsl:rsl says “Bob”/);
  const { rights } = (await infuse(file, { rights: RIGHTS })).body;
  expect(rights).toMatchObject({ conflicts: [], conflicts_found: conflicts });
  expect(rights.replaced).toContainEqual({
    place: 'plus:DataMining',
    was: 'DMI-ALLOWED',
    now: 'DMI-PROHIBITED-EXCEPTSEARCHENGINEINDEXING',
  });
});

test('responses without the new fields are unchanged', async () => {
  const { body } = await infuse(jpeg, { metadata_mode: 'standard' });
  expect(body).not.toHaveProperty('rights');
  expect(body).not.toHaveProperty('ai');
  expect((await verify(await scene(8))).ai_evidence).toBeNull();
});

describe('an image marked as AI-generated', () => {
  test('has both layers and evidence from the file, and stays a JPEG', needs('ExifTool'), async () => {
    const { body } = await infuse(jpeg, { ai: AI });
    const file = bytesOf(body);
    expect(body).toMatchObject({
      content_type: 'image/jpeg',
      ai: {
        was_marked: false,
        payload_embedded: `AI|Example|3.1|Example Ltd|2026-01-20T09:11:12Z|${body.ai.id}`,
      },
    });
    expect(exiftool(file)).toMatchObject({
      'XMP-iptcExt:AISystemUsed': 'Example',
      'XMP-iptcExt:DigitalSourceType':
        'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
      'XMP-iptcExt:DigitalImageGUID': expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    const { ai_evidence, watermark_authorship } = await verify(file);
    expect(watermark_authorship).toMatchObject({
      standing: 'bound',
      exact: true,
      signed_by: null,
      statement: body.ai.statement,
    });
    expect(statusesOf(ai_evidence)).toMatchObject({
      '1.1 Two layers of machine-readable marking': 'met',
      '22757.3(b)(1) Unique identifier': 'met',
    });
    expect(statusesOf(ai_evidence)).toEqual({
      ...statusesOf(body.ai.evidence),
      // What it outlasts is known only where it was tried.
      '3.3 Robustness': 'not_said',
      '22757.3(b)(4) Hard to remove': 'not_said',
    });
    expect(body.ai.evidence_url).toBe(`http://atelier.test/verify?image=${encodeURIComponent(body.result)}`);
  });

  test('keeps its pixels and its id when marked again with the same facts', async () => {
    const first = (await infuse(jpeg, { ai: AI, metadata_mode: 'standard' })).body;
    const second = (await infuse(bytesOf(first), { ai: AI, metadata_mode: 'standard' })).body;
    expect(second.ai).toMatchObject({
      was_marked: true,
      id: first.ai.id,
      registry_id: first.ai.registry_id,
      statement: null,
    });
    expect(bytesOf(second).equals(bytesOf(first))).toBe(true);
    expect(first.quality).toMatchObject({ compared_at: 'source_size', ssim: expect.any(Number) });
    expect(second).not.toHaveProperty('quality');
  }, 240_000);

  test('keeps the identifier of its source file', async () => {
    const named = writeMetadata(jpeg, {}, [textProperty('Iptc4xmpExt:DigImageGUID', 'urn:example:1')]).bytes;
    const { body } = await infuse(named, { ai: AI, metadata: {} });
    expect(body.ai).toMatchObject({
      id: 'urn:example:1',
      payload_embedded: expect.stringMatching(/urn:example:1$/),
    });
  }, 240_000);

  test('is reported as stripped after its metadata is removed', async () => {
    const { body } = await infuse(jpeg, { ai: AI });
    const bare = await sharp(bytesOf(body)).jpeg({ quality: 85 }).toBuffer();
    expect(statusesOf((await verify(bare)).ai_evidence)).toMatchObject({
      '1.1.1 Digitally signed, time-stamped metadata': 'not_met',
      '1.1.2 Imperceptible watermark': 'met',
      '1.2 Marks are not removed': 'not_met',
      '22757.3(b)(1) Name of the provider': 'met',
    });
  }, 240_000);

  test('has an evidence sheet without personal data: no owner, contact or device', async () => {
    const personal = await sharp(jpeg)
      .withExif({ IFD0: { Artist: 'Pat Private', HostComputer: 'pats-laptop' } })
      .toBuffer();
    const { body } = await infuse(personal, {
      ai: AI,
      rights: { holder: 'Ann Able', contact: 'ann@example.org' },
    });
    const { ai_evidence, rights_policy, ...others } = await verify(bytesOf(body));

    expect(JSON.stringify(rights_policy)).toMatch(/Ann Able.*ann@example\.org|ann@example\.org.*Ann Able/);
    expect(JSON.stringify(ai_evidence)).not.toMatch(/Ann Able|ann@example/);
    expect(JSON.stringify([ai_evidence, rights_policy, others])).not.toMatch(/Pat Private|pats-laptop/);
  }, 240_000);

  test('the manifest is time-stamped when an authority is configured', needs('OpenSSL'), async () => {
    const [C2PA_CERTIFICATE, C2PA_KEY] = developmentCertificate();
    const authority = makeAuthority();
    const server = await serveAuthority(answering(authority));
    const stamps = { TSA_URL: server.url, TSA_TRUST: authority.rootPath };
    const signing = await openTestApp({ C2PA_CERTIFICATE, C2PA_KEY, ...stamps });
    try {
      await signing.post('/api/wallet/register', { wallet: WALLET });
      const { body } = await infuse(jpeg, { ai: AI, metadata_mode: 'standard' }, signing);
      expect(body.time_stamp).toMatchObject({ status: 'trusted', authority: 'Test TSA' });
      const { time_stamp, witnesses, ai_evidence } = await verify(bytesOf(body), signing);
      expect(time_stamp).toEqual(body.time_stamp);
      expect(witnesses[3].sentence).toContain(`It was time-stamped by “Test TSA” at ${time_stamp.time}.`);
      expect(ai_evidence[1]).toMatchObject({ measure: '1.1.1', status: 'met' });
      const elsewhere = await verify(bytesOf(body));
      expect(elsewhere.time_stamp).toMatchObject({ status: 'untrusted', time: time_stamp.time });
      server.close();
      const late = (await infuse(jpeg, { metadata_mode: 'standard' }, signing)).body;
      expect(late).toMatchObject({
        c2pa_manifest: true,
        time_stamp: { status: 'none', reason: expect.stringContaining('could not be reached') },
      });
    } finally {
      await signing.close();
      authority.remove();
    }
  });

  test('the manifest also declares AI when a certificate is configured', needs('OpenSSL'), async () => {
    const [C2PA_CERTIFICATE, C2PA_KEY] = developmentCertificate();
    const signing = await openTestApp({ C2PA_CERTIFICATE, C2PA_KEY });
    try {
      await signing.post('/api/wallet/register', { wallet: WALLET });
      const { body } = await infuse(jpeg, { ai: AI, rights: RIGHTS, metadata_mode: 'standard' }, signing);
      const file = bytesOf(body);
      expect(await c2paProblems(file)).toEqual([]);
      expect(body.rights.statements.at(-1)).toMatchObject({ dialect: 'cawg' });
      const { witnesses, ai_evidence } = await verify(file, signing);
      expect(witnesses[3]).toMatchObject({ witness: 'c2pa', finding: 'agree' });
      expect(ai_evidence[1]).toMatchObject({
        measure: '1.1.1',
        status: 'not_met',
        by: expect.stringContaining('without a time stamp'),
      });
      const again = (await infuse(file, { rights: { ...RIGHTS, holder: 'Ann' } }, signing)).body;
      expect(await c2paProblems(bytesOf(again))).toEqual([]);
    } finally {
      await signing.close();
    }
  });
});

describe('a visible label', () => {
  const labelled = (image: Uint8Array, more: object) => infuse(image, more, app, LABEL_WALLET);
  const label = { style: 'text', language: 'de', corner: 'top_left' };
  const words = 'KI-generiert';

  test('is drawn once, recorded in the metadata and returned in the response', async () => {
    const { body } = await labelled(jpeg, { ai: { ...AI, label } });
    const { box } = body.ai.label;
    const named = { words, style: 'text', language: 'de', region: box };
    expect(body.ai.label).toEqual({ words, style: 'text', language: 'de', box, was_there: false });
    expect(readClaims({ bytes: bytesOf(body) }).label).toEqual(named);
    const plate = { left: box.x + 4, top: box.y + 4, width: 4, height: 4 };
    const [light] = await sharp(bytesOf(body)).extract(plate).resize(1, 1).greyscale().raw().toBuffer();
    expect(light).toBeLessThan(20);
    expect((await verify(bytesOf(body))).watermark_authorship).toMatchObject({ standing: 'bound' });

    const again = (await labelled(bytesOf(body), { ai: { ...AI, label: {} } })).body;
    expect(again.ai).toMatchObject({ was_marked: true, label: { words, box, was_there: true } });
    expect(again.warnings.join(' ')).toMatch(/already shows the label "KI-generiert" at 11, 11 px/);
    const pixelsOf = (file: Buffer) => sharp(file).raw().toBuffer();
    expect((await pixelsOf(bytesOf(again))).equals(await pixelsOf(bytesOf(body)))).toBe(true);
  });

  test('covers an earlier mark in a transparent PNG and leaves other pixels unchanged', async () => {
    const png = await sharp(await scene(9))
      .ensureAlpha(0.5)
      .png()
      .toBuffer();
    const first = (await labelled(png, { ai: AI, metadata_mode: 'standard' })).body;
    expect(first.ai).not.toHaveProperty('label');
    expect(readMetadata(bytesOf(first)).xmp).not.toHaveProperty('atelier:AILabel');
    const more = { ai: { ...AI, label: {} }, metadata: { digital_source_type: 'compositeSynthetic' } };
    const { body } = await labelled(bytesOf(first), { ...more, metadata_mode: 'standard' });
    expect(body.ai).toMatchObject({ was_marked: true, label: { words: 'AI MODIFIED', was_there: false } });
    const rest = { left: 0, top: 0, width: 640, height: body.ai.label.box.y };
    const [before, after] = await Promise.all(
      [first, body].map((one) => sharp(bytesOf(one)).extract(rest).raw().toBuffer()),
    );
    expect(after!.equals(before!)).toBe(true);
  });
});

describe('impossible requests are refused with instructions', () => {
  const blank = (side = 200) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
  const ahead = new Date(Date.now() + 86_400_000).toISOString();

  test.each<[string, object, number, RegExp]>([
    [
      'a time in the future',
      { ai: { ...AI, generated_at: ahead } },
      400,
      /ai\.generated_at is in the future/,
    ],
    ['no time', { ai: { ...AI, generated_at: 'yesterday' } }, 400, /ai\.generated_at/],
    ['a name that is too long', { ai: { ...AI, system: 'x'.repeat(49) } }, 400, /ai\.system/],
    ['a name with a separator', { ai: { ...AI, system: 'a|b' } }, 400, /one line without \|/],
    ['a name missing', { ai: { system: 'x' } }, 400, /ai\.version/],
    [
      'an AI model as camera',
      { ai: AI, metadata: { digital_source_type: 'digitalCapture' } },
      400,
      /means that no AI made the image/,
    ],
    [
      'two systems',
      { ai: AI, metadata: { ai_system: 'Other' } },
      400,
      /metadata\.ai_system is "Other", but ai.* is "Example"/,
    ],
    [
      'a label of no style',
      { ai: { ...AI, label: { style: 'badge' } } },
      400,
      /ai\.label\.style.*icon.*text/,
    ],
    ['a label in a corner there is not', { ai: { ...AI, label: { corner: 'middle' } } }, 400, /bottom_right/],
    [
      'a label in no language of the EU',
      { ai: { ...AI, label: { language: 'ja' } } },
      400,
      /ai\.label\.language/,
    ],
    ['rights in the codex too', { rights: RIGHTS, metadata: { rights: 'mine' } }, 400, /Send only rights/],
    [
      'two holders',
      { rights: RIGHTS, metadata: { copyright_holder: 'Ann' } },
      400,
      /Omit metadata\.copyright_holder/,
    ],
    [
      'two terms',
      { rights: RIGHTS, metadata: { data_mining: 'ALLOWED' } },
      400,
      /metadata\.data_mining is "ALLOWED"/,
    ],
    ['too long a text', { rights: { holder: 'x'.repeat(100_000) } }, 400, /rights\.holder/],
  ])('%s', async (_what, more, status, words) => {
    const reply = await infuse(jpeg, more);
    expect([reply.status, reply.body.detail, JSON.stringify(reply.body.errors)].join(' ')).toMatch(words);
    expect(reply.status).toBe(status);
  });

  test.each([
    ['small', 64, /at least 128 on the shorter side/],
    ['flat', 128, /a larger or more detailed image, shorter names in ai/],
  ])(
    'an image too %s for a watermark',
    async (_what, side, words) => {
      const names = { system: rareWords(1), version: rareWords(2), provider: rareWords(3) };
      const { status, body } = await infuse(await blank(side), { ai: { ...AI, ...names } });
      expect([status, body.code]).toEqual([422, 'unsuitable_image']);
      expect(body.detail).toMatch(words);
    },
    240_000,
  );

  test('20 million bytes of XMP, which would be lost silently', async () => {
    const xmp = Buffer.concat([
      Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'),
      Buffer.from(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${' '.repeat(20_000_000)}</x:xmpmeta>`),
    ]);
    const png = withChunk(await blank(), xmp);
    const { status, body } = await infuse(png, { rights: RIGHTS });
    expect([status, body.code]).toEqual([422, 'unsuitable_image']);
    expect(body.detail).toMatch(/XMP.*more than 16777216 bytes.*send it again/);
    const without = await infuse(png, { metadata_mode: 'standard', output: 'url' });
    expect(without.status).toBe(200);
  }, 240_000);
});

/** 48 characters that no model of texts expects. */
const rareWords = (seed: number): string =>
  Array.from({ length: 48 }, (_, at) =>
    String.fromCodePoint(0x4e00 + (((seed * 48 + at) * 7919) % 20_000)),
  ).join('');

/** A PNG with an iTXt chunk after its head. */
function withChunk(png: Buffer, data: Buffer): Buffer {
  const head = 8 + 25;
  return Buffer.concat([png.subarray(0, head), pngChunk('iTXt', data), png.subarray(head)]);
}
