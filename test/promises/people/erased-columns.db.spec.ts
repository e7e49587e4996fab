import { AccountFixture } from '../../support/database/fixture';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';

/** Columns that may hold what tells of a customer. Erasing empties them: erasing.e2e.spec shows it. */
const EMPTIED: Record<string, readonly string[]> = {
  threads: [
    ...[
      'contact',
      'phone',
      'customer_name',
      'name_override',
      'user_id',
      'wa_id',
      'last_message_text',
      'last_message_lines',
    ],
    ...['attention', 'attention_note', 'former_addresses', 'username'],
  ],
  thread_addresses: ['address'],
  messages: [
    ...['text', 'content', 'recipient', 'provider_id', 'whatsapp_id', 'error_message', 'provider_response'],
  ],
  media: [
    ...['sha256', 'mime_type', 'file_name', 'provider_ref', 'error'],
    ...['transcript_state', 'transcript_text', 'transcript_language'],
  ],
  media_files: ['sha256'],
  import_chunks: ['rows'],
  events: ['body'],
  scenario_runs: ['progress', 'cause'],
  idempotency_keys: ['key', 'answer'],
  thread_search: ['customer_words', 'words'],
  parked_states: ['provider_id', 'body'],
  webhook_deliveries: ['body'],
  webhook_rejects: ['item', 'reason'],
  audit_entries: ['subject_name', 'before', 'after', 'request_id'],
};

const WORDS = 'words of ours: a state, a kind, a reason of a list';
const SETTING = 'what the account has set up';
const TRACE = 'random ids of ours, for a tracing system that gets nothing of a customer';
const STAFF = 'of people and keys of the account, not of customers';

/** Columns that tell of no customer, with the reason. */
const OTHERS: Record<string, Record<string, string>> = {
  accounts: {
    ...{ name: SETTING, default_country: SETTING, timezone: SETTING, takeover_end: SETTING },
    ...{ opening_hours: SETTING, opt_out_words: SETTING, opt_in_words: SETTING },
  },
  api_keys: { name: STAFF, prefix: STAFF, key_hash: STAFF, scopes: STAFF, old_key_hash: STAFF },
  assistant_tools: {
    ...{ name: SETTING, description: SETTING, method: SETTING, url: SETTING, parameters: SETTING },
    ...{ auto_fill: SETTING, header_names: SETTING, headers_key_id: SETTING, headers: SETTING },
  },
  assistants: {
    name: SETTING,
    instructions: SETTING,
    model: SETTING,
    barred_kinds: SETTING,
    ...{ handover_text: SETTING, model_options: SETTING },
  },
  audit_entries: {
    ...{
      actor_type: STAFF,
      actor_id: STAFF,
      actor_name: STAFF,
      ip: STAFF,
      action: WORDS,
      subject_type: WORDS,
    },
    ...{ subject_id: 'ids of ours' },
  },
  batches: { channel: WORDS },
  bot_channels: {
    ...{
      channel: WORDS,
      sender: 'our own number',
      phone: 'our own number',
      settings: SETTING,
      credential_key_id: SETTING,
      credential: SETTING,
      app_secret_key_id: SETTING,
      app_secret: SETTING,
    },
    stopped_reason: WORDS,
    trouble_code: WORDS,
  },
  bots: { name: SETTING },
  endpoint_deliveries: {
    ...{ type: WORDS, state: WORDS },
    attempts: 'times, statuses and words of ours: what is sent is read from the log each time',
  },
  events: { type: WORDS },
  figure_messages: {
    ...{
      channel: WORDS,
      role: WORDS,
      status: WORDS,
      error_code: WORDS,
      template: SETTING,
      language: SETTING,
    },
  },
  figure_ranges: { kind: WORDS, counted: 'figures: numbers alone' },
  idempotency_keys: { operation: WORDS, fingerprint: 'a hash of a whole call, gone after 25 hours' },
  import_chunks: { faults: WORDS },
  imports: {
    ...{ channel: WORDS, set_by: WORDS, state: WORDS, failure: WORDS, actor: STAFF },
    request_id: 'the name of a call for a whole file, gone 30 days after its end',
    ignored_columns: 'the header of a whole file, gone 30 days after its end',
  },
  invitations: { token_hash: STAFF },
  kept_opt_outs: { mark: 'a hash by a key that is not in the database' },
  media: { kind: WORDS, state: WORDS, channel: WORDS },
  messages: {
    role: WORDS,
    channel: WORDS,
    type: WORDS,
    status: WORDS,
    error_code: WORDS,
    trace: TRACE,
    pricing: WORDS,
  },
  migrations: { name: 'of the schema' },
  parked_states: { channel: WORDS, state: WORDS },
  rate_buckets: { scope: WORDS },
  rate_counters: { scope: WORDS },
  rate_windows: { scope: WORDS },
  recovery_codes: { code_hash: STAFF },
  replies: { state: WORDS, failure: WORDS, trace: TRACE },
  scenario_revisions: { steps: SETTING },
  scenario_runs: { state: WORDS, reason: WORDS, retried_by: STAFF },
  scenario_secrets: { key_id: SETTING, sealed: SETTING },
  scenarios: {
    ...{ name: SETTING, state: WORDS, on_leave: WORDS, on_reply: WORDS, on_takeover: WORDS, reentry: WORDS },
    ...{ send_hours: SETTING, stopped_by: STAFF },
  },
  sending_holds: { reason: WORDS },
  sign_in_tries: { subject: STAFF },
  statuses: {
    ...{
      name: SETTING,
      name_folded: SETTING,
      kind: WORDS,
      description: SETTING,
      on_enter: WORDS,
      archived_by: STAFF,
    },
  },
  templates: {
    ...{
      channel: WORDS,
      template_id: SETTING,
      name: SETTING,
      language: SETTING,
      category: SETTING,
      status: WORDS,
    },
    ...{ provider_id: SETTING, parameter_format: WORDS, header: SETTING, body: SETTING, footer: SETTING },
    ...{ buttons: SETTING, examples: SETTING, param_names: SETTING, reason: SETTING, quality: WORDS },
  },
  thread_addresses: { channel: WORDS },
  threads: { channel: WORDS, status_set_by: WORDS, last_message_role: WORDS },
  user_sessions: { token_hash: STAFF, network: STAFF, ip: STAFF, user_agent: STAFF },
  users: {
    ...{ email: STAFF, email_key: STAFF, name: STAFF, role: STAFF, locale: STAFF, password_hash: STAFF },
    ...{ second_factor_key_id: STAFF, second_factor_secret: STAFF },
  },
  webhook_deliveries: {
    ...{
      provider: WORDS,
      claim_group: 'our own number',
      signed_for: 'our own numbers',
      state: WORDS,
      trace: TRACE,
    },
  },
  webhook_endpoints: {
    ...{ url: SETTING, events: SETTING, description: SETTING, disabled_reason: WORDS },
    ...{ key_id: SETTING, secret: SETTING, former_key_id: SETTING, former_secret: SETTING },
  },
  webhook_marks: { mark: 'a hash of a report, gone after 14 days' },
  webhook_rejects: { provider: WORDS, path: 'a place in a body', signed_for: 'our own numbers' },
};

