/** What the graph of a CLIP with both encoders calls what it gives (Hugging Face's export). */
export const CLIP_OUTPUTS = { text: 'text_embeds', picture: 'image_embeds' } as const;
