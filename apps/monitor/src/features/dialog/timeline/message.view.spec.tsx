/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { ListedMessage } from '@app/client/message.store';
import { CONTENTS } from '@app/contracts/content-samples';
import { openView, screen } from '../../../../testing/page-harness';
import { MessageView } from './message.view';

const AT = '2026-11-20T09:30:00.000Z';

const message = (fields: Partial<ListedMessage>): ListedMessage => ({
  ...{ id: 'm1', message_id: null, role: 'USER', type: 'text', text: '', status: 'received', error: null },
  ...{ created_at: AT, sent_at: AT, media: null, content: null, quoted: null, referral: null },
  ...{ pricing: null, author: null, edited_at: null, deleted_at: null, ...fields },
});

const shown = async (fields: Partial<ListedMessage>, language: 'en' | 'ru' = 'en'): Promise<HTMLElement> => {
  openView(<MessageView message={message(fields)} customer="Anna" isNamed={false} isContinued={false} />, {
    language,
  });
  return screen.findByRole('article');
};

describe.each(CONTENTS)('$kind', ({ type, text, content, told }) => {
  it('is shown with all its values', async () => {
    const article = await shown({ type, text, content });
    const lines = article.textContent.replace(/\s+/g, ' ').replace(/[\u2066-\u2069]/g, '');
    const words = told.flatMap((value) => value.split(/[,:()×]/)).map((word) => word.trim());
    for (const word of words) expect(lines).toContain(word);
    expect(lines.length).toBeGreaterThan('Anna'.length);
  });
});

it('a place leads to a map, and asks nothing of anybody before that', async () => {
  const content = {
    type: 'location',
    latitude: 43.2,
    longitude: 76.9,
    name: '<img src=x>',
    address: null,
  } as const;
  const article = await shown({ type: 'location', content });
  expect(screen.getByRole('link', { name: '43.2, 76.9 on the map' })).toHaveProperty(
    'href',
    'https://www.openstreetmap.org/?mlat=43.2&mlon=76.9#map=16/43.2/76.9',
  );
  expect(article.querySelectorAll('img, iframe, script')).toHaveLength(0);
  expect(article.textContent).toContain('<img src=x>');
});

it.each([
  ['en', 'Missed call'],
  ['ru', 'Пропущенный звонок'],
] as const)('a missed call says so in %s', async (language, words) => {
  const article = await shown({ type: 'call', content: { type: 'call', outcome: 'missed' } }, language);
  expect(article.textContent).toContain(words);
});

it('links of http and https can be followed, apart from the page, and nothing else', async () => {
  const article = await shown({
    text: 'https://example.com/a, javascript:alert(1) и http://b.example/?q=1.',
  });
  const links = [...article.querySelectorAll('a')];
  expect(links.map((link) => ['href', 'rel', 'target'].map((name) => link.getAttribute(name)))).toEqual([
    ['https://example.com/a', 'noopener noreferrer', '_blank'],
    ['http://b.example/?q=1', 'noopener noreferrer', '_blank'],
  ]);
});

it('an ad is named, and leads only where the web leads', async () => {
  const ad = { source_type: 'ad', source_id: '1', headline: 'Coffee', body: 'Fresh', click_id: null };
  const article = await shown({ text: 'Hi', referral: { ...ad, source_url: 'javascript:alert(1)' } });
  expect(article.textContent).toContain('Came by an ad');
  expect(article.querySelector('a')).toBeNull();
});

it.each([
  ['en', 'This message was deleted.', 'edited'],
  ['ru', 'Это сообщение удалено.', 'изменено'],
] as const)('a message that was deleted, or edited, says so in %s', async (language, deleted, edited) => {
  const gone = await shown({ deleted_at: AT, edited_at: AT }, language);
  expect(gone.textContent).toContain(deleted);
  expect(gone.textContent).not.toContain(edited);
});

it('an edited message says so', async () => {
  expect((await shown({ text: 'Now', edited_at: AT })).textContent).toContain('edited');
});

describe('a message of a person', () => {
  const author = { id: 'user-1', name: 'Айгерим' };
  const headOf = async (fields: Partial<ListedMessage>): Promise<string> =>
    (await shown({ role: 'OPERATOR', text: 'Да', ...fields })).firstElementChild?.textContent ?? '';

  it('has their name', async () => {
    expect(await headOf({ author })).toBe('Айгерим');
  });

  it('has their name, where it is a note, too', async () => {
    expect(await headOf({ author, type: 'note' })).toMatch(/^\u2068?Айгерим\u2069?: note for colleagues$/);
  });

  it('that names nobody is an operator’s', async () => {
    expect(await headOf({ author: null })).toBe('Operator');
  });
});

describe('a message that the provider refused', () => {
  const WORDS = '(#131047) Re-engagement message';
  const refused = (provider_code: number | null, language: 'en' | 'ru' = 'en') =>
    shown(
      {
        ...{ role: 'OPERATOR', text: 'Да', status: 'failed' },
        error: { code: 'PROVIDER_ERROR', message: WORDS, provider_code },
      },
      language,
    );

  it.each([
    [131047, 'С последнего сообщения клиента прошло больше суток: отправьте шаблон.'],
    [131026, 'Мессенджер не может доставить на этот номер: проверьте его или свяжитесь с клиентом иначе.'],
    [1012, 'Клиент остановил сообщения от вас: не пишите ему.'],
    [132015, 'WhatsApp приостановил шаблон из-за низкой оценки: выберите другой.'],
  ])(
    'says by which rule in the reader’s language, once, and has its words behind it: %d',
    async (code, rule) => {
      const article = await refused(code, 'ru');
      for (const said of [rule, WORDS]) expect(article.textContent.split(said)).toHaveLength(2);
      const details = article.querySelector('details');
      expect([details?.open, details?.textContent]).toEqual([false, `Словами мессенджера${WORDS}`]);
    },
  );

  it('for a reason that has no rule here shows its words', async () => {
    const article = await refused(987_654);
    expect(article.querySelector('details')).toBeNull();
    expect(article.textContent).toContain(WORDS);
  });
});
