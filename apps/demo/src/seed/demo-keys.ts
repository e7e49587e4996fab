import { demoId } from '@app/contracts/demo-ids';
import { CLINIC, SHOP } from './demo-accounts';

export interface DemoKey {
  id: string;
  name: string;
  accountId: string | null;
  scopes: string[];
  botIds: string[];
  assistantIds: string[];
  /** Calls of the counter `general` in any 60 seconds; absent: the default. */
  limitGeneral?: number;
}

const ACCOUNT_SCOPES = ['messages', 'leads'];

/** A key with one agent, one with two, one with none, one of the other account, and the admin's key. */
export const DEMO_KEYS: DemoKey[] = [
  {
    id: demoId('apiKey', 1),
    name: 'Accounting system',
    accountId: SHOP,
    scopes: ACCOUNT_SCOPES,
    botIds: [demoId('bot', 1)],
    assistantIds: [demoId('assistant', 1)],
  },
  {
    id: demoId('apiKey', 2),
    name: 'Reporting',
    accountId: SHOP,
    scopes: ACCOUNT_SCOPES,
    botIds: [demoId('bot', 1), demoId('bot', 2)],
    assistantIds: [demoId('assistant', 1), demoId('assistant', 2)],
  },
  {
    id: demoId('apiKey', 3),
    name: 'Unattached',
    accountId: SHOP,
    scopes: ACCOUNT_SCOPES,
    botIds: [],
    assistantIds: [],
  },
  {
    id: demoId('apiKey', 4),
    name: 'Clinic system',
    accountId: CLINIC,
    scopes: ACCOUNT_SCOPES,
    botIds: [demoId('bot', 3)],
    assistantIds: [demoId('assistant', 3)],
  },
  {
    id: demoId('apiKey', 5),
    name: 'Administrator',
    accountId: null,
    scopes: ['admin'],
    botIds: [],
    assistantIds: [],
    // Trying out each of the admin's operations takes more than 30 calls.
    limitGeneral: 300,
  },
];

/** The key that the documentation revokes as an example. It is given to no one. */
export const KEY_TO_REVOKE: DemoKey = {
  id: demoId('apiKey', 6),
  name: 'Former supplier',
  accountId: SHOP,
  scopes: ['leads'],
  botIds: [],
  assistantIds: [],
};

/** The key that the documentation gives a new secret as an example. It is given to no one. */
export const KEY_TO_ROTATE: DemoKey = {
  id: demoId('apiKey', 7),
  name: 'Supplier',
  accountId: SHOP,
  scopes: ['leads'],
  botIds: [],
  assistantIds: [],
};
