import { MAGIC_WORDS } from '@app/contracts/magic-numbers';
import { type CallRouter, type Handler, refuseForeignPages } from '../http/call-router';
import { answerJson, objectOf } from '../http/json.answer';
import { ScriptError } from './reply-script';
import type { ScriptedModel } from './scripted-model';

/** How tests script the model in advance, and read its requests afterwards. */
export function addModelControl(router: CallRouter, model: ScriptedModel): void {
  router
    .on('GET', /^\/sandbox\/magic-words$/, ({ response }) => answerJson(response, 200, MAGIC_WORDS))
    .on('GET', /^\/sandbox\/model\/requests$/, ({ response, query }) => {
      const since = Number(query.get('since')) || 0;
      const entries = model.requests.list({ since, contains: query.get('contains') ?? undefined });
      const withBody = query.get('bodies') !== 'no';
      answerJson(response, 200, withBody ? entries : entries.map(({ body: _body, ...entry }) => entry));
    })
    .on(
      'POST',
      /^\/sandbox\/model\/replies$/,
      changing(({ body }) => {
        model.script.add(parsed(body));
        return { waiting: model.script.size };
      }),
    )
    .on('GET', /^\/sandbox\/model\/transcriptions$/, ({ response }) =>
      answerJson(response, 200, model.hearing.list()),
    )
    .on(
      'POST',
      /^\/sandbox\/model\/transcripts$/,
      changing(({ body }) => ({ waiting: model.hearing.add(parsed(body)) })),
    )
    .on(
      'POST',
      /^\/sandbox\/model\/release$/,
      changing(({ body }) => {
        const n = objectOf(body)?.n;
        model.release(typeof n === 'number' ? n : undefined);
        return { ok: true };
      }),
    )
    .on(
      'DELETE',
      /^\/sandbox\/model$/,
      changing(() => {
        model.script.clear();
        model.hearing.clear();
        model.requests.clear();
        return { ok: true };
      }),
    );
}

const changing = (act: (call: Parameters<Handler>[0]) => object): Handler =>
  refuseForeignPages((call) => {
    try {
      answerJson(call.response, 200, act(call));
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      answerJson(call.response, 400, { error: error.message });
    }
  });

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw new ScriptError('The body must be a reply, or an array of replies, as JSON.');
  }
}
