import type { Container } from './choose_packets.ts';

const CONTAINERS: Readonly<Record<string, Container>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
  'image/x-icon': 'ico',
  'application/pdf': 'pdf',
};

/** The container of a result, by its content type. */
export const containerOf = (contentType: string): Container => CONTAINERS[contentType]!;
