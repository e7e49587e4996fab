import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What WCAG 2.2 AA asks for, and what axe calls good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  passes: { id: string }[];
  inapplicable: { id: string }[];
}

/**
 * Looks over a page for what keeps people out. The size of targets is off in axe by default: it is asked for by name,
 * and that it was measured is checked.
 * @param page its policy lets no script in; the debugger's evaluation is none
 */
export async function accessFaults(page: Page, within = 'body'): Promise<string[]> {
  await page.evaluate(SOURCE);
  const found = await page.evaluate<Found>(`axe.run(${JSON.stringify(within)}, {
    runOnly: ${JSON.stringify(TAGS)},
    rules: { 'target-size': { enabled: true } },
  })`);
  const ran = [...found.violations, ...found.passes].map(({ id }) => id);
  if (!ran.includes('target-size')) throw new Error('the size of targets was not measured');
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}\n${failureSummary}`),
  );
}
