import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import type { FocusEvent } from 'react';
import { PAGE_COLORS } from './page-colors';

/**
 * Moves the mark of what is focused first to what has the focus. Mantine focuses that in timers, and again when a menu
 * is placed anew: whoever was quicker with a key would be taken back.
 */
function moveFirstFocus({ currentTarget, target }: FocusEvent<HTMLElement>): void {
  for (const item of currentTarget.querySelectorAll('[data-autofocus]'))
    item.removeAttribute('data-autofocus');
  target.setAttribute('data-autofocus', 'true');
}

/** The one accent. On white, shade 7 has a contrast of 6.1; on the dark ground, shade 3 has 8.4. */
const teal: MantineColorsTuple = [
  '#e6f6f2',
  '#cdece4',
  '#9bd8c9',
  '#66c4ad',
  '#3ab096',
  '#1a9079',
  '#0f7f69',
  '#0b6e5b',
  '#085546',
  '#053c32',
];

/** Greys of the dark theme, with a little of the accent. Inputs have 6, their borders 4. */
const dark: MantineColorsTuple = [
  '#d5dedb',
  '#b7c3be',
  '#8f9d97',
  '#6b7a74',
  '#4a5752',
  '#323d39',
  '#222b28',
  '#151b19',
  '#0f1412',
  '#0a0e0c',
];

export const pageTheme = createTheme({
  primaryColor: 'teal',
  colors: { teal, dark },
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  // Mantine's own smallest is 10 px, which is off the 4 px grid.
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '2rem' },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '0.9375rem' } },
  },
  components: {
    Menu: {
      defaultProps: {
        shadow: 'md',
        transitionProps: { duration: 80 },
        // Otherwise the focus is at first on something that cannot be seen.
        withInitialFocusPlaceholder: false,
      },
    },
    MenuDropdown: { defaultProps: { onFocus: moveFirstFocus } },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 120 } } },
    Tooltip: {
      defaultProps: {
        openDelay: 400,
        transitionProps: { duration: 80 },
        // Whoever enlarges the screen points at the words to read them (WCAG 1.4.13).
        interactive: true,
      },
    },
    InputWrapper: {
      // Mantine's own are 2 px smaller than the field's text: 10 and 11 px.
      vars: () => ({
        description: { '--input-description-size': 'var(--mantine-font-size-xs)' },
        error: { '--input-error-size': 'var(--mantine-font-size-xs)' },
      }),
    },
    Badge: {
      defaultProps: { tt: 'none', fw: 500, radius: 'xs' },
      // Mantine's own are 10 and 11 px, and its plain one has the border of a control.
      vars: (_theme: unknown, { variant }: { variant?: string }) => ({
        root: {
          ...{ '--badge-fz': 'var(--mantine-font-size-xs)', '--badge-height': '20px' },
          '--badge-padding-x': '8px',
          ...(variant === 'default' && {
            ...{ '--badge-bg': 'var(--ll-ground)', '--badge-bd': '1px solid var(--ll-line)' },
          }),
        },
      }),
    },
  },
});

/** Which of the page's colours a light button, badge, alert or selected entry has, by Mantine's name of its colour. */
const SOFT = { teal: 'accent', blue: 'info', orange: 'waiting', yellow: 'waiting', red: 'danger' };

const softVariables = Object.fromEntries(
  Object.entries(SOFT).flatMap(([color, name]) => [
    [`--mantine-color-${color}-light`, `var(--ll-${name}-soft)`],
    [
      `--mantine-color-${color}-light-hover`,
      `color-mix(in srgb, var(--ll-${name}) 8%, var(--ll-${name}-soft))`,
    ],
    [`--mantine-color-${color}-light-color`, `var(--ll-${name})`],
  ]),
);

const sharedVariables = { ...softVariables, '--mantine-color-default-border': 'var(--ll-strong-line)' };

export const pageVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...PAGE_COLORS.light, ...sharedVariables },
  dark: { ...PAGE_COLORS.dark, ...sharedVariables },
});
