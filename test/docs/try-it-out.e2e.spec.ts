import { request, type RawRequest } from '../support/clients/api.client';
import { CHROMIUM_NEEDED, inChromium, openChromium } from '../support/clients/chromium.browser';
import { bodiesOf, formOf } from '../support/clients/openapi.samples';
import { DemoProcess, makeDataDir, removeDataDir } from '../support/programs/demo.process';

type Schema = Record<string, any>;

/** Sign-in and sessions, which no key may use: the client's walk over the catalog calls them. */
const isOfPeople = (path: string): boolean => path.startsWith('/api/v1/auth/');

/** Addresses that only the server can sign. */
const isSigned = (path: string): boolean => path.startsWith('/files/');

/** As a person who chooses the file, and leaves all else as the page fills it in. */
function filledForm(operation: Schema, document: Schema): FormData {
  const form = new FormData();
  for (const { name, file, text = '' } of formOf(operation, document))
    form.set(name, file ? new File([file.content], file.name, { type: file.type }) : text);
  return form;
}

/** Each request that the page offers, by the name of its body. */
function offersOf(operation: Schema, document: Schema): [name: string, request: RawRequest][] {
  if (operation.requestBody?.content['multipart/form-data'])
    return [['', { body: filledForm(operation, document) }]];
  const headers = { 'Content-Type': 'application/json' };
  return bodiesOf(operation, document).map(([name, body]) => [
    name,
    body === undefined ? {} : { headers, body: JSON.stringify(body) },
  ]);
}

// A demo, and all that its pages try, on a machine with other tests.
jest.setTimeout(120_000);

describe('"Try it out" in the demo', () => {
  let dataDir: string;
  let demo: DemoProcess;

  beforeAll(async () => {
    dataDir = makeDataDir();
    // More than a person tries in a minute.
    demo = await DemoProcess.start(dataDir, { RATE_LIMIT_GENERAL: '1000', RATE_LIMIT_LEADS: '1000' });
  });

  afterAll(async () => {
    await demo?.ended('SIGTERM');
    removeDataDir(dataDir);
  });

  // The first, because the others change passwords and what is there.
  inChromium(
    `calls by the key of the demo, and by a session once somebody signs in on the page (${CHROMIUM_NEEDED})`,
    async () => {
      const page = await (await openChromium())!.newPage();
      // Drawing all operations takes a slow machine half a minute.
      page.setDefaultTimeout(100_000);
      try {
        const { docs_url: url, operator } = demo.file();
        await page.goto(url);
        const tryOut = async (id: string, body?: object): Promise<number> => {
          const block = page.locator(`.opblock[id$="-${id}"]`);
          await block.locator('.opblock-summary-control').click();
          if (body) await block.locator('.body-param__text').fill(JSON.stringify(body));
          await block.getByRole('button', { name: 'Execute' }).click();
          const status = block.locator('.live-responses-table td.response-col_status:not(.col_header)');
          return Number((await status.innerText()).trim());
        };
        expect(await tryOut('signIn', operator)).toBe(200);
        expect(await tryOut('me')).toBe(200);
        expect(await tryOut('getLead')).toBe(200);
        expect(await tryOut('listAccounts')).toBe(200);
        expect(await tryOut('signOut')).toBe(200);
      } finally {
        await page.close();
      }
    },
    // Five operations that a loaded machine draws for half a minute each.
    240_000,
  );

  it('succeeds for every operation of a key with what the page fills in by itself', async () => {
    const { base_url, api_keys, admin_key } = demo.file();
    const keys: Record<string, string | undefined> = { ApiKey: api_keys[0]?.key, AdminKey: admin_key };
    const page = await request(`${base_url}/docs/start.js`);
    for (const key of Object.values(keys)) expect(page.text).toContain(JSON.stringify(key));
    const { body: document } = (await request(`${base_url}/openapi.json`)) as unknown as { body: Schema };
    const answers: Record<string, number> = {};
    for (const [path, operations] of Object.entries<Schema>(document.paths)) {
      for (const [method, operation] of Object.entries<Schema>(operations)) {
        const parameters = (operation.parameters ?? []) as Schema[];
        const filled = parameters
          .filter((parameter) => parameter.in === 'path')
          .reduce(
            (at, { name, example, schema }) => at.replace(`{${name}}`, example ?? schema.example),
            path,
          );
        if (isOfPeople(path) || isSigned(path)) continue;
        const [scheme] = Object.keys(operation.security?.[0] ?? {});
        for (const [name, offer] of offersOf(operation, document)) {
          const { status } = await request(base_url + filled, {
            ...offer,
            method: method.toUpperCase(),
            headers: { ...offer.headers, ...(scheme && { 'X-API-Key': keys[scheme] ?? '' }) },
          });
          answers[`${method} ${path} ${name}`.trim()] = status;
        }
      }
    }
    const failed = Object.entries(answers).filter(([, status]) => status >= 300);
    expect(failed).toEqual([]);
    expect(Object.keys(answers).length).toBeGreaterThan(10);
  });
});
