/** Markup that a page needs to use the files of a set. */
export interface Snippet {
  readonly html?: string;
  /** Web app manifest, as JSON. */
  readonly manifest?: string;
}

/**
 * Markup for one of the named sets; empty for others.
 * @param files the generated files; those of `responsive` in ascending order of width
 */
export function snippetOf(
  set: string,
  files: readonly { readonly name: string; readonly width: number; readonly height: number }[],
): Snippet {
  const last = files.at(-1);
  if (set === 'favicon') return { html: ICON_LINKS, manifest: MANIFEST_JSON };
  if (set === 'social')
    return {
      html: `<meta property="og:image" content="https://example.com/open-graph.jpg">\n<meta property="og:image:width" content="1200">\n<meta property="og:image:height" content="630">\n<meta name="twitter:card" content="summary_large_image">\n<meta name="twitter:image" content="https://example.com/x-card.jpg">\n`,
    };
  if (set === 'email')
    return {
      html: `<img src="email-600@2x.jpg" width="600" alt="" style="display:block;width:100%;max-width:600px;height:auto">\n`,
    };
  if (set !== 'responsive' || !last) return {};
  const sources = files.map(({ name, width }) => `${name} ${width}w`).join(',\n          ');
  return {
    html: `<img src="${last.name}"\n  srcset="${sources}"\n  sizes="100vw" width="${last.width}" height="${last.height}" alt="" loading="lazy" decoding="async">\n`,
  };
}

const ICON_LINKS = `<link rel="icon" href="/favicon.ico" sizes="48x48">
<link rel="icon" href="/favicon-32.png" sizes="32x32" type="image/png">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/site.webmanifest">
`;

const MANIFEST_JSON = `${JSON.stringify(
  {
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  },
  null,
  2,
)}\n`;
