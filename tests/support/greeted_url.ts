/** The URL in the greeting of a server. @throws Error if the output ends without one */
export async function greetedUrl(output: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += chunk;
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
    if (url) return url;
  }
  throw new Error(`it ended without a greeting: ${text}`);
}
