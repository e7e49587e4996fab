/** Parsed JSON. */
type Json = null | boolean | number | string | Json[] | { [field: string]: Json };

const ELIDED = '…';
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Identifiers of the demo are the same everywhere. All others are new in each run. */
const DEMO_ID = /^01930000-0000-7000-/;
const NUMBERS_OF_THE_RUN = ['seq', 'version', 'quota_used', 'media_used_bytes'];
/** A message's id at Meta. */
const PROVIDER_ID = /^wamid\./;
const THREAD_PREFIX = 'thread_';
/** Addresses for Gupshup name a bot, and hold a secret of the demo. */
const GUPSHUP_ADDRESS = /\/webhooks\/gupshup\/[0-9a-f-]{36}\?token=\w+$/;

/** Where the demo of this run listens. */
const OWN_ADDRESS = /^http:\/\/localhost:\d+/;
/** E-mail addresses that a page makes new for each reader, by the clock. */
const NEW_ADDRESS = /-\d{10}@example\.com$/;

/** The secret part of a link that invites. */
const INVITATION = /\/invitation#[\w-]{43}$/;

/** Replaces what differs from run to run by a word: times, new ids, keys, cursors, numbers that grow, ports. */
export function steady(value: Json, field = ''): Json {
  if (Array.isArray(value)) return value.map((item) => steady(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, steady(inner, name)]));
  }
  if (typeof value === 'number' && NUMBERS_OF_THE_RUN.includes(field)) return '(number)';
  if (typeof value !== 'string') return value;
  if (TIME.test(value)) return '(time)';
  if (field === 'next_cursor') return '(cursor)';
  if (field === 'csrf_token') return '(token)';
  if (value.startsWith('ll_')) return '(key)';
  if (value.startsWith('whsec_')) return '(secret)';
  if (NEW_ADDRESS.test(value)) return value.replace(NEW_ADDRESS, '-(time)@example.com');
  if (PROVIDER_ID.test(value)) return "(provider's id)";
  const uuid = value.startsWith(THREAD_PREFIX) ? value.slice(THREAD_PREFIX.length) : value;
  if (UUID.test(uuid) && !DEMO_ID.test(uuid)) return value.replace(uuid, '(id)');
  if (OWN_ADDRESS.test(value)) {
    return value
      .replace(OWN_ADDRESS, '(address)')
      .replace(INVITATION, '/invitation#(token)')
      .replace(GUPSHUP_ADDRESS, '/webhooks/gupshup/(bot and token)');
  }
  return value;
}

/** Cuts an answer down to what a page shows of it: "…" ends a list, or means further fields. */
export function cutTo(shown: Json, answer: Json): { shown: Json; answer: Json } {
  if (Array.isArray(shown) && Array.isArray(answer)) {
    const isCut = shown.at(-1) === ELIDED;
    const kept = isCut ? shown.slice(0, -1) : shown;
    const given = isCut ? answer.slice(0, kept.length) : answer;
    const pairs = given.map((item, index) => cutTo(kept[index] ?? null, item));
    return {
      shown: kept.map((item, index) => pairs[index]?.shown ?? item),
      answer: pairs.map((pair) => pair.answer),
    };
  }
  if (isObject(shown) && isObject(answer)) {
    const { [ELIDED]: cut, ...kept } = shown;
    const fields = Object.keys(answer).filter((name) => cut === undefined || name in kept);
    const pairs = fields.map((name) => [name, cutTo(kept[name] ?? null, answer[name] ?? null)] as const);
    return {
      shown: {
        ...kept,
        ...Object.fromEntries(pairs.filter(([name]) => name in kept).map(([n, p]) => [n, p.shown])),
      },
      answer: Object.fromEntries(pairs.map(([name, pair]) => [name, pair.answer])),
    };
  }
  return { shown, answer };
}

const isObject = (value: Json): value is { [field: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
