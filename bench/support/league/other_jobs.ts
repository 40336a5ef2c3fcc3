import { type Answer, ASSET_KEY, type Job, type World } from './job.ts';

const fromOnly =
  (museum: string) =>
  ({ results }: Answer) =>
    results.length > 0 && results.every((work: Answer) => work.museum === museum);
const named =
  (name: string) =>
  ({ tools }: Answer) =>
    tools.some((tool: Answer) => tool.name === name);

/** Works of museums, stored files, the account, the tools themselves. */
export const otherJobs = ({ wallet, photoDataUri, photoResult }: World): Job[] => {
  const upper = `0x${wallet.slice(2).toUpperCase()}`;
  return [
    {
      wish: 'Find five paintings with waves.',
      firstCalls: [
        ['search_artworks', { query: 'wave', limit: 5 }],
        ['search_artworks', { query: 'waves', limit: '5' }],
        ['search_artworks', { query: 'wave', museum: null, limit: 5 }],
        ['search_artworks', { query: 'wave', museum: 'all', limit: 5 }],
        ['search_artworks', { q: 'wave', max_results: 5 }],
      ],
      isDone: ({ results }) => results.length > 0 && results.length <= 5,
    },
    {
      wish: 'What does the Rijksmuseum have by Rembrandt?',
      firstCalls: [
        ['search_artworks', { query: 'Rembrandt', museum: 'rijks' }],
        ['search_artworks', { query: 'Rembrandt', museum: 'Rijks' }],
        ['search_artworks', { query: 'Rembrandt', museum: 'Rijksmuseum' }],
      ],
      isDone: fromOnly('rijks'),
    },
    {
      wish: 'Japanese prints in the Met.',
      firstCalls: [
        ['search_artworks', { query: 'woodblock', museum: 'met' }],
        ['search_artworks', { query: 'woodblock', museum: 'The Met' }],
        ['search_artworks', { query: 'woodblock', museum: 'Metropolitan Museum of Art' }],
        ['search_artworks', { query: 'woodblock', museum: 'MET', colors: null, like: null }],
      ],
      isDone: fromOnly('met'),
    },
    {
      wish: 'Tell me all about the Great Wave in the Met.',
      firstCalls: [
        ['get_artwork', { artifact_id: 'met_45434' }],
        ['get_artwork', { credit_id: 'met_45434' }],
        ['get_artwork', { id: 'met_45434' }],
        ['get_artwork', { artifact_id: 'artwork:met_45434' }],
        ['get_artwork', { artifact_id: 'MET_45434' }],
      ],
      isDone: ({ artifact_id }) => artifact_id === 'met_45434',
    },
    {
      wish: 'The EU AI Act statement of the dataset.',
      firstCalls: [
        ['compliance_manifest', { regulation: 'eu_ai_act' }],
        ['compliance_manifest', { regulation: 'EU AI Act' }],
        ['compliance_manifest', { regulation: 'eu-ai-act', dataset_id: null }],
        ['compliance_manifest', { dataset_id: 'open-museums', regulation: 'EU_AI_ACT' }],
      ],
      isDone: ({ manifests }) => manifests.eu_ai_act !== undefined && manifests.ab2013 === undefined,
    },
    {
      wish: 'Keep this photo in my wallet as harbour.png.',
      firstCalls: [
        ['save_asset', { wallet, key: 'harbour.png', data: photoResult }],
        ['save_asset', { wallet: upper, key: 'harbour.png', data: photoDataUri, content_type: 'image/png' }],
        [
          'save_asset',
          { wallet, key: 'harbour.png', data: photoResult, content_type: 'png', metadata: null },
        ],
        ['save_asset', { wallet, key: 'harbour.png', data: photoResult, metadata: '{"place": "harbour"}' }],
      ],
      isDone: ({ key, content_type }) => key === 'harbour.png' && content_type === 'image/png',
    },
    {
      wish: 'What is in my storage?',
      firstCalls: [
        ['list_assets', { wallet }],
        ['list_assets', { wallet: upper, limit: '10' }],
        ['list_assets', { wallet, prefix: null, cursor: null }],
        ['list_assets', { wallet_address: wallet }],
      ],
      isDone: ({ assets }) => assets.some(({ key }: Answer) => key === ASSET_KEY),
    },
    {
      wish: 'Read me my notes.txt.',
      firstCalls: [
        ['get_asset', { wallet, key: ASSET_KEY }],
        ['get_asset', { wallet: upper, key: ASSET_KEY, include_data: 'true' }],
        ['get_asset', { wallet, name: ASSET_KEY }],
        ['get_asset', { wallet: ` ${wallet} `, key: `asset:${ASSET_KEY}` }],
      ],
      isDone: ({ key }) => key === ASSET_KEY,
    },
    {
      wish: 'How many credits have I left?',
      firstCalls: [
        ['check_balance', { wallet }],
        ['check_balance', { wallet: upper }],
        ['check_balance', { address: wallet }],
        ['check_balance', { wallet: wallet.slice(2) }],
      ],
      isDone: ({ registered }) => registered === true,
    },
    {
      wish: 'Open an account for this address.',
      firstCalls: [
        ['register_wallet', { wallet: '0x52908400098527886E0F7030069857D2E4169EE7' }],
        ['register_wallet', { wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7' }],
        ['register_wallet', { wallet: '0X52908400098527886E0F7030069857D2E4169EE7' }],
      ],
      isDone: ({ registered }) => registered === true,
    },
    {
      wish: 'Which free tool removes backgrounds?',
      firstCalls: [
        ['search_tools', { query: 'remove background' }],
        ['search_tools', { query: 'remove background', category: 'Free' }],
        ['search_tools', { query: 'remove background', max_price_usd: '0' }],
        ['search_tools', { q: 'remove background', category: null }],
      ],
      isDone: named('remove_background'),
    },
    {
      wish: 'Show me exactly how to call resize_image.',
      firstCalls: [
        ['get_tool_schema', { tool_name: 'resize_image' }],
        ['get_tool_schema', { name: 'resize_image' }],
        ['get_tool_schema', { tool_name: 'Resize_Image' }],
        ['get_tool_schema', { tool: 'resize-image' }],
      ],
      isDone: ({ name }) => name === 'resize_image',
    },
  ];
};
