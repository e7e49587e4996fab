/** Whose number, and which customer, as expressions. */
export interface AddressColumns {
  account: string;
  bot: string;
  channel: string;
  contact: string;
  userId: string;
}

/** The id of an address's thread as an expression: found by the contact, else by the user id; null where there is none. */
export const threadIdOf = ({ account, bot, channel, contact, userId }: AddressColumns): string => {
  const found = (condition: string): string =>
    `(SELECT k.id FROM threads k WHERE k.account_id = ${account} AND k.bot_id = ${bot} AND k.channel = ${channel} AND ${condition})`;
  return `coalesce(${found(`k.contact = ${contact}`)}, ${found(`k.user_id = ${userId}`)})`;
};
