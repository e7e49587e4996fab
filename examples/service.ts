// Whom the examples call: the service at LEADLINE_URL, by the key in LEADLINE_API_KEY.
import { createLeadlineClient } from '@leadline/client';

const { LEADLINE_URL, LEADLINE_API_KEY } = process.env;
if (!LEADLINE_URL || !LEADLINE_API_KEY) {
  console.error('Set LEADLINE_URL and LEADLINE_API_KEY');
  process.exit(2);
}

export const leadline = createLeadlineClient({ baseUrl: LEADLINE_URL, apiKey: LEADLINE_API_KEY });
