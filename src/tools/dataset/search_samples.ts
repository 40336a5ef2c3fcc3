/** What the sandbox answers: real works in the public domain; only the identifiers are made up. */
export const SEA_PIECES = [
  {
    artist: 'Katsushika Hokusai',
    date: 'ca. 1830–32',
    credit_id: 'AETR-1831',
    image_available: true,
    medium: 'Woodblock print; ink and color on paper',
    museum: 'met',
    title: 'Under the Wave off Kanagawa',
  },
  {
    artist: 'Winslow Homer',
    date: '1899',
    credit_id: 'AETR-1899',
    image_available: true,
    medium: 'Oil on canvas',
    museum: 'met',
    title: 'The Gulf Stream',
  },
  {
    artist: 'Winslow Homer',
    date: '1873–1876',
    credit_id: 'AETR-1876',
    image_available: true,
    medium: 'oil on canvas',
    museum: 'nga',
    title: 'Breezing Up (A Fair Wind)',
  },
  {
    artist: 'Claude Monet',
    date: '1882',
    credit_id: 'AETR-1882',
    image_available: true,
    medium: 'Oil on canvas',
    museum: 'chicago',
    title: 'Cliff Walk at Pourville',
  },
];
