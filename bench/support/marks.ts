/** A logo or icon whose true shapes are known. */
export interface Mark {
  readonly name: string;
  readonly side: number;
  /** Whether its edges are anti-aliased; the others follow pixel boundaries. */
  readonly isSoft: boolean;
  readonly svg: string;
}

const wrap = (side: number, body: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 100 100"${attributes}>${body}</svg>`;

const ground = (color: string): string => `<rect width="100" height="100" fill="${color}"/>`;

const star = (points: number, outer: number, inner: number): string =>
  Array.from({ length: 2 * points }, (_, at) => {
    const radius = at % 2 === 0 ? outer : inner;
    const angle = (Math.PI * at) / points - Math.PI / 2;
    return `${at === 0 ? 'M' : 'L'}${(50 + radius * Math.cos(angle)).toFixed(3)} ${(50 + radius * Math.sin(angle)).toFixed(3)}`;
  }).join('');

const HEART =
  'M50 85C20 62 10 48 10 33C10 20 20 12 31 12C39 12 46 16 50 23C54 16 61 12 69 12C80 12 90 20 90 33C90 48 80 62 50 85Z';
const CLOUD =
  'M28 75C16 75 8 66 8 56C8 46 15 39 25 38C28 25 39 17 52 17C66 17 77 27 79 40C87 42 93 49 93 57C93 67 85 75 75 75Z';
const LEAF = 'M15 85C15 40 40 15 85 15C85 60 60 85 15 85Z';
const DROP = 'M50 10C65 35 78 48 78 63A28 28 0 0 1 22 63C22 48 35 35 50 10Z';

/** Anti-aliased marks in a box of 100 by 100. */
const SOFT: readonly (readonly [name: string, side: number, body: string])[] = [
  ['disc', 128, `${ground('#f2e8cf')}<circle cx="50" cy="50" r="35" fill="#bc4749"/>`],
  [
    'rings',
    256,
    `${ground('#fff')}<circle cx="50" cy="50" r="42" fill="#d00"/><circle cx="50" cy="50" r="29" fill="#fff"/><circle cx="50" cy="50" r="15" fill="#d00"/>`,
  ],
  [
    'rounded square',
    192,
    `${ground('#fff')}<rect x="12" y="12" width="76" height="76" rx="18" fill="#2a6fdb"/>`,
  ],
  [
    'tile with letter',
    180,
    `<rect width="100" height="100" rx="22" fill="#111827"/><path d="M30 75V25H45C60 25 70 32 70 42C70 50 65 55 58 57L72 75H60L48 59H41V75Z" fill="#f9fafb"/>`,
  ],
  ['play', 160, `<circle cx="50" cy="50" r="46" fill="#e11d48"/><path d="M40 30L72 50L40 70Z" fill="#fff"/>`],
  [
    'check',
    128,
    `${ground('#fff')}<circle cx="50" cy="50" r="44" fill="#16a34a"/><path d="M28 52L44 68L74 34" fill="none" stroke="#fff" stroke-width="9"/>`,
  ],
  ['heart', 200, `${ground('#fff')}<path d="${HEART}" fill="#e63946"/>`],
  ['cloud', 240, `${ground('#8ecae6')}<path d="${CLOUD}" fill="#fff"/>`],
  [
    'leaf',
    220,
    `<path d="${LEAF}" fill="#386641"/><path d="M20 80C40 55 55 42 78 22" stroke="#a7c957" stroke-width="4" fill="none"/>`,
  ],
  ['drop', 150, `${ground('#edf6f9')}<path d="${DROP}" fill="#006d77"/>`],
  ['star', 256, `${ground('#14213d')}<path d="${star(5, 45, 18)}Z" fill="#fca311"/>`],
  [
    'burst',
    300,
    `${ground('#fff')}<path d="${star(16, 46, 36)}Z" fill="#7209b7"/><circle cx="50" cy="50" r="24" fill="#fff"/>`,
  ],
  [
    'tricolour',
    120,
    `<rect width="34" height="100" fill="#002395"/><rect x="33.5" width="33" height="100" fill="#fff"/><rect x="66.5" width="34" height="100" fill="#ed2939"/>`,
  ],
  ['cross', 128, `${ground('#da291c')}<path d="M42 20H58V42H80V58H58V80H42V58H20V42H42Z" fill="#fff"/>`],
  [
    'bars',
    200,
    `${ground('#fff')}<rect x="12" y="55" width="16" height="33" fill="#264653"/><rect x="34" y="35" width="16" height="53" fill="#2a9d8f"/><rect x="56" y="45" width="16" height="43" fill="#e9c46a"/><rect x="78" y="15" width="12" height="73" fill="#e76f51"/>`,
  ],
  [
    'pie',
    256,
    `${ground('#fff')}<circle cx="50" cy="50" r="42" fill="#457b9d"/><path d="M50 50V8A42 42 0 0 1 92 50Z" fill="#e63946"/>`,
  ],
  [
    'magnifier',
    160,
    `<circle cx="42" cy="42" r="27" fill="none" stroke="#333" stroke-width="9"/><path d="M62 62L86 86" stroke="#333" stroke-width="11" stroke-linecap="round"/>`,
  ],
  [
    'envelope',
    256,
    `${ground('#f8f9fa')}<rect x="10" y="24" width="80" height="54" rx="6" fill="#4361ee"/><path d="M14 30L50 56L86 30" fill="none" stroke="#fff" stroke-width="5"/>`,
  ],
  [
    'bell',
    200,
    `${ground('#fff')}<path d="M50 10C33 10 24 23 24 40V60L14 74H86L76 60V40C76 23 67 10 50 10Z" fill="#f4a261"/><circle cx="50" cy="82" r="9" fill="#f4a261"/>`,
  ],
  [
    'lock',
    160,
    `<path d="M30 46V32A20 20 0 0 1 70 32V46" fill="none" stroke="#6c757d" stroke-width="9"/><rect x="20" y="44" width="60" height="46" rx="7" fill="#ffb703"/><circle cx="50" cy="64" r="7" fill="#023047"/>`,
  ],
  [
    'person',
    192,
    `${ground('#e9ecef')}<circle cx="50" cy="34" r="19" fill="#495057"/><path d="M14 90C14 69 30 58 50 58C70 58 86 69 86 90Z" fill="#495057"/>`,
  ],
  [
    'waves',
    256,
    `${ground('#023e8a')}<path d="M0 60C17 45 33 45 50 60S83 75 100 60V100H0Z" fill="#48cae4"/><path d="M0 78C17 66 33 66 50 78S83 90 100 78V100H0Z" fill="#caf0f8"/>`,
  ],
  [
    'wireless',
    150,
    `<g fill="none" stroke="#000" stroke-width="8"><path d="M12 42A54 54 0 0 1 88 42"/><path d="M26 57A34 34 0 0 1 74 57"/></g><circle cx="50" cy="78" r="8"/>`,
  ],
  [
    'hexagon',
    220,
    `${ground('#fff')}<path d="M50 6L88 28V72L50 94L12 72V28Z" fill="#ff7f11"/><path d="M50 28L69 39V61L50 72L31 61V39Z" fill="#fff"/>`,
  ],
  ['moon', 180, `${ground('#1b1b3a')}<path d="M64 12A40 40 0 1 0 88 62A32 32 0 0 1 64 12Z" fill="#ffe066"/>`],
  [
    'ellipse and line',
    256,
    `${ground('#fefae0')}<ellipse cx="50" cy="45" rx="40" ry="22" fill="#bc6c25"/><path d="M10 82L90 76" stroke="#283618" stroke-width="3"/>`,
  ],
  [
    'spiral mark',
    320,
    `${ground('#fff')}<path d="M50 12C71 12 88 29 88 50S71 88 50 88S12 71 12 50C12 36 20 26 32 22L38 36C32 39 28 44 28 50C28 62 38 72 50 72S72 62 72 50S62 28 50 28Z" fill="#0a9396"/>`,
  ],
  [
    'two overlapping',
    256,
    `${ground('#fff')}<circle cx="38" cy="50" r="28" fill="#eb001b"/><circle cx="62" cy="50" r="28" fill="#f79e1b"/><path d="M50 24.7A28 28 0 0 1 50 75.3A28 28 0 0 1 50 24.7Z" fill="#ff5f00"/>`,
  ],
];

/** A symmetrical sprite, generated from a fixed sequence of numbers. */
function sprite(seed: number, cells: number, colors: readonly string[], scale: number): Mark {
  let state = seed;
  const next = (): number => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const rects: string[] = [];
  for (let y = 0; y < cells; y++)
    for (let x = 0; x < cells / 2; x++) {
      if (next() < 0.42) continue;
      const fill = colors[Math.floor(next() * colors.length)]!;
      for (const column of [x, cells - 1 - x])
        rects.push(`<rect x="${column}" y="${y}" width="1" height="1" fill="${fill}"/>`);
    }
  const side = cells * scale;
  return {
    name: `sprite ${cells} × ${cells}, ${scale} px`,
    side,
    isSoft: false,
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${cells} ${cells}" shape-rendering="crispEdges">${rects.join('')}</svg>`,
  };
}

const SPRITES: readonly Mark[] = [
  sprite(11, 8, ['#222', '#e43b44'], 1),
  sprite(12, 16, ['#181425', '#63c74d', '#fee761'], 1),
  sprite(13, 16, ['#181425', '#0099db', '#fff', '#f77622'], 4),
  sprite(14, 24, ['#3a4466', '#8b9bb4', '#c0cbdc', '#ff0044', '#b55088'], 2),
  sprite(15, 32, ['#000', '#5a6988', '#be4a2f', '#d77643', '#ead4aa', '#3e8948'], 1),
  sprite(16, 32, ['#262b44', '#124e89', '#2ce8f5'], 8),
];

/** Diagrams and screens along pixel boundaries. */
const HARD: readonly Mark[] = [
  [
    'window',
    `${ground('#008080')}<rect x="10" y="15" width="80" height="70" fill="#c0c0c0"/><rect x="12" y="17" width="76" height="8" fill="#000080"/><rect x="80" y="18" width="6" height="6" fill="#c0c0c0"/><rect x="14" y="28" width="72" height="54" fill="#fff"/>`,
  ],
  [
    'table',
    `${ground('#fff')}${[20, 40, 60, 80].map((at) => `<rect x="5" y="${at}" width="90" height="1" fill="#999"/><rect x="${at}" y="5" width="1" height="90" fill="#999"/>`).join('')}<rect x="21" y="21" width="19" height="19" fill="#fde047"/>`,
  ],
  [
    'hard disc',
    `${ground('#f2e8cf')}<circle cx="40" cy="45" r="30" fill="#bc4749"/><path d="M60 20L95 85L30 85Z" fill="#386641"/>`,
  ],
  [
    'checkers',
    Array.from(
      { length: 64 },
      (_, at) =>
        `<rect x="${12.5 * (at % 8)}" y="${12.5 * (at >> 3)}" width="12.5" height="12.5" fill="${(at + (at >> 3)) % 2 ? '#000' : '#eee'}"/>`,
    ).join(''),
  ],
  [
    'flag',
    `<rect width="100" height="34" fill="#000"/><rect y="33.5" width="100" height="33" fill="#d00"/><rect y="66.5" width="100" height="34" fill="#fc0"/>`,
  ],
  [
    'maze',
    `${ground('#fff')}<path d="M5 5H95V95H5V25H75V75H25V45H55V55" fill="none" stroke="#222" stroke-width="4"/>`,
  ],
].map(([name, body]) => ({
  name: name!,
  side: 200,
  isSoft: false,
  svg: wrap(200, body!, ' shape-rendering="crispEdges"'),
}));

/** Forty logos, icons and sprites. */
export const MARKS: readonly Mark[] = [
  ...SOFT.map(([name, side, body]) => ({ name, side, isSoft: true, svg: wrap(side, body) })),
  ...SPRITES,
  ...HARD,
];
