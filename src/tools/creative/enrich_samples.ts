/** What the sandbox answers: two descriptions of Hokusai's wave (a print of about 1831, in the public domain), in our words. */

export const STANDARD_FIELDS = ['title', 'description', 'keywords', 'alt_text'];

export const STANDARD_SAMPLE = {
  title: 'Under the Wave off Kanagawa',
  description:
    'Colour woodblock print by Katsushika Hokusai, about 1831. A breaking wave towers over three fast boats whose rowers lie low over their oars; far behind, small and still, stands Mount Fuji.',
  keywords: [
    'Hokusai',
    'woodblock print',
    'ukiyo-e',
    'wave',
    'sea',
    'boats',
    'Mount Fuji',
    'Prussian blue',
    'Edo period',
  ],
  alt_text:
    'A huge blue wave with claws of white foam curls over three narrow boats; a small snow-capped mountain shows in the trough behind them.',
};

export const PREMIUM_SAMPLE = {
  title: 'Under the Wave off Kanagawa',
  art_movements: ['ukiyo-e', 'Edo-period landscape print'],
  artist_analysis:
    'Hokusai was about seventy when he drew this sheet for his series of views of Mount Fuji. He borrows the low horizon of European perspective and answers it with outline and flat colour, so that depth comes from the difference in size between wave and mountain.',
  color_palette: [
    { hex: '#1f3a5f', name: 'Prussian blue' },
    { hex: '#6f8ea3', name: 'slate blue' },
    { hex: '#ece3cf', name: 'unprinted paper' },
    { hex: '#c9b48d', name: 'pale straw' },
  ],
  composition:
    'The wave rises from the left and bends around an empty middle; the eye follows its back, falls with the foam and lands on Fuji, whose triangle is repeated by the smaller wave in front.',
  emotional_journey:
    'Alarm at the height of the water comes first, then concern for the rowers, and at last a kind of calm, because the mountain does not move.',
  keywords: [
    'Hokusai',
    'great wave',
    'Mount Fuji',
    'ukiyo-e',
    'woodblock print',
    'sea',
    'boats',
    'Prussian blue',
  ],
  lighting: 'Even and without cast shadows; only the dark sky behind the mountain tells of early morning.',
  mood: 'Suspended: the instant before the wave falls.',
  symbolism:
    'The mountain can be read as what lasts and the wave as what passes; the rowers, between the two, keep to their work.',
  themes: ['people and nature', 'permanence and change', 'courage at work'],
};
