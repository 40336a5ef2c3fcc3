import { type Chunk, pngChunks } from '../../pixels/png_chunks.ts';
import { IIM_RESOURCE, imageResources } from './image_resources.ts';
import { type Found, nothingFound, type Packets } from './packets.ts';
import { IIM_KEYWORD, isTextChunk, pngText, rawProfile, XMP_KEYWORD } from './png_text.ts';

/** XMP from iTXt, Exif from eXIf, IIM from ImageMagick's raw profile, and the texts by keyword. */
export function readPng(bytes: Uint8Array): Packets {
  const found = nothingFound();
  for (const chunk of pngChunks(bytes).chunks) {
    if (chunk.type === 'eXIf') found.exif ??= chunk.data;
    else if (chunk.type === 'caBX') found.hasManifest = true;
    else if (isTextChunk(chunk)) readText(chunk, found);
  }
  return found;
}

function readText(chunk: Chunk, found: Found): void {
  const text = pngText(chunk);
  if (!text) found.problems.push(`PNG: a ${chunk.type} chunk is damaged or too large, so it was left out`);
  else if (text.keyword === XMP_KEYWORD) found.xmp.push(text.data);
  else if (text.keyword === IIM_KEYWORD) {
    const profile = rawProfile(text.data);
    const resource = profile && imageResources(profile).find(({ id }) => id === IIM_RESOURCE);
    const iim = resource?.data ?? profile;
    if (iim) found.iim ??= iim;
  } else if (!text.keyword.startsWith('Raw profile')) {
    found.texts ??= Object.create(null) as Record<string, string>;
    found.texts[text.keyword] ??= text.data.toString(text.encoding);
  }
}
