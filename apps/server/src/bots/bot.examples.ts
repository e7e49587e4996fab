/** Bodies that work unedited in the demo, for the channel that the path's example names. */
export const CONNECT_CHANNEL_EXAMPLES = {
  'waba, by Gupshup': {
    value: {
      sender: '77015550177',
      credential: 'sk_0123456789abcdef0123456789abcdef',
      settings: { app_id: 'a1a1a1a1-0000-4000-8000-000000000001', app_name: 'HarbourService' },
    },
  },
  'waba_coexistence, by the Cloud API': {
    value: {
      sender: '106540352242977',
      credential: 'EAAG-the-access-token',
      settings: { waba_id: '102290129340398' },
      messages_per_second: 20,
    },
  },
};
