import { demoId } from '@app/contracts/demo-ids';
import type { Channel } from '@app/contracts/message.words';
import type { TemplateButton, TemplateCategory, TemplateStatus } from '@app/contracts/template.words';
import { BOTS, ownerOf, type DemoBot } from './demo-accounts';

interface Text {
  name: string;
  language: string;
  category: TemplateCategory;
  status: TemplateStatus;
  body: string;
  footer: string | null;
  buttons: TemplateButton[];
  examples: string[];
}

export interface DemoTemplate extends Text {
  id: string;
  bot: DemoBot;
  channel: Channel;
  /** The provider's id: digits at Meta, a UUID at Gupshup. */
  providerId: string;
  paramsCount: number;
}

const approved = { status: 'approved' as const, category: 'utility' as const, footer: null };

const TEXTS: Text[] = [
  {
    ...approved,
    name: 'order_ready',
    language: 'ru',
    body: 'Ваш заказ готов. Заберите его сегодня до 21:00.',
    buttons: [{ type: 'quick_reply', text: 'Спасибо' }],
    examples: [],
  },
  {
    ...approved,
    name: 'order_ready',
    language: 'en',
    body: 'Your order is ready. Please pick it up by 9 pm today.',
    buttons: [{ type: 'quick_reply', text: 'Thank you' }],
    examples: [],
  },
  {
    ...approved,
    name: 'visit_reminder',
    language: 'ru',
    body: 'Здравствуйте, {{1}}! Ждём вас в {{2}}.',
    footer: 'Ответьте СТОП, чтобы не получать напоминания',
    buttons: [
      { type: 'quick_reply', text: 'Приду' },
      { type: 'quick_reply', text: 'Перенести' },
    ],
    examples: ['Айгуль', '15:30'],
  },
  {
    ...approved,
    name: 'visit_reminder',
    language: 'en',
    body: 'Hello {{1}}, we expect you at {{2}} today.',
    footer: 'Reply STOP to get no reminders',
    buttons: [
      { type: 'quick_reply', text: 'I will come' },
      { type: 'quick_reply', text: 'Another time' },
    ],
    examples: ['Aida', '15:30'],
  },
  {
    name: 'winter_sale',
    language: 'ru',
    category: 'marketing',
    status: 'pending',
    body: 'Зимняя распродажа: скидка {{1}} на весь кофе до конца недели.',
    footer: 'Ответьте СТОП, чтобы не получать предложения',
    buttons: [],
    examples: ['20%'],
  },
  {
    ...approved,
    name: 'payment_received',
    language: 'ru',
    body: 'Спасибо, оплата получена! Мы уже собираем ваш заказ.',
    buttons: [],
    examples: [],
  },
  {
    ...approved,
    name: 'payment_received',
    language: 'en',
    body: 'Thank you, we have received your payment and are packing your order.',
    buttons: [],
    examples: [],
  },
];

/** Each number's templates. Two numbers of one owner have the same templates at the provider. */
export const TEMPLATES: DemoTemplate[] = BOTS.flatMap((bot, b) =>
  bot.channels.flatMap((number, c) =>
    TEXTS.map((text, t) => {
      const n = b * 100 + c * 10 + t + 1;
      return {
        ...text,
        id: demoId('template', n),
        bot,
        channel: number.channel,
        providerId:
          number.channel === 'waba'
            ? demoId('template', 1_000 + n)
            : `${ownerOf(number).slice(-6)}00${t + 1}`,
        paramsCount: text.examples.length,
      };
    }),
  ),
);

/** A template that was never submitted. The documentation removes it as an example. */
export const DRAFTS: (Omit<DemoTemplate, 'providerId'> & { providerId: null })[] = BOTS.slice(0, 1).map(
  (bot) => ({
    id: demoId('template', 10),
    bot,
    channel: 'waba_coexistence',
    providerId: null,
    name: 'feedback_request',
    language: 'ru',
    category: 'marketing',
    status: 'draft',
    body: 'Как вам наш кофе? Напишите пару слов.',
    footer: null,
    buttons: [],
    examples: [],
    paramsCount: 0,
  }),
);
