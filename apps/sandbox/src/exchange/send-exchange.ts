import type { ServerResponse } from 'node:http';
import type { ChatBook } from '../chats/chat-book';
import type { SentMessage } from '../chats/chat.words';
import { newWhatsappId } from '../chats/whatsapp-ids';
import { answer, type Answer } from '../http/json.answer';
import type { FileFetcher } from '../files/file-fetcher';
import { shownFile } from '../files/file.store';
import type { LedgerBuffer } from '../ledger-buffer';
import { magicActOf, MagicCounts, type LostAnswer, type Refusal } from '../magic/magic-acts';
import type { PendingTimers } from '../pending-timers';
import type { SandboxSettings } from '../sandbox-options';
import { answerGarbage, answerHuge, hang, REDIRECT, reset } from './lost-answers';
import type { ProviderFormatter, SendRequest } from './provider-formatter';
import type { StateReporter } from './state-reporter';

const WINDOW_CLOSED = 131047;
const STOPPED = 131050;
const LATER_REFUSAL: Refusal = { httpStatus: 400, code: WINDOW_CLOSED, message: 'Re-engagement message' };
const SERVER_ERRORS: Readonly<Record<SendRequest['number']['channel'], Refusal>> = {
  waba_coexistence: { httpStatus: 503, code: 2, message: 'Service temporarily unavailable' },
  waba: { httpStatus: 500, code: null, message: 'Internal Server Error' },
};

/** Handles a request to send, once its provider has read it: magic phones first, then the usual outcome. */
export class SendExchange {
  private readonly counts = new MagicCounts();

  constructor(
    private readonly book: ChatBook,
    private readonly ledger: LedgerBuffer,
    private readonly reporter: StateReporter,
    private readonly timers: PendingTimers,
    private readonly fetcher: FileFetcher,
    private readonly settings: Pick<SandboxSettings, 'latencyMs' | 'windowRefusal'>,
  ) {}

  handle(request: SendRequest, formatter: ProviderFormatter, response: ServerResponse): void {
    const { number, phone } = request;
    const found = magicActOf(phone, number.channel);
    const acts = found && (!('times' in found) || this.counts.acts(`${number.sender}:${phone}`, found.times));
    const act = acts ? found : null;
    if (act?.kind === 'refuse') return this.refuse(request, act.refusal, formatter, response);
    const failure = act?.kind === 'fail' ? act.code : this.failureOf(request);
    if (failure === WINDOW_CLOSED && number.channel !== 'waba' && this.settings.windowRefusal === 'at once')
      return this.refuse(request, LATER_REFUSAL, formatter, response);

    const sent = this.take(request, formatter, act?.kind === 'lose' ? `taken, ${act.how}` : 'taken');
    const lost = act?.kind === 'lose';
    const order = act?.kind === 'tell' ? act.order : 'ordinary';
    const code = act?.kind === 'tell' ? act.code : null;
    const begin = (): void => this.reporter.begin(sent, order, lost, code);
    if (failure !== null) this.reporter.fail(sent, failure, lost);
    else if (request.fileUrl === undefined) begin();
    else void this.fetchFile(request, request.fileUrl, sent, lost).then((isThere) => isThere && begin());
    if (act?.kind === 'lose') return this.lose(act.how, request, formatter, response);
    const accepted = formatter.accepted(sent, request);
    if (order === 'before-answer' && failure === null)
      void this.answerAfterState(sent, formatter, response, accepted);
    else this.answerLater(response, accepted);
  }

  /** A request that the provider refuses because of its content. */
  refuse(
    request: Omit<SendRequest, 'laterFailure'>,
    refusal: Refusal,
    formatter: ProviderFormatter,
    response: ServerResponse,
  ): void {
    this.note(request, `refused ${refusal.code ?? refusal.httpStatus}`);
    this.answerLater(response, formatter.refused(refusal));
  }

  /** @returns whether the phone has the file. Without it the message fails. */
  private async fetchFile(
    { number, type, fileName }: SendRequest,
    url: string,
    sent: SentMessage,
    lost: boolean,
  ): Promise<boolean> {
    const got = await this.fetcher.fetch(number.sender, type, url, fileName ?? null);
    if ('failure' in got) {
      this.reporter.fail(sent, got.failure, lost);
      return false;
    }
    sent.content = { ...sent.content, file: shownFile(got.file) };
    this.book.changed(sent.chat, sent);
    return true;
  }

  private failureOf({ laterFailure, template, number, phone }: SendRequest): number | null {
    if (laterFailure !== null) return laterFailure;
    const chat = this.book.find(number, phone);
    if (template) return chat?.stopped && template.category === 'marketing' ? STOPPED : null;
    return chat && chat.windowUntil > Date.now() ? null : WINDOW_CLOSED;
  }

  private take(request: SendRequest, formatter: ProviderFormatter, outcome: string): SentMessage {
    this.note(request, outcome);
    const chat = this.book.open(request.number, request.phone);
    const sent: SentMessage = {
      id: newWhatsappId(request.phone, false),
      from: 'business',
      at: Date.now(),
      type: request.type,
      content: request.content,
      state: 'accepted',
      errorCode: null,
      replyTo: request.replyTo,
      reaction: null,
      chat,
      gupshupId: formatter.newProviderId(),
      reference: request.reference,
      category: request.template?.category ?? 'service',
      readable: true,
      times: 1,
    };
    this.book.add(chat, sent);
    // The business takes the conversation back by that.
    chat.elsewhere = false;
    return sent;
  }

  private lose(
    how: LostAnswer,
    request: SendRequest,
    formatter: ProviderFormatter,
    response: ServerResponse,
  ): void {
    switch (how) {
      case 'server-error':
        return answer(response, formatter.refused(SERVER_ERRORS[request.number.channel]));
      case 'hang':
        return hang();
      case 'reset':
        return reset(response);
      case 'garbage':
        return answerGarbage(response);
      case 'huge':
        return answerHuge(response);
      case 'redirect':
        return answer(response, REDIRECT);
      case 'without-id':
        return answer(response, formatter.acceptedWithoutId());
    }
  }

  private async answerAfterState(
    sent: SentMessage,
    formatter: ProviderFormatter,
    response: ServerResponse,
    accepted: Answer,
  ): Promise<void> {
    const reported = { state: 'sent', code: null } as const;
    this.reporter.show(sent, reported);
    await formatter.reportStateNow(sent, reported);
    this.answerLater(response, accepted);
  }

  private answerLater(response: ServerResponse, what: Answer): void {
    if (this.settings.latencyMs === 0) answer(response, what);
    else this.timers.after(this.settings.latencyMs, () => answer(response, what));
  }

  /** What the ledger keeps of a request. */
  note(request: Omit<SendRequest, 'laterFailure'>, outcome: string): void {
    this.ledger.note({
      channel: request.number.channel,
      sender: request.number.sender,
      to: request.phone || null,
      type: request.type,
      reference: request.reference,
      template: request.template?.name ?? null,
      text: request.content.text,
      outcome,
    });
  }
}
