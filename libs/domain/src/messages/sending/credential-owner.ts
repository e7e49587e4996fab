import type { Channel } from '@app/contracts/message.words';

/** The owner of a number's sealed credential: it cannot be opened for another bot or channel. */
export const boundTo = (accountId: string, botId: string, channel: Channel): string =>
  `${accountId}/${botId}/${channel}`;

/** The same of the app secret beside it: neither opens in the place of the other. */
export const appSecretBoundTo = (accountId: string, botId: string, channel: Channel): string =>
  `${boundTo(accountId, botId, channel)}/app_secret`;
