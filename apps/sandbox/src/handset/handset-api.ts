import type { ChatBook } from '../chats/chat-book';
import type { StateReporter } from '../exchange/state-reporter';
import { type Call, type CallRouter, type Handler, refuseForeignPages } from '../http/call-router';
import { answerJson, objectOf } from '../http/json.answer';
import type { SandboxNumber } from '../sandbox-options';
import { asAct, type ChatAddress, type CustomerPhone } from './customer-phone';
import { guarded } from './customer-file';
import { type HandsetFeed, chatLine, shownMessage } from './handset-feed';

const CHATS_MAX = 1000;

/** The requests of the handset's page. Tests use them too, to play customers. */
export class HandsetApi {
  constructor(
    private readonly numbers: readonly SandboxNumber[],
    private readonly book: ChatBook,
    private readonly customer: CustomerPhone,
    private readonly feed: HandsetFeed,
    private readonly reporter: StateReporter,
  ) {}

  addTo(router: CallRouter): void {
    router
      .on(
        'GET',
        /^\/handset\/api\/numbers$/,
        guarded((call) => this.listNumbers(call)),
      )
      .on(
        'GET',
        /^\/handset\/api\/chats$/,
        guarded((call) => this.listChats(call)),
      )
      .on(
        'GET',
        /^\/handset\/api\/chat$/,
        guarded((call) => this.readChat(call)),
      )
      .on(
        'GET',
        /^\/handset\/events$/,
        guarded((call) => this.listen(call)),
      )
      .on(
        'POST',
        /^\/handset\/api\/messages$/,
        changing((body) => this.customer.write(asAct(body))),
      )
      .on(
        'POST',
        /^\/handset\/api\/echoes$/,
        changing((body) => this.customer.echo(asAct(body))),
      )
      .on(
        'POST',
        /^\/handset\/api\/calls$/,
        changing((body) => this.customer.call(asAct(body))),
      )
      .on(
        'POST',
        /^\/handset\/api\/handovers$/,
        changing((body) => this.customer.handOver(asAct(body))),
      )
      .on(
        'POST',
        /^\/handset\/api\/standby-echoes$/,
        changing((body) => this.customer.writeElsewhere(asAct(body))),
      )
      .on(
        'POST',
        /^\/handset\/api\/preferences$/,
        changing((body) => this.customer.prefer(asAct(body))),
      )
      .on(
        'POST',
        /^\/handset\/api\/read$/,
        changing((body) => this.read(asAct(body))),
      );
  }

  private listNumbers({ response }: Call): void {
    const numbers = this.numbers.map(({ channel, sender, displayPhone, name }) => ({
      channel,
      sender,
      display_phone: displayPhone,
      name: name ?? null,
    }));
    answerJson(response, 200, { numbers });
  }

  /** Newest first. `search` looks in the phone's digits and the name. */
  private listChats({ response, query }: Call): void {
    const sender = query.get('sender');
    const words = (query.get('search') ?? '').trim().toLowerCase();
    const chats = this.book
      .newest()
      .filter((chat) => chat.messages.length > 0 && (sender === null || chat.number.sender === sender))
      .filter(({ phone, name }) => phone.includes(words) || (name ?? '').toLowerCase().includes(words));
    answerJson(response, 200, { total: chats.length, chats: chats.slice(0, CHATS_MAX).map(chatLine) });
  }

  private readChat({ response, query }: Call): void {
    const chat = this.customer.chatOf(addressOf(query));
    answerJson(response, 200, {
      ...chatLine(chat),
      window_until: chat.windowUntil,
      messages: chat.messages.map(shownMessage),
    });
  }

  /** While the page listens to a chat, the chat counts as open: arriving messages are read. */
  private listen({ response, query }: Call): void {
    const chat = query.has('phone') ? this.customer.chatOf(addressOf(query)) : null;
    this.feed.join(response, chat);
    if (chat) this.reporter.readAll(chat);
  }

  private read(address: ChatAddress): void {
    this.reporter.readAll(this.customer.chatOf(address));
  }
}

const addressOf = (query: URLSearchParams): ChatAddress => ({
  sender: query.get('sender') ?? '',
  phone: query.get('phone') ?? '',
});

const changing = (act: (body: Record<string, unknown> | null) => object | void): Handler =>
  refuseForeignPages(
    guarded(({ response, body }) => answerJson(response, 200, act(objectOf(body)) ?? { ok: true })),
  );
