import { demoId } from '@app/contracts/demo-ids';
import { CLINIC_FUNNEL, SALES_FUNNEL, SERVICE_FUNNEL, type DemoStage } from './demo-funnels';

export const SHOP = demoId('account', 1);
export const CLINIC = demoId('account', 2);

export interface DemoAssistant {
  accountId: string;
  id: string;
  name: string;
  instructions: string;
  funnel: DemoStage[];
}

export const ASSISTANTS: DemoAssistant[] = [
  {
    accountId: SHOP,
    id: demoId('assistant', 1),
    name: 'Sales agent',
    instructions:
      'Ты продаёшь кофемашины магазина Harbour Coffee в Алматы. Отвечай на языке клиента, вежливо и коротко. Узнай, для дома или для офиса нужна машина, сколько чашек в день и к какому сроку. Цен, скидок и сроков, которых ты не знаешь, не обещай. Если клиент просит человека или жалуется, передай разговор менеджеру.',
    funnel: SALES_FUNNEL,
  },
  {
    accountId: SHOP,
    id: demoId('assistant', 2),
    name: 'Service agent',
    instructions:
      'You help owners of coffee machines bought at Harbour Coffee. Answer in the customer’s language, politely and briefly. Ask for the model and what it does or shows. Never advise opening the machine. Hand over to a person when it leaks, smells of burning, or two of your answers did not help.',
    funnel: SERVICE_FUNNEL,
  },
  {
    accountId: CLINIC,
    id: demoId('assistant', 3),
    name: 'Reception agent',
    instructions:
      'You are the reception of the dental clinic Northwind Dental. Answer in the patient’s language, politely and briefly. Find out what they come for and when it suits them. Give no medical advice; in pain or after an accident, hand over to a person at once.',
    funnel: CLINIC_FUNNEL,
  },
];

export interface DemoBot {
  accountId: string;
  id: string;
  assistantId: string;
  name: string;
  channels: DemoNumber[];
}

/** A number of a bot and its owner at the provider: a business account at Meta, or an app at Gupshup. */
export type DemoNumber =
  | { channel: 'waba_coexistence'; sender: string; displayPhone: string; businessId: string }
  | { channel: 'waba'; sender: string; displayPhone: string; appId: string; appName: string };

/** The owner of a number's templates at the provider. */
export const ownerOf = (number: DemoNumber): string =>
  number.channel === 'waba' ? number.appId : number.businessId;

export const BOTS: DemoBot[] = [
  {
    accountId: SHOP,
    id: demoId('bot', 1),
    assistantId: demoId('assistant', 1),
    name: 'Harbour Coffee sales',
    channels: [
      {
        channel: 'waba_coexistence',
        sender: '106540352242922',
        displayPhone: '+77015550101',
        businessId: '102290129340398',
      },
      {
        channel: 'waba',
        sender: '77015550100',
        displayPhone: '+77015550100',
        appId: demoId('app', 1),
        appName: 'HarbourCoffee',
      },
    ],
  },
  {
    accountId: SHOP,
    id: demoId('bot', 2),
    assistantId: demoId('assistant', 2),
    name: 'Harbour Coffee service',
    channels: [
      {
        channel: 'waba_coexistence',
        sender: '106540352242933',
        displayPhone: '+77015550102',
        businessId: '102290129340398',
      },
    ],
  },
  {
    accountId: CLINIC,
    id: demoId('bot', 3),
    assistantId: demoId('assistant', 3),
    name: 'Northwind Dental',
    channels: [
      {
        channel: 'waba_coexistence',
        sender: '106540352242944',
        displayPhone: '+77015550103',
        businessId: '102290129340777',
      },
    ],
  },
];
