import { readFileSync } from 'node:fs';
import { PAGE_COLORS } from '../../apps/monitor/src/shared/theme/page-colors';

type Name = keyof (typeof PAGE_COLORS)['light'];

/** The relative luminance of WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS: Name[] = ['--ll-ground', '--ll-surface', '--ll-raised', '--mantine-color-body'];
const WORDS: Name[] = ['--mantine-color-text', '--mantine-color-dimmed', '--ll-accent', '--ll-danger'];
const SOFT: [Name, Name][] = [
  ['--ll-accent', '--ll-accent-soft'],
  ['--ll-waiting', '--ll-waiting-soft'],
  ['--ll-danger', '--ll-danger-soft'],
  ['--ll-info', '--ll-info-soft'],
  ['--mantine-color-text', '--ll-bubble-own'],
  ['--mantine-color-dimmed', '--ll-bubble-own'],
  ['--mantine-color-dimmed', '--ll-bubble-other'],
  ['--mantine-color-text', '--ll-note'],
  ['--mantine-color-dimmed', '--ll-note'],
  ['--mantine-color-placeholder', '--ll-surface'],
];

describe.each(['light', 'dark'] as const)('the colours of the %s theme', (theme) => {
  const colors = PAGE_COLORS[theme];
  const pairs = [...WORDS.flatMap((word) => GROUNDS.map((ground): [Name, Name] => [word, ground])), ...SOFT];

  it.each(pairs)('have 4.5 for text: %s on %s', (word, ground) => {
    expect(contrast(colors[word], colors[ground])).toBeGreaterThanOrEqual(4.5);
  });

  it('have 4.5 for white on a button that takes something away', () => {
    expect(contrast('#ffffff', colors['--mantine-color-red-filled'])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(GROUNDS)('have 3 for borders of controls on %s', (ground) => {
    expect(contrast(colors['--ll-strong-line'], colors[ground])).toBeGreaterThanOrEqual(3);
  });
});

describe('docs/design.md', () => {
  const NAMED: Record<string, [Name, Name]> = {
    'text on the ground': ['--mantine-color-text', '--ll-ground'],
    'text on a surface': ['--mantine-color-text', '--ll-surface'],
    'text on a message of ours': ['--mantine-color-text', '--ll-bubble-own'],
    'text on a note': ['--mantine-color-text', '--ll-note'],
    'secondary text on the ground': ['--mantine-color-dimmed', '--ll-ground'],
    'secondary text on a surface': ['--mantine-color-dimmed', '--ll-surface'],
    'secondary text on a message of ours': ['--mantine-color-dimmed', '--ll-bubble-own'],
    'accent on a surface': ['--ll-accent', '--ll-surface'],
    'accent on its soft ground': ['--ll-accent', '--ll-accent-soft'],
    'waiting on its soft ground': ['--ll-waiting', '--ll-waiting-soft'],
    'failure on its soft ground': ['--ll-danger', '--ll-danger-soft'],
    'person on its soft ground': ['--ll-info', '--ll-info-soft'],
    'border of a control on a surface': ['--ll-strong-line', '--ll-surface'],
  };

  it('tells the contrasts that the colours have', () => {
    const text = readFileSync('docs/design.md', 'utf8');
    const wrong = Object.entries(NAMED).filter(([name, [word, ground]]) => {
      const [light, dark] = [PAGE_COLORS.light, PAGE_COLORS.dark].map((colors) =>
        contrast(colors[word], colors[ground]).toFixed(1),
      );
      return !text.includes(`| ${name} | ${light} | ${dark} |`);
    });
    expect(wrong).toEqual([]);
  });
});
