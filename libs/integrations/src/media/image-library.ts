import type { Sharp } from 'sharp';

/** Readers of the formats that customers send. All others, SVG and PDF among them, are blocked. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}File`);

type Open = (path: string, pixelsMax: number | false) => Sharp;

let opening: Promise<Open> | undefined;

/** Opens images by their path. The library is loaded when it is needed first: it takes 30 MB and 50 ms. */
export function imageLibrary(): Promise<Open> {
  // A failure, such as a lack of memory, is not kept.
  opening ??= load().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

async function load(): Promise<Open> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: READERS });
  // One thread for each picture, and no memory of earlier ones.
  sharp.concurrency(1);
  sharp.cache(false);
  return (path, pixelsMax) => sharp(path, { limitInputPixels: pixelsMax, failOn: 'truncated', pages: 1 });
}
