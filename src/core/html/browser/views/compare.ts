/** An image and its result: overlaid with a slider if their aspect ratios match, else side by side. */
import { button, bytesInWords, create, say, textOf, webAddress } from './elements.ts';
import { changeDisplayMode, hostContext } from './host.ts';
import { linkTo } from './money.ts';
import { type Shown as Picture, pictureOf, pictureSent } from './pictures.ts';
import { openSlider } from './slider.ts';
import { openView, type Shown } from './view.ts';

/** Tolerance of aspect ratios: sides are whole pixels. */
const SHAPE_TOLERANCE = 0.02;

openView('compare', (shown) => {
  const stage = create('div');
  void fill(stage, shown);
  return [stage, create('p', actionsOf(shown), 'links')];
});

async function fill(stage: HTMLElement, shown: Shown): Promise<void> {
  say('Loading images …');
  const [after, before] = await Promise.all([
    pictureOf(shown, 'After'),
    pictureSent(textOf(shown.input.image), shown.body).catch(() => undefined),
  ]);
  say('');
  const made = after && caption('After', after, madeOf(shown));
  if (!after) {
    stage.append(create('p', 'The result cannot be shown here. Open the file to see it.', 'note'));
  } else if (!before) {
    stage.append(figure(after, made!));
    stage.append(create('p', 'The original image cannot be shown here.', 'small'));
  } else {
    const sent = caption('Before', before);
    if (areOfOneShape(before, after))
      stage.append(openSlider(before.image, after.image), create('div', [sent, made!], 'captions'));
    else stage.append(create('div', [figure(before, sent), figure(after, made!)], 'beside'));
  }
}

const shapeOf = ({ image }: Picture): number => image.naturalWidth / image.naturalHeight;

const areOfOneShape = (one: Picture, other: Picture): boolean =>
  Math.abs(shapeOf(one) / shapeOf(other) - 1) < SHAPE_TOLERANCE;

const figure = ({ image }: Picture, words: HTMLElement): HTMLElement => create('figure', [image, words]);

/** @param words label of the file, where another image is displayed */
function caption(name: string, { image, note }: Picture, words = ''): HTMLElement {
  const size = `${image.naturalWidth} × ${image.naturalHeight}`;
  const shown = note ? `shown as ${note} of ${size}` : '';
  const text = [words || (note ? '' : size), shown].filter(Boolean).join(', ');
  return create('figcaption', [create('b', name), document.createTextNode(` ${text}`)]);
}

/** "2048 × 1365, PNG, 3.1 MB, made by swin2sr" */
function madeOf({ body: { width, height, content_type: type, size_bytes: bytes, engine } }: Shown): string {
  const { name } = (engine ?? {}) as { name?: unknown };
  const kind = textOf(type)
    .replace(/^\w+\//, '')
    .replace(/\+.*/, '');
  return [
    `${Number(width)} × ${Number(height)}`,
    kind.toUpperCase(),
    ...(typeof bytes === 'number' ? [bytesInWords(bytes)] : []),
    ...(textOf(name) ? [`made by ${textOf(name)}`] : []),
  ].join(', ');
}

function actionsOf({ body }: Shown): HTMLElement[] {
  const url = webAddress(body.result_url);
  const isOffered = hostContext().availableDisplayModes?.includes('fullscreen');
  return [
    ...(url ? [linkTo('Open file', url)] : []),
    ...(isOffered
      ? [
          button('Full screen', () =>
            changeDisplayMode(hostContext().displayMode === 'fullscreen' ? 'inline' : 'fullscreen'),
          ),
        ]
      : []),
  ];
}
