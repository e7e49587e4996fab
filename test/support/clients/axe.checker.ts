import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually';

const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const REST_MS = 5_000;
const AT_REST = `document.getAnimations().every(({ playState }) => playState !== 'running')`;

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/** What axe finds against WCAG 2.2 AA on what the page shows now: each rule with the first place that breaks it. */
export async function axeFaults(page: Page): Promise<string[]> {
  // What is still being faded in has another contrast for a moment.
  await eventually(() => page.evaluate<boolean>(AT_REST), REST_MS, 'the page did not come to rest');
  await page.evaluate(source);
  const run = `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => violations)`;
  const violations = await page.evaluate<Violation[]>(run);
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}
