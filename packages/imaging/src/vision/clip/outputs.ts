/** Output names of a CLIP graph with both encoders, as exported by Hugging Face. */
export const CLIP_OUTPUTS = { text: 'text_embeds', picture: 'image_embeds' } as const;
