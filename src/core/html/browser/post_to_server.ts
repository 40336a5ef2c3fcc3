/**
 * Posts JSON, or a file, to a URL of this server.
 * @returns the response, whose shape the caller must know
 * @throws Error with a sentence for the user
 */
export async function postToServer<Answer>(address: string, body: File | object): Promise<Answer> {
  const isFile = body instanceof File;
  const type = isFile ? body.type || 'application/octet-stream' : 'application/json';
  try {
    const reply = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: isFile ? body : JSON.stringify(body),
    });
    const answer = await reply.json();
    if (reply.ok) return answer;
    throw new Refusal(answer.detail);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Error('No response from the server. Try again.', { cause: error });
  }
}

/** Characters of a file name that the server accepts. */
const FILE_NAME_CHARACTERS_MAX = 200;

/** Uploads a file under its name. @returns its handle @throws Error with a sentence for the user */
export async function uploadFile(file: File): Promise<string> {
  const name = encodeURIComponent(file.name.slice(-FILE_NAME_CHARACTERS_MAX));
  return (await postToServer<{ uri: string }>(`/api/uploads?name=${name}`, file)).uri;
}

class Refusal extends Error {}
