import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request, type Answer } from '../support/clients/api.client';
import { CHROMIUM_NEEDED, inChromium, openChromium } from '../support/clients/chromium.browser';
import { byCommandLine } from '../support/clients/command-line.caller';
import { operationsOf } from '../support/clients/openapi.operations';
import { bodiesOf, formOf, parameterOf } from '../support/clients/openapi.samples';
import { walkOperations } from '../support/clients/operation.walk';
import { CATALOG } from '../support/operations.catalog';
import { CommandLineProcess } from '../support/programs/command-line.process';
import type { DemoProcess } from '../support/programs/demo.process';

type Schema = Record<string, any>;

const documentOf = async (url: string): Promise<Schema> => (await request(`${url}/openapi.json`)).body;

/** As a person who chooses the file, and leaves all else as the page fills it in. */
function filledForm(operation: Schema, document: Schema): FormData {
  const form = new FormData();
  for (const { name, file, text = '' } of formOf(operation, document))
    form.set(name, file ? new File([file.content], file.name, { type: file.type }) : text);
  return form;
}

/** What the page /docs offers of an operation besides its first body: further ones by name, and whole forms. */
function furtherOf(operation: Schema, document: Schema): [name: string, body: string | FormData][] {
  if (operation.requestBody?.content['multipart/form-data'])
    return [['form', filledForm(operation, document)]];
  return bodiesOf(operation, document)
    .slice(1)
    .map(([name, body]) => [name, JSON.stringify(body)]);
}

/**
 * What is true of every operation of a demo's document. To be called last: the calls take away what others need.
 * @param demo is there when its tests begin
 */
export function describeOperations(demo: () => DemoProcess): void {
  describe('"Try it out" on the page /docs', () => {
    inChromium(
      `calls by the key of the demo, and by a session once somebody signs in on the page (${CHROMIUM_NEEDED})`,
      async () => {
        const page = await (await openChromium())!.newPage();
        // Drawing all operations takes a slow machine half a minute.
        page.setDefaultTimeout(100_000);
        try {
          const { docs_url: url, operator } = demo().file();
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

    it('succeeds for each further body that it offers, with the keys that it fills in', async () => {
      const { base_url, api_keys, admin_key } = demo().file();
      const keys: Record<string, string> = { ApiKey: api_keys[0]?.key ?? '', AdminKey: admin_key };
      const { text: script } = await request(`${base_url}/docs/start.js`);
      for (const key of Object.values(keys)) expect(script).toContain(JSON.stringify(key));
      const document = await documentOf(base_url);
      const call = ([path, method, operation]: [string, string, Schema], body: string | FormData) => {
        const [scheme = ''] = Object.keys(operation.security?.[0] ?? {});
        const filled = ((operation.parameters ?? []) as Schema[])
          .filter((parameter) => parameter.in === 'path')
          .reduce((at, parameter) => at.replace(`{${parameter.name}}`, parameterOf(parameter)), path);
        return request(base_url + filled, {
          method: method.toUpperCase(),
          headers: {
            ...(scheme in keys && { 'X-API-Key': keys[scheme] }),
            ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
          },
          body,
        });
      };
      const answers: [where: string, Answer][] = [];
      for (const [path, methods] of Object.entries<Schema>(document.paths))
        for (const [method, operation] of Object.entries<Schema>(methods)) {
          // Which no key may use.
          if (path.startsWith('/api/v1/auth/')) continue;
          for (const [name, body] of furtherOf(operation, document))
            answers.push([`${method} ${path} ${name}`, await call([path, method, operation], body)]);
        }
      const failed = answers.filter(([, { status }]) => status >= 300);
      expect(failed.map(([where, { text }]) => `${where}: ${text}`)).toEqual([]);
      expect(answers.length).toBeGreaterThan(10);
    });
  });

  describe('leadline call', () => {
    let commandLine: CommandLineProcess;
    let folder: string;

    beforeAll(() => {
      commandLine = new CommandLineProcess();
      folder = mkdtempSync(join(tmpdir(), 'leadline-operations-'));
    });

    afterAll(() => {
      commandLine?.end();
      rmSync(folder, { recursive: true, force: true });
    });

    it('does each operation of the document, with the example that its page fills in, and is answered as the catalog has it', async () => {
      const file = demo().file();
      const documented = operationsOf(await documentOf(file.base_url)).map(
        ({ method, path }) => `${method} ${path}`,
      );
      const done: string[] = [];
      const act = byCommandLine(commandLine, file, file.api_keys[0]?.key ?? '', folder);
      const wrong = await walkOperations(file, (name, ...call) => {
        done.push(name);
        return act(name, ...call);
      });
      expect(wrong).toEqual({});
      expect(done.sort()).toEqual(documented.toSorted());
      expect(Object.keys(CATALOG).sort()).toEqual(documented.toSorted());
    });
  });
}
