/** @jest-environment ./apps/monitor/testing/page.environment.js */
import { openPage, refused, screen, waitFor } from '../../testing/page-harness';

// Files need a worker and styles, which are proven in a browser.
jest.mock('../features/send/recipients/csv-file.view', () => ({ CsvRecipients: () => null }));

it('a session that ends before there is a connection asks for the sign-in at once, and not for a connection', async () => {
  openPage('/send', {
    as: { role: 'operator' },
    connection: 'offline',
    answers: { 'post /api/v1/messages/get-batches': refused('UNAUTHORIZED', { status: 401 }) },
  });
  await screen.findByRole('dialog', { name: 'Your session has ended' });
  await waitFor(() => expect(document.body.dataset.connection).toBe('connecting'));
  expect(screen.queryByText(/^No connection/)).toBeNull();
});

it('the button of one’s account is named by what stands on it, and by whose it is', async () => {
  openPage('/send', {
    as: { name: 'Айгерим Сулейменова', role: 'operator' },
    answers: { 'post /api/v1/messages/get-batches': { batches: [], next_cursor: null } },
  });
  await screen.findByRole('button', { name: 'АС Айгерим Сулейменова, your account' });
});
