import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { BrowserPages } from '../clients/browser.pages';
import { openChromium } from '../clients/chromium.browser';
import { joinBy, PASSWORD, type SessionClient } from '../clients/session.client';
import { extend, makeScene, type SceneOptions } from './base.scene';
import { sceneOf } from './scene.opening';

/** Who signs in on the page. */
export interface MonitorPerson {
  email: string;
  name: string;
  session: SessionClient;
}

interface GivenPerson {
  name?: string;
  role?: 'operator' | 'admin';
  assistant_ids?: string[] | null;
}

const DEADLINE_MS = 20_000;

/** Chromium says so itself of an answer that the page expects and shows. */
const REFUSED_CALL = /^Failed to load resource: the server responded with a status of \d+/;
/** Whether somebody is signed in can only be asked, and Chromium reports the answer that nobody is. */
const ASKS_WHO = '/api/v1/auth/me';
/** While there is no server. */
const NO_CONNECTION = /net::ERR_|WebSocket connection to .* failed/;

export interface Expected {
  /** The test has the server refuse a call. */
  refusals?: boolean;
  /** The test takes the server or the network away. */
  outages?: boolean;
}

/** One browser window, and all that went wrong in it. */
class MonitorWindow {
  private readonly complaints: string[] = [];

  constructor(
    readonly page: Page,
    private readonly url: string,
  ) {
    page.setDefaultTimeout(DEADLINE_MS);
    page.on('console', (message) => {
      const [text, { url: of }] = [message.text(), message.location()];
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      if (REFUSED_CALL.test(text) && text.includes('401') && of === this.url + ASKS_WHO) return;
      this.complaints.push(`${message.type()}: ${text}`);
    });
    page.on('pageerror', (error) => this.complaints.push(`thrown: ${error.stack ?? error.message}`));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^https?:$/.test(protocol) && origin !== this.url)
        this.complaints.push(`another origin: ${request.url()}`);
    });
  }

  /** No error or warning in the console, nothing thrown, no refusal of the policy, no request to another origin. */
  expectQuiet({ refusals = false, outages = false }: Expected = {}): void {
    const unexpected = this.complaints.filter((complaint) => {
      const words = complaint.replace(/^\w+: /, '');
      return !(refusals && REFUSED_CALL.test(words)) && !(outages && NO_CONNECTION.test(words));
    });
    expect(unexpected).toEqual([]);
  }
}

/** A server with the built page, and a browser, whose windows are closed after each test. */
export function makeMonitorScene(options?: SceneOptions) {
  let pages: BrowserPages | null = null;
  const windows = new Map<Page, MonitorWindow>();

  const scene = extend(makeScene(options), {
    /** A person with a password, who may sign in. */
    async person({
      name = 'Айгерим',
      role = 'operator',
      ...further
    }: GivenPerson = {}): Promise<MonitorPerson> {
      const invited = await scene.invite({ name, role, ...further });
      return { email: invited.email, name, session: await joinBy(scene.server.url, invited) };
    },

    /** A browser of its own, with nothing kept in it. @param origin of the pages that it will show */
    async open(options: BrowserContextOptions = {}, origin: string = scene.server.url): Promise<Page> {
      if (!pages) throw new Error('no Chromium');
      const given = { viewport: { width: 1440, height: 900 }, locale: 'en-GB', ...options };
      return watched(await pages.open(given), origin);
    },

    /** A further window of the same browser, with the same session. */
    async openBeside(page: Page): Promise<Page> {
      return watched(await page.context().newPage());
    },

    /** A browser in which a person is signed in. @param path where it goes after that */
    async openAs(person: MonitorPerson, path: string, options: BrowserContextOptions = {}): Promise<Page> {
      const page = await scene.open(options);
      await letIn(page, person);
      await scene.go(page, path);
      return page;
    },

    /** As {@link openAs}, on a machine whose clock goes wrong. @param hours by which it is ahead */
    async openAhead(person: MonitorPerson, path: string, hours: number): Promise<Page> {
      const page = await scene.open();
      pages?.spoil(page);
      await letIn(page, person);
      await page.addInitScript(`{
      const Real = Date;
      Date = class extends Real {
        constructor(...given) { given.length ? super(...given) : super(Date.now()); }
        static now() { return Real.now() + ${hours} * 3_600_000; }
      };
    }`);
      await scene.go(page, path);
      return page;
    },

    /** The debugger of a window, which is used for nothing else after the test. */
    async debug(page: Page): Promise<CDPSession> {
      pages?.spoil(page);
      return page.context().newCDPSession(page);
    },

    /** By the form, as people do. */
    async signIn(page: Page, person: MonitorPerson, path = '/'): Promise<void> {
      await scene.go(page, path);
      await scene.fillIn(page, person);
      await page.waitForURL((address) => address.pathname !== '/sign-in');
    },

    /** The form of sign-in, wherever it stands. */
    async fillIn(page: Page, { email }: MonitorPerson): Promise<void> {
      // Over a session that has ended the person is known.
      const address = page.locator('input[type=email]');
      if (await address.isEditable()) await address.fill(email);
      await page.locator('input[type=password]').fill(PASSWORD);
      await page.keyboard.press('Enter');
    },

    /** By the menu of the account. */
    async signOut(page: Page): Promise<void> {
      await page.getByRole('button', { name: /your account/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.waitForURL(/\/sign-in/);
      await page.getByLabel('E-mail').waitFor();
    },

    /** A lead with a name, by default in the first stage. @returns the id of its dialog */
    async addLead(name: string, statusId: string | null = scene.stage(0)): Promise<string> {
      const threadId = await scene.account.addThread({ statusId });
      await scene.kept.setFacts(threadId, `customer_name = '${name}'`);
      return threadId;
    },

    async go(page: Page, path: string): Promise<void> {
      await page.goto(scene.server.url + path);
    },

    /** Of all tests before. */
    async forgetDialogs(): Promise<void> {
      await scene.database.pool.query('DELETE FROM messages');
      await scene.database.pool.query('DELETE FROM thread_addresses');
      await scene.database.pool.query('DELETE FROM threads');
    },

    get boardPath(): string {
      return `/board/${scene.account.assistantId}`;
    },

    /** See {@link MonitorWindow.expectQuiet}. */
    expectQuiet(page: Page, expected?: Expected): void {
      windows.get(page)?.expectQuiet(expected);
    },

    /** Of every window that is open. */
    expectAllQuiet(expected?: Expected): void {
      for (const window of windows.values()) window.expectQuiet(expected);
    },

    /** A window that its test needs no more. */
    async closeWindow(page: Page): Promise<void> {
      await pages?.takeBack(page);
      windows.delete(page);
    },

    async closeWindows(): Promise<void> {
      await pages?.takeBack();
      windows.clear();
    },
  });

  async function letIn(page: Page, { session }: MonitorPerson): Promise<void> {
    const [name = '', value = ''] = session.cookie.split(/=(.*)/s);
    await page.context().addCookies([{ name, value, url: scene.server.url }]);
  }

  function watched(page: Page, origin = scene.server.url): Page {
    windows.set(page, new MonitorWindow(page, origin));
    return page;
  }

  scene.whenStarted(async () => {
    const browser = await openChromium();
    if (!browser) return;
    pages = new BrowserPages(browser, scene.server.url);
    scene.whenClosed(() => Promise.all(browser.contexts().map((context) => context.close())));
  });
  scene.afterEachTest(() => scene.closeWindows());
  return scene;
}

export const { set: setMonitorScene } = sceneOf(makeMonitorScene);
