/** Deep zoom viewer for images of this server, with pointer, touch and keyboard. OpenSeadragon is loaded before this script. */

interface Viewer {
  readonly viewport: {
    zoomBy(factor: number): Viewer['viewport'];
    goHome(): void;
    applyConstraints(): void;
  };
  readonly canvas: HTMLElement;
  addOnceHandler(event: string, handler: () => void): void;
  setFullScreen(isFull: boolean): void;
  isFullPage(): boolean;
}
declare const OpenSeadragon: (options: Record<string, unknown>) => Viewer;

const STEP = 1.6;

customElements.define(
  'at-zoom',
  class extends HTMLElement {
    async connectedCallback() {
      const { service, title } = this.dataset;
      const said = document.createElement('p');
      said.setAttribute('role', 'status');
      said.textContent = 'Loading the image …';
      const view = document.createElement('div');
      view.className = 'view';
      this.replaceChildren(view, said);
      const answer = await fetch(`${service}/info.json`).catch(() => undefined);
      const info = await answer?.json().catch(() => undefined);
      if (!answer?.ok || !info) {
        said.textContent = info?.detail ?? 'No response from the server. Reload the page.';
        return;
      }
      // Relative to the page, so that tiles load under any host name of this server.
      const viewer = OpenSeadragon({
        element: view,
        tileSources: { ...info, id: new URL(service!, location.href).href },
        showNavigationControl: false,
        maxZoomPixelRatio: 4,
        visibilityRatio: 0.5,
        drawer: 'canvas',
        ...(matchMedia('(prefers-reduced-motion: reduce)').matches && { animationTime: 0 }),
      });
      viewer.addOnceHandler('tile-drawn', () => {
        said.textContent = '';
      });
      viewer.canvas.setAttribute('role', 'application');
      viewer.canvas.setAttribute(
        'aria-label',
        `${title}. Arrow keys move, plus and minus zoom, 0 shows the whole image`,
      );
      this.append(keysOf(viewer));
    }
  },
);

function keysOf(viewer: Viewer): HTMLElement {
  const keys = document.createElement('div');
  keys.className = 'keys';
  const add = (text: string, label: string, press: () => void) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text;
    button.setAttribute('aria-label', label);
    button.addEventListener('click', press);
    keys.append(button);
  };
  const zoom = (factor: number) => () => viewer.viewport.zoomBy(factor).applyConstraints();
  add('−', 'Zoom out', zoom(1 / STEP));
  add('+', 'Zoom in', zoom(STEP));
  add('Fit', 'Fit the whole image', () => viewer.viewport.goHome());
  add('Full screen', 'Full screen', () => viewer.setFullScreen(!viewer.isFullPage()));
  return keys;
}
