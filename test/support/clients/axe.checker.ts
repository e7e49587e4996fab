import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually';
import { IS_LONG } from '../long.mode';

const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What WCAG 2.2 AA asks for. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** And what axe calls good practice. */
export const GOOD_PRACTICE = [...WCAG, 'best-practice'];

/** The size of targets, and that what stands on a part is in its name, by which it is spoken to. */
const OFF_BY_DEFAULT = ['target-size', 'label-content-name-mismatch'];

const REST_MS = 5_000;
/** What turns for ever, beside a name that says so, is never at rest. */
const AT_REST = `document.getAnimations().every(({ playState, effect }) =>
  playState !== 'running' || effect.getComputedTiming().iterations === Infinity)`;

interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  /** Rules that ran. */
  ran: string[];
}

interface Look {
  /** A selector. */
  within?: string;
  tags?: readonly string[];
}

/**
 * What axe finds on what the page shows now. What is off in axe by default is asked for by name, and that it ran is checked.
 * @param page its policy lets no script in; the debugger's evaluation is none
 */
export async function axeFaults(page: Page, { within = 'body', tags = WCAG }: Look = {}): Promise<string[]> {
  // What is still being faded in has another contrast for a moment.
  await eventually(() => page.evaluate<boolean>(AT_REST), REST_MS, 'the page did not come to rest');
  await page.evaluate(SOURCE);
  // Of all that passes there would be a selector for each element.
  const { violations, ran } = await page.evaluate<Found>(`axe.run(${JSON.stringify(within)}, {
    runOnly: ${JSON.stringify(tags)},
    rules: ${JSON.stringify(Object.fromEntries(OFF_BY_DEFAULT.map((rule) => [rule, { enabled: true }])))},
    resultTypes: ['violations'],
    preload: false,
  }).then(({ violations, passes, incomplete, inapplicable }) => ({
    violations,
    ran: [...violations, ...passes, ...incomplete, ...inapplicable].map(({ id }) => id),
  }))`);
  for (const rule of OFF_BY_DEFAULT) if (!ran.includes(rule)) throw new Error(`axe did not run ${rule}`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}\n${failureSummary}`),
  );
}

/**
 * The same in either theme, each of which the page takes on as the system does. In the usual run it is the dark one alone:
 * `page-colors.spec.ts` measures the colours of both.
 */
export async function axeFaultsOfThemes(page: Page, look?: Look): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of IS_LONG ? (['dark', 'light'] as const) : (['dark'] as const)) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
    const found = await axeFaults(page, look);
    faults.push(...found.map((fault) => `${colorScheme}: ${fault}`));
  }
  return faults;
}