/** Of these types nothing tells of a customer, for ids are made by us. */
const PLAIN = [
  'uuid',
  'timestamptz',
  'int2',
  'int4',
  'int8',
  'bool',
  'date',
  'float8',
  '_uuid',
  '_timestamptz',
  '_int4',
  '_int8',
];

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(() => database?.drop());

it('every column that can hold a text is emptied when a customer is erased, or tells of none', async () => {
  const { rows } = await database.pool.query<{ column: string }>(
    `SELECT table_name || '.' || column_name AS column FROM information_schema.columns
      WHERE table_schema = 'public' AND NOT udt_name = ANY ($1)`,
    [PLAIN],
  );
  const listed = [
    ...Object.entries(EMPTIED).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`)),
    ...Object.entries(OTHERS).flatMap(([table, columns]) =>
      Object.keys(columns).map((column) => `${table}.${column}`),
    ),
  ];
  expect(listed.toSorted()).toEqual(rows.map(({ column }) => column).toSorted());
});

it('a file that a process of the version before transcripts has erased has none left', async () => {
  const { pool } = database;
  const account = await AccountFixture.create(pool);
  await pool.query(
    `INSERT INTO media (account_id, id, kind, state, sha256, size, mime_type, transcript_state, transcript_text, transcript_language)
     SELECT $1, gen_random_uuid(), 'voice', 'stored', 'hash', 1, 'audio/ogg', 'ready', 'My address is', 'en'`,
    [account.id],
  );
  const { rows } = await pool.query(
    `UPDATE media SET state = 'gone', sha256 = NULL, size = NULL, mime_type = NULL WHERE account_id = $1
     RETURNING transcript_state, transcript_text, transcript_language`,
    [account.id],
  );
  expect(rows).toEqual([{ transcript_state: null, transcript_text: null, transcript_language: null }]);
});
