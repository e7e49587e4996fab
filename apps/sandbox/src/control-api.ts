import { MAGIC_NUMBERS } from '@app/contracts/magic-numbers';
import { TEMPLATE_STATUSES } from '@app/contracts/template.words';
import { type CallRouter, refuseForeignPages } from './http/call-router';
import { answerJson, objectOf, text } from './http/json.answer';
import type { LedgerBuffer } from './ledger-buffer';
import type { TemplateStore } from './templates/template.store';

/** The sandbox's control endpoints: the ledger, the table of magic phones, decisions of moderation. */
export function addControlApi(router: CallRouter, ledger: LedgerBuffer, templates: TemplateStore): void {
  router
    .on('GET', /^\/sandbox\/ledger$/, ({ response, query }) => {
      const phone = query.get('phone') ?? undefined;
      answerJson(response, 200, ledger.list({ phone, since: Number(query.get('since')) || 0 }));
    })
    .on('GET', /^\/sandbox\/ledger\/counts$/, ({ response }) => answerJson(response, 200, ledger.counts()))
    .on(
      'DELETE',
      /^\/sandbox\/ledger$/,
      refuseForeignPages(({ response }) => {
        ledger.clear();
        answerJson(response, 200, { ok: true });
      }),
    )
    .on('GET', /^\/sandbox\/magic-numbers$/, ({ response }) => answerJson(response, 200, MAGIC_NUMBERS))
    .on(
      'POST',
      /^\/sandbox\/templates\/([^/]+)$/,
      refuseForeignPages(({ response, params, body }) => {
        const template = templates.any(params[0] ?? '');
        const given = objectOf(body);
        const status = TEMPLATE_STATUSES.find((one) => one === given?.status);
        if (!template) return answerJson(response, 404, { error: 'There is no such template.' });
        if (!status)
          return answerJson(response, 400, {
            error: `status must be one of ${TEMPLATE_STATUSES.join(', ')}.`,
          });
        templates.setStatus(template, status, text(given?.reason));
        answerJson(response, 200, { ok: true });
      }),
    );
  for (const method of ['GET', 'POST'])
    router.on(method, /^\/sandbox\/redirected$/, ({ response, body }) => {
      ledger.note({
        channel: 'waba_coexistence',
        sender: '',
        to: null,
        type: 'redirected',
        reference: null,
        template: null,
        text: body.toString('utf8').slice(0, 1000),
        outcome: 'followed',
      });
      answerJson(response, 200, { ok: true });
    });
}
