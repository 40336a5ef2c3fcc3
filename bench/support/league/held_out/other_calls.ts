import { ASSET_KEY, type CallsByWish, MARK, type World } from '../job.ts';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

/**
 * Alternative calls by other models for the jobs about rights, works, files and accounts. Written before any
 * was played.
 */
export const otherCalls = (world: World): CallsByWish => {
  const { photo, photoBase64, photoDataUri, photoResult, photoUrl, marked, markedUrl, wallet } = world;
  return {
    'Write alt text and keywords for this photo.': [
      ['enrich_metadata', { image: photo, tier: 'basic' }],
      ['enrich_metadata', { img: photo, mode: 'standard' }],
      ['enrich_metadata', { imageUrl: photoUrl, tier: 'standard', contentType: 'photograph' }],
      ['enrichMetadata', { image: photo, level: 'standard', content_type: 'PHOTO' }],
    ],
    'A full analysis of the photo, taken by Ada, with the whisper "for Charles" in it.': [
      [
        'enrich_metadata',
        { image: photo, tier: 'premium', artistName: 'Ada', soulWhisper: { message: 'for Charles' } },
      ],
      ['enrich_metadata', { image: photo, artist: 'Ada', whisper: 'for Charles' }],
      [
        'enrich_metadata',
        { image: photo, tier: 'full', creator: 'Ada', soul_whisper: { text: 'for Charles', from: 'Ada' } },
      ],
      [
        'enrich_metadata',
        { image: photo, author: 'Ada', soul_whisper: { Message: 'for Charles', Sender: 'Ada' } },
      ],
    ],
    'Register this photo under the title Harbour, by Ada.': [
      ['register_hash', { image: photo, name: 'Harbour', artist: 'Ada' }],
      ['register_hash', { image: photo, metadata: { title: 'Harbour', artist: 'Ada' } }],
      ['register_hash', { image: photo, title: 'Harbour', creator: 'Ada' }],
      ['register_hash', { img: photo, title: 'Harbour', author: 'Ada' }],
    ],
    'Where does this picture come from?': [
      ['verify_provenance', { img: photoUrl }],
      ['verify_provenance', { input: photo }],
      ['verify_provenance', { image: [photo] }],
      ['verify_provenance', { imageData: photoDataUri }],
      ['verify_provenance', { image: { data: photoBase64, mime_type: 'image/png' } }],
    ],
    'Write title and copyright of Ada into the file, standard fields only.': [
      ['infuse_metadata', { image: photo, title: 'Harbour', copyright: 'Ada', mode: 'standard' }],
      [
        'infuse_metadata',
        { image: photo, metadata: { title: 'Harbour', copyrightHolder: 'Ada' }, metadataMode: 'standard' },
      ],
      [
        'infuse_metadata',
        { image: photo, metadata: { Title: 'Harbour', Copyright: '© Ada' }, metadata_mode: 'standard' },
      ],
      [
        'infuse_metadata',
        { image: photo, fields: { title: 'Harbour', copyright_holder: 'Ada' }, mode: 'standard' },
      ],
    ],
    'Forbid AI training on this photo; the rights are Ada’s.': [
      [
        'infuse_metadata',
        {
          image: photo,
          metadata_mode: 'standard',
          rights: { copyright_holder: 'Ada', ai_training: 'prohibited' },
        },
      ],
      [
        'infuse_metadata',
        { image: photo, metadata_mode: 'standard', rights: { owner: 'Ada', ai_training: false } },
      ],
      [
        'infuse_metadata',
        { image: photo, metadata_mode: 'standard', rights: { holder: 'Ada', ai_training: 'forbidden' } },
      ],
      [
        'infuse_metadata',
        { image: photo, metadata_mode: 'standard', rights: { holder: 'Ada', aiTraining: 'notAllowed' } },
      ],
    ],
    'Mark this picture as made by AI: Brush 2 of Example Ltd, today.': [
      [
        'infuse_metadata',
        {
          image: photo,
          metadata_mode: 'standard',
          ai: { model: 'Brush', version: '2', provider: 'Example Ltd', date: '2026-11-22' },
        },
      ],
      [
        'infuse_metadata',
        {
          image: photo,
          metadata_mode: 'standard',
          ai: { system: 'Brush', version: '2', vendor: 'Example Ltd', generated_at: '22 November 2026' },
        },
      ],
      [
        'infuse_metadata',
        {
          image: photo,
          metadata_mode: 'standard',
          ai: { name: 'Brush', version: 2.0, company: 'Example Ltd', generatedAt: '2026-11-22T10:00:00Z' },
        },
      ],
    ],
    [`Hide the words ${MARK} in the photo.`]: [
      ['watermark_embed', { image: photo, message: MARK }],
      ['watermark_embed', { img: photo, watermark: MARK }],
      ['watermark_embed', { image: photo, watermark_text: MARK, strength: '50%' }],
      ['embed_watermark', { image: photo, payload: MARK }],
      ['watermark_embed', { input_image: photoDataUri, data: MARK, strength: '0.5' }],
    ],
    'Is there a hidden mark in this picture?': [
      ['watermark_detect', { img: marked }],
      ['watermark_detect', { imageUrl: markedUrl }],
      ['watermark_detect', { image: { url: markedUrl } }],
      ['detect_watermark', { image: marked }],
    ],
    'Find five paintings with waves.': [
      ['search_artworks', { search: 'wave', limit: 5 }],
      ['search_artworks', { keywords: 'wave', count: 5 }],
      ['search_artworks', { query: 'wave', num_results: 5 }],
      ['search_artworks', { searchQuery: 'wave', top_k: '5' }],
      ['search_artworks', { query: ['wave'], n: 5 }],
    ],
    'What does the Rijksmuseum have by Rembrandt?': [
      ['search_artworks', { query: 'Rembrandt', museum: 'Rijksmuseum Amsterdam' }],
      ['search_artworks', { artist: 'Rembrandt', museum: 'rijksmuseum' }],
      ['search_artworks', { query: 'Rembrandt', museums: ['rijks'] }],
      ['search_artworks', { query: 'Rembrandt', collection: 'rijks' }],
    ],
    'Japanese prints in the Met.': [
      ['search_artworks', { query: 'woodblock', museum: 'The Metropolitan Museum of Art' }],
      ['search_artworks', { query: 'woodblock', museum: 'metmuseum' }],
      ['search_artworks', { q: 'woodblock', institution: 'met' }],
      ['search_artworks', { query: 'woodblock', museum: 'The Met Museum', limit: '20' }],
    ],
    'Tell me all about the Great Wave in the Met.': [
      ['get_artwork', { artwork_id: 'met_45434' }],
      ['get_artwork', { artworkId: 'met_45434' }],
      ['get_artwork', { object_id: 'met_45434' }],
      ['get_artwork', { artifact_id: 'met-45434' }],
      ['get_artwork', { artifact_id: 'Met 45434' }],
    ],
    'The EU AI Act statement of the dataset.': [
      ['compliance_manifest', { framework: 'eu_ai_act' }],
      ['compliance_manifest', { regulation: 'AI Act' }],
      ['compliance_manifest', { regulation: 'euAiAct', dataset: 'open-museums' }],
      ['compliance_manifest', { law: 'EU AI Act' }],
      ['compliance_manifest', { regulation: ['eu_ai_act'] }],
    ],
    'Keep this photo in my wallet as harbour.png.': [
      ['save_asset', { wallet, key: 'harbour.png', file: photoResult }],
      ['save_asset', { wallet_address: wallet, name: 'harbour.png', data: photoDataUri }],
      ['save_asset', { wallet, filename: 'harbour.png', image: photoResult, contentType: 'image/png' }],
      ['save_asset', { wallet, key: 'harbour.png', content: photoBase64, mime_type: 'image/png' }],
    ],
    'What is in my storage?': [
      ['list_assets', { walletAddress: wallet }],
      ['list_assets', { owner: wallet }],
      ['list_assets', { wallet, max_results: 10 }],
      ['list_assets', {}],
    ],
    'Read me my notes.txt.': [
      ['get_asset', { wallet, filename: ASSET_KEY }],
      ['get_asset', { address: wallet, asset_key: ASSET_KEY }],
      ['get_asset', { walletAddress: wallet, path: ASSET_KEY }],
      ['get_asset', { wallet_id: wallet, key: ASSET_KEY }],
    ],
    'How many credits have I left?': [
      ['check_balance', { wallet_address: wallet }],
      ['check_balance', { account: wallet }],
      ['check_balance', { wallet: { address: wallet } }],
      ['check_balance', {}],
    ],
    'Open an account for this address.': [
      ['register_wallet', { address: ADDRESS }],
      ['register_wallet', { walletAddress: ADDRESS }],
      ['register_wallet', { wallet: `eip155:1:${ADDRESS}` }],
      ['register_wallet', { evm_address: ADDRESS }],
    ],
    'Which free tool removes backgrounds?': [
      ['search_tools', { search: 'remove background' }],
      ['search_tools', { keyword: 'remove background', category: 'free' }],
      ['search_tools', { query: 'remove background', maxPriceUsd: 0 }],
      ['search_tools', { query: 'remove background', max_price: '0' }],
    ],
    'Show me exactly how to call resize_image.': [
      ['get_tool_schema', { toolName: 'resize_image' }],
      ['get_tool_schema', { tool_name: 'resizeImage' }],
      ['get_tool_schema', { name: 'Resize image' }],
      ['get_tool_schema', { tool_name: 'POST /api/tools/resize_image' }],
    ],
  };
};
