import { KEY, toldAt } from './lead-event-examples';

/** An example of each event about a message, or about no dialog, as the page about receiving events shows it. */
export const OTHER_EVENTS = {
  'message.received': toldAt(
    '2026-11-26T21:02:47.191Z',
    {
      ...{ event_id: 'c864e87f-b5fb-8a54-b858-cfc32e7479a4', seq: 47 },
      ...{ thread_id: 'thread_01930000-0000-7000-8005-00000000000b', version: 5, phone: '+77015551011' },
    },
    {
      message: {
        id: '01a219ab-017a-749a-af95-d91f90c6b03b',
        message_id: 'wamid.HBgLNzcwMTU1NTEwMTEVAgASGBJERkUyMzREQzkyOEY0QkY4N0YA',
        thread_id: 'thread_01930000-0000-7000-8005-00000000000b',
        role: 'USER',
        type: 'text',
        text: 'Сколько стоит доставка?',
        status: 'received',
        error: null,
        created_at: '2026-11-26T21:02:47.137Z',
        sent_at: '2026-11-26T21:02:47.000Z',
        ...{
          media: null,
          content: null,
          quoted: null,
          referral: null,
          pricing: null,
          author: null,
          edited_at: null,
          deleted_at: null,
        },
      },
    },
  ),
  'message.sent': toldAt(
    '2026-11-26T21:12:50.885Z',
    {
      ...{ event_id: 'f2cab182-09e8-8324-8920-feaba1a5404c', seq: 19 },
      ...{ thread_id: 'thread_01a219b4-3370-7c92-9b6a-420379a94b0c', version: 4, phone: '+77015558003' },
      actor: { type: 'agent', id: '01930000-0000-7000-8002-000000000001', name: 'Sales agent' },
    },
    {
      status: 'sent',
      message: {
        id: '01a219b4-37ae-77c9-af71-85a8dc433868',
        message_id: 'wamid.HBgLNzcwMTU1NTgwMDMVAgARGBI0N0E4QzIwMTJDMzVGMjhCNDAA',
        thread_id: 'thread_01a219b4-3370-7c92-9b6a-420379a94b0c',
        role: 'AI',
        type: 'text',
        text: 'Зову коллегу: он ответит вам здесь.',
        status: 'sent',
        error: null,
        created_at: '2026-11-26T21:12:50.865Z',
        sent_at: '2026-11-26T21:12:50.885Z',
        ...{
          media: null,
          content: null,
          quoted: null,
          referral: null,
          pricing: null,
          author: null,
          edited_at: null,
          deleted_at: null,
        },
      },
    },
  ),
  'message.status_changed': toldAt(
    '2026-11-26T21:02:47.234Z',
    {
      ...{ event_id: '68c28bf4-a44d-84ab-9b2b-a27060ad4c67', seq: 51 },
      ...{ thread_id: 'thread_01a219ab-019b-7a98-af18-8ad40fbd94b0', version: 3, phone: '+77005550007' },
      ...{ actor: KEY, request_id: '01a219ab-0192-718b-9f51-37dd5ec8b187' },
    },
    {
      status: 'failed',
      message: {
        id: '01a219ab-019b-7b41-9f2e-d1664a3b0c3d',
        message_id: null,
        thread_id: 'thread_01a219ab-019b-7a98-af18-8ad40fbd94b0',
        role: 'SYSTEM',
        type: 'template',
        text: 'Здравствуйте, Сауле! Ждём вас в 16:30.',
        status: 'failed',
        error: {
          code: 'PROVIDER_ERROR',
          message: 'A value of the request is not valid: Parameter value is not valid',
          provider_code: 131009,
        },
        created_at: '2026-11-26T21:02:47.197Z',
        sent_at: null,
        ...{
          media: null,
          content: null,
          quoted: null,
          referral: null,
          pricing: null,
          author: null,
          edited_at: null,
          deleted_at: null,
        },
      },
    },
  ),
  'message.transcribed': toldAt(
    '2026-11-26T21:02:51.306Z',
    {
      ...{ event_id: '6c1e0b7d-93a5-8f24-8a61-2d4f7c9b5e08', seq: 47 },
      ...{ thread_id: 'thread_01930000-0000-7000-8005-00000000000b', version: 5, phone: '+77015551011' },
    },
    {
      message: {
        id: '01a219ab-017a-749a-af95-d91f90c6b03c',
        message_id: 'wamid.HBgLNzcwMTU1NTEwMTEVAgASGBJERkUyMzREQzkyOEY0QkY4N0UA',
        thread_id: 'thread_01930000-0000-7000-8005-00000000000b',
        role: 'USER',
        type: 'audio',
        text: '',
        status: 'received',
        error: null,
        created_at: '2026-11-26T21:02:47.137Z',
        sent_at: '2026-11-26T21:02:47.000Z',
        media: {
          id: '01a219ab-017a-749a-af95-d91f90c6b03d',
          ...{ kind: 'voice', mime_type: 'audio/ogg', file_name: null, size: 18_204 },
          ...{ width: null, height: null, seconds: 7 },
          sha256: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
          state: 'stored',
          transcript: { state: 'ready', text: 'Сколько стоит доставка в Алматы?', language: 'ru' },
          url: '/api/v1/messages/media/01a219ab-017a-749a-af95-d91f90c6b03d',
        },
        ...{ content: null, quoted: null, referral: null },
        ...{ pricing: null, author: null, edited_at: null, deleted_at: null },
      },
    },
  ),
  'message.edited': toldAt(
    '2026-11-26T21:03:20.412Z',
    {
      ...{ event_id: '0f4d2f0a-6a43-8c57-9d0e-7b8f5a3c1d22', seq: 48 },
      ...{ thread_id: 'thread_01930000-0000-7000-8005-00000000000b', version: 6, phone: '+77015551011' },
    },
    {
      message: {
        id: '01a219ab-017a-749a-af95-d91f90c6b03b',
        message_id: 'wamid.HBgLNzcwMTU1NTEwMTEVAgASGBJERkUyMzREQzkyOEY0QkY4N0YA',
        thread_id: 'thread_01930000-0000-7000-8005-00000000000b',
        role: 'USER',
        type: 'text',
        text: 'Сколько стоит доставка в Алматы?',
        status: 'received',
        error: null,
        created_at: '2026-11-26T21:02:47.137Z',
        sent_at: '2026-11-26T21:02:47.000Z',
        ...{ media: null, content: null, quoted: null, referral: null },
        ...{ pricing: null, author: null, edited_at: '2026-11-26T21:03:20.000Z', deleted_at: null },
      },
    },
  ),
  'message.deleted': toldAt(
    '2026-11-26T21:04:05.870Z',
    {
      ...{ event_id: '5b7a1c3e-2d94-8e16-8f4b-9c6d0e2a4f31', seq: 49 },
      ...{ thread_id: 'thread_01930000-0000-7000-8005-00000000000b', version: 7, phone: '+77015551011' },
    },
    {
      message: {
        id: '01a219ab-017a-749a-af95-d91f90c6b03b',
        message_id: 'wamid.HBgLNzcwMTU1NTEwMTEVAgASGBJERkUyMzREQzkyOEY0QkY4N0YA',
        thread_id: 'thread_01930000-0000-7000-8005-00000000000b',
        role: 'USER',
        type: 'text',
        text: '',
        status: 'received',
        error: null,
        created_at: '2026-11-26T21:02:47.137Z',
        sent_at: '2026-11-26T21:02:47.000Z',
        ...{ media: null, content: null, quoted: null, referral: null },
        ...{
          pricing: null,
          author: null,
          edited_at: '2026-11-26T21:03:20.000Z',
          deleted_at: '2026-11-26T21:04:05.000Z',
        },
      },
    },
  ),
  'batch.finished': toldAt(
    '2026-11-26T21:02:47.257Z',
    { event_id: 'cc90c898-44e7-853d-975f-d852a7b2b20b', seq: 53 },
    {
      ...{ batch_id: '01a219ab-019b-72fd-b438-efb3d3da83e8', total: 2, sent: 1, failed: 1, queued: 0 },
      unknown: 0,
    },
  ),
  'scenario.finished': toldAt(
    '2026-11-26T21:12:50.173Z',
    {
      ...{ event_id: '1b611fb9-e119-8713-960c-5373ac0552e8', seq: 14 },
      ...{ thread_id: 'thread_01930000-0000-7000-8005-000000000018', version: 7, phone: '+77015551024' },
      actor: {
        type: 'scenario',
        id: '01a219b4-33be-7e97-ae40-2a4900f95d29',
        name: 'Позвать человека',
        run_id: '01a219b4-3476-7d45-9d94-7733766ac744',
      },
      cause: {
        type: 'scenario',
        id: '01a219b4-33be-7e97-ae40-2a4900f95d29',
        name: 'Позвать человека',
        run_id: '01a219b4-3476-7d45-9d94-7733766ac744',
      },
    },
    {
      run_id: '01a219b4-3476-7d45-9d94-7733766ac744',
      ...{ scenario_id: '01a219b4-33be-7e97-ae40-2a4900f95d29', state: 'done', reason: null },
    },
  ),
  'import.finished': toldAt(
    '2026-11-26T21:02:47.363Z',
    {
      ...{ event_id: '5d037c8f-6b27-8d96-9b8c-dfa4b6b2648d', seq: 61 },
      ...{ actor: KEY, request_id: '01a219ab-01ec-7129-af77-ed79ddca4033' },
    },
    {
      ...{ import_id: '01a219ab-020c-7d5b-ba04-a26c9b61d3f0', state: 'done', rows: 2, created: 1 },
      ...{ moved: 0, unchanged: 0, faults: 1 },
    },
  ),
  'template.status_changed': toldAt(
    '2026-11-26T21:02:47.456Z',
    { event_id: '4af99374-89da-8a95-adac-061a39fd2b87', seq: 65 },
    {
      ...{ id: '01930000-0000-7000-800a-000000000005', template_id: 'winter_sale', name: 'winter_sale' },
      ...{ language: 'ru', from: 'pending', to: 'rejected', reason: 'TAG_CONTENT_MISMATCH' },
    },
  ),
  'bot.trouble': toldAt(
    '2026-11-26T21:02:52.601Z',
    { event_id: '69178c61-5003-8b0f-bdda-833e881388aa', seq: 85, channel: 'WABA' },
    {
      ...{ code: 'BILLING_ERROR', message: 'The Gupshup wallet is empty: top it up, then send again.' },
      resolved: false,
    },
  ),
  'quota.low': toldAt(
    '2026-11-26T21:12:52.681Z',
    {
      ...{ event_id: 'e94b633a-618a-8d96-aabd-232cc001ca6c', seq: 27, assistant_id: null, bot_id: null },
      channel: null,
    },
    { month: '2026-11', limit: 20000, used: 16000, percent: 80 },
  ),
  'webhook.disabled': toldAt(
    '2026-11-26T21:02:47.651Z',
    {
      ...{ event_id: 'a19da12f-c4c3-86bf-8fab-e911631b52a9', seq: 68, assistant_id: null, bot_id: null },
      channel: null,
    },
    { reason: 'gone', endpoint_id: '01a219ab-0268-7ae2-8f51-6302fa4a5765' },
  ),
  'webhook.test': toldAt(
    '2026-11-26T21:02:47.012Z',
    {
      ...{ event_id: '01a219ab-00e4-7737-ab51-57404428203f', seq: null, assistant_id: null, bot_id: null },
      channel: null,
    },
    { endpoint_id: '01a219ab-006e-7a84-8095-752f2a97bd4b' },
  ),
};
