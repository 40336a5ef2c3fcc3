import type { Area, Size } from './geometry.ts';
import { decimals, refuse, wholes } from './request_parts.ts';

/** Finds the part of a picture a region names. What reaches beyond an edge ends there. @throws AtelierError invalid_input */
export function regionOf(text: string, full: Size): Area {
  if (text === 'full') return { left: 0, top: 0, ...full };
  if (text === 'square') {
    const side = Math.min(full.width, full.height);
    return {
      left: Math.floor((full.width - side) / 2),
      top: Math.floor((full.height - side) / 2),
      width: side,
      height: side,
    };
  }
  return within(inPixels(text, full), full);
}

function inPixels(text: string, { width, height }: Size): Area {
  const isShare = text.startsWith('pct:');
  const numbers = isShare ? decimals(text.slice(4), 4) : wholes(text, 4);
  if (!numbers)
    throw refuse(
      'region',
      `"${text}" is no region. Send full, square, x,y,w,h in whole pixels, or pct:x,y,w,h in percent.`,
    );
  const [x = 0, y = 0, w = 0, h = 0] = numbers;
  if (!isShare) return { left: x, top: y, width: w, height: h };
  const [left, top] = [Math.round((x * width) / 100), Math.round((y * height) / 100)];
  return {
    ...{ left, top },
    width: Math.round(((x + w) * width) / 100) - left,
    height: Math.round(((y + h) * height) / 100) - top,
  };
}

function within({ left, top, ...asked }: Area, full: Size): Area {
  const [width, height] = [
    Math.min(asked.width, full.width - left),
    Math.min(asked.height, full.height - top),
  ];
  if (asked.width < 1 || asked.height < 1)
    throw refuse('region', 'The region has no pixels. Send a width and a height of at least one.');
  if (width < 1 || height < 1)
    throw refuse(
      'region',
      `The region lies outside the picture, which has ${full.width} × ${full.height} pixels.`,
    );
  return { left, top, width, height };
}
