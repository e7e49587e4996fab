import type { DemoFile } from './demo-file';

/** The model that answers customers, without the part of its address that may be secret. */
export function modelInWords(name: string, baseUrl: string, sandboxModelUrl: string): string {
  if (baseUrl === sandboxModelUrl) return `${name}, the sandbox's own`;
  const { origin, pathname } = new URL(baseUrl);
  return `${name}, at ${origin}${pathname}`;
}

const inWords = ({ email, password }: DemoFile['operator']): string => `${email}, password: ${password}`;

/** What the demo's customers do by themselves. */
export const lifeInWords = (life: boolean): string =>
  life ? 'write now and then; DEMO_LIFE=0 npm start is quiet' : 'write when you do it for them';

/** A table of addresses, the model that answers, and one command that moves a card. */
export function demoBanner(demo: DemoFile, dataDir: string, model: string, life: boolean): string {
  const [key] = demo.api_keys;
  const [thread] = demo.threads;
  const agent = demo.assistants.find(({ id }) => id === thread?.assistant_id);
  const target = agent?.statuses.find(({ id, ai_enabled }) => ai_enabled && id !== thread?.status_id);
  const rows: [string, string][] = [
    ['Page of operators', demo.monitor_url],
    ['Sign in as operator', inWords(demo.operator)],
    ['Sign in as admin', inWords(demo.admin_user)],
    ['API', demo.base_url],
    ['Swagger UI', demo.docs_url],
    ["A customer's phone", `${demo.sandbox_url ?? ''}/handset`],
    ['Customers', lifeInWords(life)],
    ['Model', model],
    ['API key', key?.key ?? ''],
    ['Admin key', demo.admin_key],
    ['Database', demo.database_url],
    ['Everything else', `${dataDir}/demo.json`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const body = JSON.stringify({ thread_id: thread?.thread_id, status_id: target?.id });
  return [
    '',
    '  Leadline demo is ready',
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
    `  Move a lead to "${target?.name ?? ''}":`,
    '',
    `  curl -X POST ${demo.base_url}/api/v1/leads/set-status -H 'X-API-Key: ${key?.key ?? ''}' -H 'Content-Type: application/json' -d '${body}'`,
    '',
    "  Ctrl-C stops it; what you did stays for the next start, but for the chats on customers' phones.",
    '',
  ].join('\n');
}
