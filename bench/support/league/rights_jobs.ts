import { type Answer, type Job, MARK, type World } from './job.ts';

const hasFile = ({ result_url }: Answer) => typeof result_url === 'string';

/** Descriptions, metadata, watermarks, provenance. */
export const rightsJobs = (world: World): Job[] => {
  const { photo, photoBase64, photoDataUri, photoUrl, marked, markedUrl } = world;
  return [
    {
      wish: 'Write alt text and keywords for this photo.',
      firstCalls: [
        ['enrich_metadata', { image: photo, tier: 'standard' }],
        ['enrich_metadata', { image: photo, tier: 'Standard', content_type: 'Photo' }],
        ['enrich_metadata', { image: photo, tier: 'standard', title: null, creation_year: 2024 }],
        ['enrich_metadata', { image: photoUrl, tier: 'standard', title: '', artist_name: '', context: null }],
      ],
      // Without observations the first call returns what the second needs.
      isDone: ({ state, brief, preview, metadata }) =>
        state === 'needs_observations'
          ? typeof brief === 'string' && preview.width > 0
          : typeof metadata.alt_text === 'string' && metadata.keywords.length > 0,
    },
    {
      wish: 'A full analysis of the photo, taken by Ada, with the whisper "for Charles" in it.',
      firstCalls: [
        [
          'enrich_metadata',
          {
            image: photo,
            tier: 'premium',
            artist_name: 'Ada',
            soul_whisper: { message: 'for Charles', sender: 'Ada' },
          },
        ],
        [
          'enrich_metadata',
          { image: photo, artist_name: 'Ada', content_type: 'photo', soul_whisper: 'for Charles' },
        ],
        [
          'enrich_metadata',
          { image: photo, tier: 'PREMIUM', artist_name: 'Ada', soul_whisper: { message: 'for Charles' } },
        ],
        [
          'enrich_metadata',
          { image: photo, tier: 'premium', artist: 'Ada', soul_whisper: '{"message": "for Charles"}' },
        ],
      ],
      isDone: ({ metadata }) =>
        metadata.soul_whisper?.message === 'for Charles' && metadata.artist_name === 'Ada',
    },
    {
      wish: 'Register this photo under the title Harbour, by Ada.',
      firstCalls: [
        ['register_hash', { image: photo, title: 'Harbour', artist: 'Ada' }],
        ['register_hash', { image: photo, title: 'Harbour', artist_name: 'Ada' }],
        ['register_hash', { image: photo, title: 'Harbour', artist: 'Ada', provenance_uri: null }],
        ['register_hash', { image: photo, title: 'Harbour', artist: 'Ada', keep_manifest: 'false' }],
      ],
      isDone: ({ registered, already_registered, artist }) =>
        (registered || already_registered) === true && (artist === undefined || artist === 'Ada'),
    },
    {
      wish: 'Where does this picture come from?',
      firstCalls: [
        ['verify_provenance', { image: photo }],
        ['verify_provenance', { image: photoDataUri }],
        ['verify_provenance', { image_b64: photoBase64 }],
        ['verify_provenance', { url: photoUrl }],
        ['Verify_Provenance', { image: photo.replace(':', ': ') }],
      ],
      isDone: ({ verdict }) => typeof verdict === 'string',
    },
    {
      wish: 'Write title and copyright of Ada into the file, standard fields only.',
      firstCalls: [
        [
          'infuse_metadata',
          {
            image: photo,
            metadata: { title: 'Harbour', copyright_holder: 'Ada' },
            metadata_mode: 'standard',
          },
        ],
        [
          'infuse_metadata',
          { image: photo, metadata: { title: 'Harbour', copyright: 'Ada' }, metadata_mode: 'standard' },
        ],
        [
          'infuse_metadata',
          {
            image: photo,
            metadata: '{"title": "Harbour", "copyright_holder": "Ada"}',
            metadata_mode: 'Standard',
          },
        ],
        [
          'infuse_metadata',
          {
            image: photo,
            metadata: { title: 'Harbour', copyright_holder: 'Ada', keywords: 'sea, boats' },
            metadata_mode: 'standard',
          },
        ],
      ],
      isDone: hasFile,
    },
    {
      wish: 'Forbid AI training on this photo; the rights are Ada’s.',
      firstCalls: [
        [
          'infuse_metadata',
          {
            image: photo,
            metadata: {},
            metadata_mode: 'standard',
            rights: { holder: 'Ada', ai_training: 'not_allowed' },
          },
        ],
        [
          'infuse_metadata',
          { image: photo, metadata_mode: 'standard', rights: { holder: 'Ada', ai_training: 'not_allowed' } },
        ],
        [
          'infuse_metadata',
          {
            image: photo,
            metadata: { copyright_holder: 'Ada' },
            metadata_mode: 'standard',
            rights: { holder: 'Ada', ai_training: 'Not allowed' },
          },
        ],
      ],
      isDone: hasFile,
    },
    {
      wish: 'Mark this picture as made by AI: Brush 2 of Example Ltd, today.',
      firstCalls: [
        [
          'infuse_metadata',
          {
            image: photo,
            metadata: { title: 'Harbour' },
            metadata_mode: 'standard',
            ai: {
              system: 'Brush',
              version: '2',
              provider: 'Example Ltd',
              generated_at: '2026-11-22T10:00:00Z',
            },
          },
        ],
        [
          'infuse_metadata',
          {
            image: photo,
            metadata: { title: 'Harbour' },
            metadata_mode: 'standard',
            ai: { system: 'Brush', version: 2, provider: 'Example Ltd', generated_at: '2026-11-22' },
          },
        ],
        [
          'infuse_metadata',
          {
            image: photo,
            metadata: {},
            metadata_mode: 'standard',
            ai: {
              system: 'Brush',
              version: '2',
              provider: 'Example Ltd',
              generated_at: '2026-11-22T10:00:00+01:00',
            },
          },
        ],
      ],
      isDone: hasFile,
    },
    {
      wish: `Hide the words ${MARK} in the photo.`,
      firstCalls: [
        ['watermark_embed', { image: photo, payload: MARK }],
        ['watermark_embed', { image: photo, text: MARK }],
        ['watermark_embed', { image: photo, payload: MARK, strength: '0.8' }],
        ['watermark_embed', { image: photo, payload: MARK, strength: null, sign: 'false' }],
        ['watermarkEmbed', { image: photo, payload: MARK }],
      ],
      isDone: hasFile,
    },
    {
      wish: 'Is there a hidden mark in this picture?',
      firstCalls: [
        ['watermark_detect', { image: marked }],
        ['watermark_detect', { image: markedUrl }],
        ['watermark_detect', { image: marked.replace('result:', '') }],
      ],
      isDone: ({ payload_detected }) => payload_detected === MARK,
    },
  ];
};
