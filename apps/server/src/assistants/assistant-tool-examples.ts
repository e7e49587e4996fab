export const EXAMPLE_PARAMETERS = {
  type: 'object',
  properties: {
    machine: { type: 'string', description: 'Name of the machine, as the customer wrote it', maxLength: 100 },
    count: { type: 'integer', minimum: 1 },
  },
  required: ['machine'],
};

export const EXAMPLE_AUTO_FILL = { customer: 'phone' };

/** Bodies that work in the demo as they are. */
export const CREATE_TOOL_EXAMPLES = {
  'a question by GET': {
    value: {
      name: 'find_price',
      description: 'What a machine costs today, in tenge. Call it before you name a price.',
      method: 'GET',
      url: 'https://shop.example.com/prices',
      parameters: EXAMPLE_PARAMETERS,
    },
  },
  'a deed by POST, with a secret': {
    value: {
      name: 'book_visit',
      description: 'Books a visit to the showroom. Call it once the customer has named a day.',
      method: 'POST',
      url: 'https://shop.example.com/visits',
      parameters: {
        type: 'object',
        properties: { day: { type: 'string', description: 'Such as 2026-12-01' } },
        required: ['day'],
      },
      auto_fill: { phone: 'phone', name: 'customer_name', dialog: 'thread_id' },
      headers: { Authorization: 'Bearer 4f1c9be27d60a8352e9b7c14' },
      timeout_ms: 5_000,
    },
  },
};

export const CHANGE_TOOL_EXAMPLES = {
  'switched off': { value: { enabled: false } },
  'with another secret': { value: { headers: { Authorization: 'Bearer 0b7e02d84f6a35c0e2971fb6' } } },
};
