import type { SendTemplateStep } from '@app/contracts/scenario.words';
import type { TemplateContent } from '../../messages/message-sender.port';
import { beforeSend } from '../send.rules';
import type { Decision, StepKindRules, StepMoment } from '../step.decision';
import { renderedDeep } from '../step.texts';

/** The language of a template where a step names none, as in send-template. */
const DEFAULT_LANGUAGE = 'ru';

/** Sends a template, as send-template does. */
export class SendTemplateRules implements StepKindRules<SendTemplateStep> {
  readonly kind = 'send_template';

  decide(step: SendTemplateStep, at: StepMoment): Decision {
    const held = beforeSend(step, at);
    if (held) return held;
    const { params = [], named_params: namedParams, header, buttons } = step;
    const values = renderedDeep({ params, namedParams, header, buttons }, at);
    if ('failed' in values) return { kind: 'failed', error: values.failed };
    const filled = values.value;
    return {
      kind: 'errand',
      order: {
        kind: 'message',
        channel: step.channel ?? at.dialog.channel,
        content: {
          type: 'template',
          templateId: step.template_id,
          language: step.template_language ?? DEFAULT_LANGUAGE,
          params: filled.params,
          ...(filled.namedParams && { namedParams: filled.namedParams }),
          ...(filled.header && { header: filled.header as TemplateContent['header'] }),
          ...(filled.buttons && { buttons: filled.buttons as unknown as TemplateContent['buttons'] }),
        },
      },
    };
  }
}
