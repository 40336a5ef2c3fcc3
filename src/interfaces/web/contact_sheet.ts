import { html } from 'hono/html';
import type { Html } from '../../core/html/html_page.ts';
import { type PageFileName, pageFile } from '../../core/html/page_files.ts';
import { highestPrice } from '../../features/definitions/price.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import { creditsLabel } from './frame.ts';
import { priceLabel } from './price_label.ts';
import { sampleAddress, sampleOf } from './samples.ts';

/** Result of a tool for a sample (`scripts/make_studio_pictures.ts`). */
interface Shown {
  readonly tool: string;
  readonly sample: string;
  readonly file: PageFileName;
  readonly alt: string;
  readonly height: number;
  readonly isTransparent?: true;
}

const MADE: readonly Shown[] = [
  {
    tool: 'remove_background',
    sample: 'pear',
    file: 'made_cut_out.webp',
    alt: 'A pear without its background',
    height: 480,
    isTransparent: true,
  },
  {
    tool: 'extract_palette',
    sample: 'still_life',
    file: 'made_palette.svg',
    alt: 'Its six main colours with names and percentages',
    height: 480,
  },
  {
    tool: 'vectorize_image',
    sample: 'still_life',
    file: 'made_drawing.webp',
    alt: 'The still life redrawn as flat shapes',
    height: 360,
  },
  {
    tool: 'mockup_image',
    sample: 'still_life',
    file: 'made_bag.webp',
    alt: 'The still life printed on a cotton bag',
    height: 480,
  },
];

/** A sample image and the results of four calls, each linked to its tool with the same sample. */
export function contactSheet(tools: readonly AnyTool[]): Html {
  const first = sampleOf('still_life');
  const made = MADE.flatMap((one) => {
    const tool = tools.find(({ name }) => name === one.tool);
    return tool ? [{ ...one, tool }] : [];
  });
  return html`<div class="proof"><ul class="made-of">
<li><div class="cell"><img src="${sampleAddress(first)}" width="${first.width}" height="${first.height}" alt="${first.alt}" fetchpriority="high"></div><p class="cap"><span>${first.title}</span><span class="quiet">sample</span></p>
<p class="small quiet">Made with Atelier: ${made.length} calls, ${priceOfAll(made.map(({ tool }) => tool))} in total.</p></li>
${made.map(
  ({ tool, sample, file, alt, height, isTransparent }) =>
    html`<li><div class="cell${isTransparent ? ' checks' : ''}"><img src="${pageFile(file).address}" width="480" height="${height}" alt="${alt}" loading="lazy"></div><p class="cap"><a href="/tools/${tool.name}?image=sample:${sample}">${tool.title}</a><span class="quiet">${priceLabel(tool.price)}</span></p></li>`,
)}
</ul></div>`;
}

const priceOfAll = (tools: readonly AnyTool[]): string =>
  creditsLabel(tools.reduce((sum, { price }) => sum + highestPrice(price), 0));
