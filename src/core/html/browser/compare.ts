/** Compares two images under a divider, with common zoom and position. */
const ZOOMS = [1, 2, 4] as const;
/** Relative difference of aspect ratios; above it the images cannot be overlaid. */
const ALIKE = 0.015;
const NEAR_PX = 24;
const SAMPLE_SIDE = 64;

customElements.define(
  'at-compare',
  class extends HTMLElement {
    zoom = 1;
    x = 0;
    y = 0;
    held: 'line' | readonly [number, number] | undefined;
    range = document.createElement('input');

    async connectedCallback() {
      const made = [...this.querySelectorAll<HTMLElement>('.made')];
      const pictures = [...this.querySelectorAll('img')];
      await Promise.all(pictures.map((picture) => picture.decode().catch(() => {})));
      if (!this.isConnected) return;
      this.classList.add('ready');
      made[0]!.classList.add('shown');
      const before = this.querySelector<HTMLImageElement>('figure:not(.made) img');
      const after = made[0]!.querySelector('img')!;
      if (before && areAlike(before, after)) this.slide(made.length);
      const bar = this.parentElement!.nextElementSibling!;
      const zooms = ZOOMS.map((times) => (times === 1 ? 'Fit' : `${times}×`));
      bar.append(choice('Zoom', zooms, (at) => this.zoomTo(ZOOMS[at]!)));
      if (made.length > 1) {
        const show = (at: number) => {
          for (const [place, one] of made.entries()) one.classList.toggle('shown', place === at);
        };
        bar.prepend(
          choice(
            'Result',
            made.map((_, at) => `Run ${at + 1}`),
            show,
          ),
        );
      }
      if (isTransparent(after)) this.lay(bar);
      this.follow();
    }

    /** Offers backgrounds behind transparent areas. */
    lay(bar: Element) {
      const grounds = ['Checks', 'Paper', 'Grey', 'Black'];
      const show = (at: number) => {
        this.dataset.behind = grounds[at]!.toLowerCase();
      };
      show(0);
      bar.append(choice('Background', grounds, show));
    }

    /** A range input supports arrow keys and announces its value. */
    slide(results: number) {
      this.classList.add('sliding');
      const { range } = this;
      Object.assign(range, { type: 'range', min: '0', max: '100', step: '0.5', value: '50' });
      range.setAttribute(
        'aria-label',
        `Share of the original image shown${results > 1 ? ' beside the result' : ''}`,
      );
      range.addEventListener('input', () => this.move());
      const line = document.createElement('div');
      line.className = 'line';
      this.append(line, range);
      this.move();
    }

    move() {
      this.style.setProperty('--at', `${this.range.value}%`);
      this.range.setAttribute('aria-valuetext', `${Math.round(Number(this.range.value))}% original`);
    }

    /** Near the divider, or unzoomed, the pointer moves the divider; elsewhere it pans the images. */
    follow() {
      const share = ({ clientX }: PointerEvent) =>
        ((clientX - this.getBoundingClientRect().left) / this.clientWidth) * 100;
      const isSliding = this.classList.contains('sliding');
      this.addEventListener('pointerdown', (event) => {
        const distance = (Math.abs(share(event) - Number(this.range.value)) * this.clientWidth) / 100;
        const takesLine = isSliding && (this.zoom === 1 || distance <= NEAR_PX);
        this.held = takesLine ? 'line' : [event.clientX - this.x, event.clientY - this.y];
        this.setPointerCapture(event.pointerId);
        drag(event);
      });
      const drag = (event: PointerEvent) => {
        if (this.held === 'line') {
          this.range.value = String(share(event));
          this.move();
        } else if (this.held) {
          this.x = event.clientX - this.held[0];
          this.y = event.clientY - this.held[1];
          this.place();
        }
      };
      this.addEventListener('pointermove', drag);
      for (const name of ['pointerup', 'pointercancel'] as const)
        this.addEventListener(name, () => {
          this.held = undefined;
        });
    }

    zoomTo(times: number) {
      this.x *= (times - 1) / (this.zoom - 1 || 1);
      this.y *= (times - 1) / (this.zoom - 1 || 1);
      this.zoom = times;
      this.classList.toggle('zoomed', times > 1);
      this.place();
    }

    place() {
      const within = (value: number, length: number) => {
        const room = (length * (this.zoom - 1)) / 2;
        return Math.max(-room, Math.min(room, value));
      };
      this.x = within(this.x, this.clientWidth);
      this.y = within(this.y, this.clientHeight);
      this.style.setProperty('--z', String(this.zoom));
      this.style.setProperty('--x', `${this.x}px`);
      this.style.setProperty('--y', `${this.y}px`);
    }
  },
);

/** A group of toggle buttons. */
function choice(name: string, texts: readonly string[], choose: (at: number) => void): HTMLElement {
  const group = document.createElement('div');
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', name);
  const buttons = texts.map((text, at) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text;
    button.setAttribute('aria-pressed', String(at === 0));
    button.addEventListener('click', () => {
      for (const one of buttons) one.setAttribute('aria-pressed', String(one === button));
      choose(at);
    });
    return button;
  });
  group.append(...buttons);
  return group;
}

function areAlike(one: HTMLImageElement, other: HTMLImageElement): boolean {
  const ratio = ({ naturalWidth, naturalHeight }: HTMLImageElement) => naturalWidth / naturalHeight;
  return Math.abs(ratio(one) / ratio(other) - 1) <= ALIKE;
}

/** Whether the image has transparency, tested on a small copy. */
function isTransparent(picture: HTMLImageElement): boolean {
  const canvas = document.createElement('canvas');
  canvas.width = SAMPLE_SIDE;
  canvas.height = SAMPLE_SIDE;
  const context = canvas.getContext('2d');
  if (!context || picture.naturalWidth === 0) return false;
  context.drawImage(picture, 0, 0, SAMPLE_SIDE, SAMPLE_SIDE);
  const { data } = context.getImageData(0, 0, SAMPLE_SIDE, SAMPLE_SIDE);
  return data.some((value, at) => at % 4 === 3 && value < 250);
}
