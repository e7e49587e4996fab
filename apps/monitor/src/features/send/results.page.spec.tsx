/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { ReactNode } from 'react';
import { openPage, screen } from '../../../testing/page-harness';

// Files need a worker and styles, which are proven in a browser.
jest.mock('./recipients/csv-file.view', () => ({ CsvRecipients: () => null }));
// Which rows are drawn is a matter of their place, which is proven in a browser.
jest.mock('./recipients/virtual-rows.view', () => ({
  VirtualRows: ({ count, cells }: { count: number; cells: (n: number) => ReactNode[] }) => (
    <ul>
      {Array.from({ length: count }, (_, n) => (
        <li key={n}>{...cells(n)}</li>
      ))}
    </ul>
  ),
}));

it.each([
  ['en', 'no phone'],
  ['ru', 'без телефона'],
] as const)('a customer without a phone is told by their dialog, in %s', async (language, words) => {
  openPage('/send?batch=batch-2', {
    language,
    answers: {
      'post /api/v1/messages/get-batch': {
        ...{ batch_id: 'batch-2', total: 1, sent: 1, failed: 0, queued: 0, unknown: 0 },
        results: [
          {
            ...{ id: 'm1', index: 0, message_id: 'wamid.1', ok: true, phone: null, status: 'sent' },
            thread_id: 'thread_1',
          },
        ],
      },
    },
  });
  const link = await screen.findByRole('link', { name: new RegExp(words) });
  expect(link.getAttribute('href')).toBe('/dialogs/thread_1');
  screen.getByText(words);
});
