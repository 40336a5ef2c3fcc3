/** Requests previews of the form while its settings change. One request at a time: a new change cancels the last. */

/** Debounce time of changes. */
const SETTLED_MS = 80;

/** The displayed fields of a `preview: true` response. */
export interface Preview {
  readonly preview: { readonly scale: number; readonly is_detail: boolean; readonly is_marked: boolean };
  readonly image_b64?: string;
  readonly content_type?: string;
  readonly width?: number;
  readonly height?: number;
  readonly part?: { x: number; y: number; width: number; height: number };
  readonly applied?: readonly Placed[];
  readonly layers?: readonly Placed[];
  readonly files?: readonly PreviewFile[];
  readonly warnings?: readonly string[];
}

export interface Placed {
  readonly box?: { x: number; y: number; width: number; height: number };
}

export interface PreviewFile {
  readonly name: string;
  readonly image_b64: string;
  readonly content_type: string;
  readonly width: number;
  readonly height: number;
}

/** Callbacks of a page. `wait` is called after LONG_WAIT_MS without a response. */
interface Watcher {
  /** The settings to send; undefined: nothing to preview yet. */
  form(): FormData | undefined;
  show(preview: Preview): void;
  fail(message: string): void;
  wait(): void;
}

const LONG_WAIT_MS = 700;

export function livePreview(tool: string, watcher: Watcher): () => void {
  let settled = 0;
  let running: AbortController | undefined;
  const ask = async () => {
    running?.abort();
    const body = watcher.form();
    if (!body) return;
    const mine = new AbortController();
    running = mine;
    const slow = setTimeout(watcher.wait, LONG_WAIT_MS);
    try {
      const reply = await fetch(`/previews/${tool}`, {
        method: 'POST',
        body,
        headers: { Accept: 'application/json' },
        signal: mine.signal,
      });
      const answer = await reply.json();
      if (mine.signal.aborted) return;
      if (reply.ok) watcher.show(answer);
      else watcher.fail(answer.detail ?? 'The preview failed.');
    } catch {
      if (!mine.signal.aborted)
        watcher.fail('No response from the server. The preview shows earlier settings.');
    } finally {
      clearTimeout(slow);
    }
  };
  return () => {
    clearTimeout(settled);
    settled = setTimeout(ask, SETTLED_MS);
  };
}

/** Object URL of a base64 image. */
export function imageAddress(base64: string, type: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type }));
}
