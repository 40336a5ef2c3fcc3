/** The ten visitor types of a signature, each with a default message. */
export const BOT_TYPES = {
  explorer: { label: 'Explorer', sample_phrase: 'I came to see where the corridors lead.' },
  artist: { label: 'Artist', sample_phrase: 'Left a sketch on the table; the ink may still be wet.' },
  curator: {
    label: 'Curator',
    sample_phrase: 'I moved one picture to the left, and now the room makes sense.',
  },
  researcher: {
    label: 'Researcher',
    sample_phrase: 'Three sources agree; the fourth one is more interesting.',
  },
  collector: { label: 'Collector', sample_phrase: 'I take nothing with me but the catalogue numbers.' },
  builder: { label: 'Builder', sample_phrase: 'Checked the beams. They will hold another storey.' },
  wanderer: { label: 'Wanderer', sample_phrase: 'Passing through; thank you for the light in the window.' },
  sentinel: { label: 'Sentinel', sample_phrase: 'All quiet on this watch. The door was closed behind me.' },
  archivist: { label: 'Archivist', sample_phrase: 'Filed under today, so that tomorrow can find it.' },
  critic: { label: 'Critic', sample_phrase: 'I stayed longer than I meant to, which is my highest praise.' },
} as const;

export type BotType = keyof typeof BOT_TYPES;

/** Suggested model families: the field accepts any text. */
export const KNOWN_MODELS = [
  'claude',
  'gpt',
  'gemini',
  'llama',
  'mistral',
  'qwen',
  'deepseek',
  'grok',
  'kimi',
  'glm',
  'command',
  'phi',
];
