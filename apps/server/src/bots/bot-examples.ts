/** A body that works in the demo as it is, for the channel of the path's example. */
export const CONNECT_CHANNEL_EXAMPLE = {
  sender: '77015550177',
  credential: 'sk_0123456789abcdef0123456789abcdef',
  settings: { app_id: 'a1a1a1a1-0000-4000-8000-000000000001', app_name: 'HarbourService' },
};

/** Each changes one field: filled in as a whole, the body would also give the bot another agent. */
export const CHANGE_BOT_EXAMPLES = {
  'another name': { value: { name: 'Harbour Coffee sales' } },
};
