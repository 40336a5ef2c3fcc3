import { z } from 'zod';
import { imageFieldsOf } from '../features/definitions/fields.ts';
import { isFree } from '../features/definitions/price.ts';
import type { AnyContract } from '../features/definitions/tool.ts';

/** The MCP extension for views beside a response: MCP Apps, SEP-1865. */
export const VIEWS_EXTENSION = 'io.modelcontextprotocol/ui';
/** MIME type of a view: HTML that communicates with its host. */
export const VIEW_TYPE = 'text/html;profile=mcp-app';

export const VIEW_NAMES = ['compare', 'contact_sheet', 'cost'] as const;
export type ViewName = (typeof VIEW_NAMES)[number];

export const VIEW_PREFIX = 'ui://atelier/';
export const viewUri = (name: ViewName): string => `${VIEW_PREFIX}${name}`;

/** The view for responses of a tool; undefined where text is sufficient. Every view can show quotes and payment requirements. */
export function viewOf(tool: AnyContract): ViewName | undefined {
  if (makesPictureOfPicture(tool)) return 'compare';
  if (listsPictures(tool)) return 'contact_sheet';
  return isFree(tool.price) ? undefined : 'cost';
}

const makesPictureOfPicture = ({ input, output }: AnyContract): boolean =>
  imageFieldsOf(input.shape).length > 0 && hasFields(output.shape, ['result_url', 'width', 'height']);

/** Fields of a list entry that indicate an image. */
const SIGNS_OF_A_PICTURE = [['image_available'], ['download_url'], ['url', 'content_type']] as const;

const listsPictures = ({ output }: AnyContract): boolean =>
  Object.values(output.shape)
    .filter((field) => field instanceof z.ZodArray)
    .map(({ element }) => element)
    .filter((element) => element instanceof z.ZodObject)
    .some(({ shape }) => SIGNS_OF_A_PICTURE.some((names) => hasFields(shape, names)));

const hasFields = (shape: object, names: readonly string[]): boolean => names.every((name) => name in shape);
