export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads server-sent events (WHATWG HTML, section 9.2); comments, ids and retry times are of no use here. */
export async function* eventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  let event = 'message';
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') };
      event = 'message';
      data = [];
    } else if (line.startsWith('event:')) event = textOf(line);
    else if (line.startsWith('data:')) data.push(textOf(line));
  }
}

const textOf = (line: string): string => line.slice(line.indexOf(':') + 1).replace(/^ /, '');

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // An answer can be one line of many megabytes: its pieces are joined once, when the line ends.
  let pieces: string[] = [];
  for await (const chunk of body) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    for (const part of parts.slice(0, -1)) {
      yield [...pieces, part].join('').replace(/\r$/, '');
      pieces = [];
    }
    pieces.push(parts.at(-1)!);
  }
  if (pieces.join('') !== '') yield pieces.join('');
}
