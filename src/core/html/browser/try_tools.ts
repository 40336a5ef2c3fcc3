/** Uploads a chosen image and shows a preview per tool: few at a time, visible tiles first. */
import './drop.ts';
import { imageAddress } from './live_preview.ts';

/** Parallel previews: each occupies one of few image workers. */
const AT_ONCE = 2;

document.addEventListener('sent', (event) => {
  const drop = event.target as Element;
  const handle = drop.parentElement?.querySelector<HTMLInputElement>('details input')?.value;
  if (drop.closest('#try') && handle) location.assign(`/tools?${new URLSearchParams({ image: handle })}`);
});

const waiting: HTMLElement[] = [];
const leaving = new AbortController();
let running = 0;
let isSlowRunning = false;
const isSlow = (tile: HTMLElement): boolean => 'slow' in tile.dataset;
let done = 0;
let failed = 0;
const tiles = document.querySelectorAll<HTMLElement>('at-tried[data-tool]');
addEventListener('pagehide', () => leaving.abort());

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      waiting.push(target as HTMLElement);
    }
    void next();
  },
  { rootMargin: '200px' },
);
for (const tile of tiles) near.observe(tile);

async function next(): Promise<void> {
  if (running >= AT_ONCE || leaving.signal.aborted) return;
  const at = waiting.findIndex((one) => !isSlow(one));
  const [tile] = waiting.splice(Math.max(0, at), 1);
  if (!tile) return;
  if (isSlow(tile) && isSlowRunning) {
    waiting.unshift(tile);
    return;
  }
  if (isSlow(tile)) isSlowRunning = true;
  running += 1;
  void next();
  tile.setAttribute('aria-busy', 'true');
  try {
    await preview(tile);
    done += 1;
  } catch (error) {
    if (!leaving.signal.aborted) sayBeside(tile, (error as Error).message);
    failed += 1;
  }
  tile.removeAttribute('aria-busy');
  running -= 1;
  if (isSlow(tile)) isSlowRunning = false;
  say();
  void next();
}

interface Answer {
  readonly detail?: string;
  readonly image_b64?: string;
  readonly svg_content?: string;
  readonly content_type?: string;
  readonly files?: readonly {
    readonly image_b64: string;
    readonly content_type: string;
    readonly name: string;
  }[];
  readonly colors?: readonly { readonly hex: string; readonly percentage: number; readonly name: string }[];
}

async function preview(tile: HTMLElement): Promise<void> {
  const body = new FormData();
  const settings = JSON.parse(tile.dataset.settings!) as Record<string, string>;
  for (const [name, text] of Object.entries(settings)) body.set(name, text);
  const headers = { Accept: 'application/json' };
  const reply = await fetch(`/previews/${tile.dataset.tool}`, {
    method: 'POST',
    body,
    headers,
    signal: leaving.signal,
  });
  const answer = (await reply.json()) as Answer;
  if (!reply.ok) throw new Error(answer.detail ?? 'No preview.');
  const shown = picturesOf(answer);
  if (shown.length > 0) tile.replaceChildren(...shown);
  tile.classList.add('mine');
}

function picturesOf({
  image_b64: bytes,
  content_type: type,
  files,
  colors,
  svg_content: svg,
}: Answer): Element[] {
  if (colors) return [strip(colors)];
  if (svg) return [picture(URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' })))];
  if (bytes && type) return [picture(imageAddress(bytes, type))];
  return (files ?? []).map((file) => picture(imageAddress(file.image_b64, file.content_type)));
}

function picture(address: string): HTMLImageElement {
  const image = new Image();
  image.alt = 'Preview of your image';
  image.src = address;
  return image;
}

const SVG = 'http://www.w3.org/2000/svg';

/** The palette with proportional bands. */
function strip(colors: NonNullable<Answer['colors']>): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const total = colors.reduce((sum, { percentage }) => sum + percentage, 0) || 1;
  svg.setAttribute('viewBox', `0 0 100 ${total}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', colors.map(({ name }) => name).join(', '));
  let top = 0;
  for (const { hex, percentage } of colors) {
    const band = document.createElementNS(SVG, 'rect');
    for (const [name, value] of Object.entries({ y: top, width: 100, height: percentage + 0.3, fill: hex }))
      band.setAttribute(name, String(value));
    svg.append(band);
    top += percentage;
  }
  return svg;
}

function sayBeside(tile: HTMLElement, text: string): void {
  const words = document.createElement('span');
  words.className = 'away small';
  words.textContent = text;
  tile.replaceChildren(words);
}

function say(): void {
  const status = document.querySelector('#tried');
  if (!status) return;
  const all = tiles.length;
  status.textContent =
    done + failed < all
      ? `${done} of ${all} previews are ready. Each tool opens with your image.`
      : `${done} previews of your image${failed > 0 ? `, ${failed} failed` : ''}. The other images show sample results. Every tool opens with your image.`;
}
