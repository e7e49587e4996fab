import type { Locator } from 'playwright-core';
import sharp from 'sharp';

export const PICTURE_WIDTH = 1440;
export const PICTURE_HEIGHT = 900;
/** So that a page of the documentation with pictures loads at once. */
export const PICTURE_BYTES_MAX = 200_000;

/** Squares of which pictures are compared. Fonts differ by machine; where things stand does not. */
const [COLUMNS, ROWS] = [24, 15];

/** A picture as the documentation keeps it. */
export const smallPicture = (png: Buffer): Promise<Buffer> =>
  sharp(png).png({ palette: true, colours: 128, effort: 10, compressionLevel: 9 }).toBuffer();

/** How bright each of the squares is, from 0 to 255. */
async function squaresOf(png: Buffer): Promise<Buffer> {
  return sharp(png).removeAlpha().greyscale().resize(COLUMNS, ROWS, { fit: 'fill' }).raw().toBuffer();
}

/** How far two pictures are apart: the mean difference of their squares, from 0 to 255. */
export async function distanceOf(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([squaresOf(one), squaresOf(other)]);
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
}

/** What can be said of a picture without looking at it. */
export async function factsOf(png: Buffer): Promise<{ width: number; height: number; entropy: number }> {
  const [{ width, height }, { entropy }] = await Promise.all([sharp(png).metadata(), sharp(png).stats()]);
  return { width, height, entropy };
}

/** Clock times, countdowns, and spans in either language. They are others at each run. */
const TIMES = [/\d{1,2}:\d\d(?::\d\d)?(?:\s[AP]M)?/g, /\d+\s(?:mins?|hrs?|days?|мин|ч|дн)(?![\p{L}\d])\.?/gu];

/** Names of days and months in a language, and a date with them. */
function datesOf(language: string): RegExp {
  const months = Array.from({ length: 12 }, (_, month) => new Date(2026, month, 15)).flatMap((date) =>
    (['long', 'short'] as const).map((form) =>
      new Intl.DateTimeFormat(language, { day: 'numeric', month: form })
        .format(date)
        .replace(/15\s?|\s?15/, ''),
    ),
  );
  const month = [...new Set(months)]
    .sort((one, other) => other.length - one.length)
    .map((name) => name.replace('.', '\\.'))
    .join('|');
  return new RegExp(`\\d{1,2}\\s(?:${month})|(?:${month})\\s\\d{1,2}`, 'g');
}

/** Which labels of a plot have room depends on the fonts of the machine. */
const PLOT_LABELS = /^\s*- (?:img|text): .*…/;
const NUMBERS = /(?<!level=)\d+(?:[.,\s]\d+)*/g;

export interface OutlineOptions {
  language: string;
  /** Where figures and the labels of plots differ from run to run. */
  withoutNumbers?: boolean;
}

/**
 * What stands in a part of the page, in words: roles, names, texts and counts, as a screen reader gets them. What differs
 * from run to run is `…`, and the same thing many times in a row stands once.
 */
export async function outlineOf(part: Locator, options: OutlineOptions): Promise<string> {
  const { language, withoutNumbers = false } = options;
  const replaced = [datesOf(language), ...TIMES, ...(withoutNumbers ? [NUMBERS] : [])];
  const lines = (await part.ariaSnapshot())
    .split('\n')
    .filter((line) => !/^\s*- \/url:/.test(line))
    .map((line) => replaced.reduce((text, pattern) => text.replace(pattern, '…'), line))
    .filter((line) => !(withoutNumbers && PLOT_LABELS.test(line)));
  const outline = withoutNumbers ? lines.filter((line, at) => line !== lines[at - 1]) : lines;
  return `${outline.join('\n')}\n`;
}
