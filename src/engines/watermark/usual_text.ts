/**
 * What the text model has read before the first byte of a payload: what people write into marks. Every mark depends on
 * every letter of it.
 */
export const USUAL_TEXT = `0123456789 abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ
https://www.example.com/gallery/artworks/2025/untitled-1.html https://example.org/p?id=1234567890 http://example.net/
(c) 2024 by the artist. Copyright © 2026 All rights reserved. contact@example.com, licence: CC BY-NC 4.0, CC0 public domain
{"title":"The garden at night","artist":"Maria","year":"2023","id":"a1b2c3d4","url":"https://"}
{"creator": "", "owner": "0x52908400098527886e0f7030069857d2e4169ee7", "license": "all rights reserved", "date": "2026-01-15T10:30:00Z"}
urn:uuid:6ba7b810-9dad-41d1-80b4-00c04fd430c8 ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi doi:10.1000/182
This image was made by an artist and may not be used for training of AI models without the permission of the author.
The work is one of a series of prints and paintings that show the light on the water in the morning, and the people there.
Made with AI, generated image. Not for resale. Order number 10024, customer, invoice, sample, draft, proof, confidential, do not share.
It is not for sale; please ask the photographer before you use this picture in a book, on a page or in an advertisement.
Photo: Anna Schmidt, Berlin, Germany. Bild von der Künstlerin, alle Rechte vorbehalten. Œuvre de l'artiste, tous droits réservés.
Edition 3 of 25, signed and numbered. Prompt: a portrait of a woman with a blue hat, oil on canvas, in the style of the 19th century, highly detailed.
Registered on 12 March 2025 with number 7f3e9a0c. Owned by John, sent to the client for review only. Version 2.0, project: website, user: admin, key: value
`;
