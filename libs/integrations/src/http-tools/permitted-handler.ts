import type { SendPermit } from '@app/domain/messages/dispatch/message-sender.port';
import { DecoratorHandler, type Dispatcher } from 'undici';

/** Nothing was sent, because the permit was void. */
export class WithheldError extends Error {
  constructor() {
    super('a request was withheld');
  }
}

/**
 * Checks a permit in the tick in which undici writes the request, as {@link ProviderExchange} does for providers.
 */
export class PermittedHandler extends DecoratorHandler {
  constructor(
    private readonly inner: Dispatcher.DispatchHandler,
    private readonly permit: SendPermit,
  ) {
    super(inner);
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.inner.onRequestStart?.(controller, context);
    if (!this.permit.isValid()) return controller.abort(new WithheldError());
    // Runs after the write, which undici does when this call returns.
    queueMicrotask(() => this.permit.used());
  }
}

/** Has a client's requests wait for no one, but be written only with the permit. */
export const permittedBy =
  (permit: SendPermit): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    dispatch(options, new PermittedHandler(handler, permit));
