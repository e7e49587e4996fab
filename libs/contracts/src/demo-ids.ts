/**
 * Families of the demo's fixed identifiers. The documentation uses them in its examples, which therefore work in the
 * demo as they are.
 */
const FAMILIES = {
  account: 1,
  assistant: 2,
  bot: 3,
  status: 4,
  thread: 5,
  scenario: 6,
  message: 7,
  apiKey: 8,
  batch: 9,
  template: 10,
  app: 11,
  tool: 12,
  run: 13,
  media: 20,
  webhookReject: 24,
  webhookEndpoint: 25,
  webhookDelivery: 26,
  import: 27,
  user: 21,
} as const;

/** The n-th identifier of a family: a well-formed UUID of version 7. */
export function demoId(family: keyof typeof FAMILIES, n: number): string {
  const group = (FAMILIES[family] | 0x8000).toString(16);
  return `01930000-0000-7000-${group}-${n.toString(16).padStart(12, '0')}`;
}
