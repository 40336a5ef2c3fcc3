/** What people and agents send instead of a picture, and what to send. Texts continue "image …". */
const IN_TEXT: readonly [RegExp, string][] = [
  [
    /^(file:|~?\.{0,2}[\\/]|[a-z]:[\\/])/i,
    'looks like a file path. This server cannot see your files: ask request_upload for a link it can be sent to and send the handle, or send the bytes as base64.',
  ],
  [
    /^[\w .()-]{1,200}\.(png|jpe?g|webp|avif|tiff?|gif|svg|heic|pdf)$/i,
    'looks like a file name. This server cannot see your files: ask request_upload for a link it can be sent to and send the handle, or send the bytes as base64.',
  ],
  [
    /^(www\.|[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}\/)/i,
    'looks like an address without its beginning. Write https:// before it.',
  ],
  [
    /^\s*<[^<>]{1,80}>\s*$|^\{\{.*\}\}$|^\$\{?\w+\}?$/,
    'is a placeholder. Put the base64 of the file in its place.',
  ],
  [
    /…|\.\.\.|\[truncated/,
    'was shortened on the way. Send the whole base64, or POST the bytes to /api/uploads and send the handle.',
  ],
  [/^\s*</, 'is markup. Send the file itself as base64.'],
  [/^\s*[{[]/, 'is JSON. Send only the base64 text.'],
];

/** What a picture's own reader would only call text. */
const IN_BYTES: readonly [RegExp, string][] = [
  [/^[{[]/, 'is JSON, not a picture. Send only the picture.'],
  [/^(iVBORw0KGgo|\/9j\/|UklGR|R0lGOD|data:image)/, 'was encoded as base64 twice. Encode the bytes once.'],
  [/^(https?:\/\/|upload:|result:|asset:)/, 'is a handle encoded as base64. Send it as it is.'],
];

/** Only the beginning is looked at, and the end for what was cut off. */
export function mistakeIn(text: string): string | undefined {
  const shown = text.length > 600 ? text.slice(0, 500) + text.slice(-100) : text;
  return IN_TEXT.find(([pattern]) => pattern.test(shown))?.[1];
}

/** Recognises what is certainly no picture by its first bytes. */
export function mistakeInBytes(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 40)).toString('latin1').trimStart();
  return IN_BYTES.find(([pattern]) => pattern.test(start))?.[1];
}
