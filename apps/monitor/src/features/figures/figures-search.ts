/** Spans that are often asked for, in days until now. */
export const FIGURE_SPANS = ['7', '30', '90', '365'] as const;

/** Which figures are shown, as the address has it. */
export interface FiguresSearch {
  assistant?: string;
  /** The number to whose templates the figures are. */
  bot?: string;
  span?: (typeof FIGURE_SPANS)[number];
  /** Local dates, both part of the span, instead of `span`. */
  from?: string;
  to?: string;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const date = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** Reads an address. What it does not know is left out. */
export function figuresSearch(address: Record<string, unknown>): FiguresSearch {
  const span = String(address.span);
  const read: FiguresSearch = {
    assistant: text(address.assistant),
    bot: text(address.bot),
    span: FIGURE_SPANS.find((each) => each === span),
    from: date(address.from),
    to: date(address.to),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
