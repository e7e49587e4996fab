import { FigureRepository } from '@app/persistence/figures/figure.repository';
import { Injectable } from '@nestjs/common';
import { visibilityOf, type Principal } from '../accounts/principal.rules';
import { AssistantNotFoundError } from '../leads/lead.errors';
import { BotAccess } from '../messages/sending/bot-access';
import { FigureCounting } from './figures.worker';
import {
  funnelFigures,
  type FunnelFigures,
  localDays,
  templateFigures,
  type TemplateFigures,
} from './figures.presenter';

/** Longest span of figures. */
export const FIGURE_DAYS_MAX = 400;

/** From an instant to a later one, which is not part of it. */
interface Span {
  from: Date;
  to: Date;
}

/** A span as it is answered, in ISO 8601, and whether everything in it is counted. */
type Counted<Figures> = Figures & { from: string; to: string; complete: boolean };

/** Figures of funnels and templates, exact and up to the call itself. */
@Injectable()
export class FiguresService {
  constructor(
    private readonly counting: FigureCounting,
    private readonly figures: FigureRepository,
    private readonly bots: BotAccess,
  ) {}

  /**
   * @param asked a time zone for which `isTimezone` holds: its local days are those of the answer
   * @throws AssistantNotFoundError
   */
  async funnel(
    by: Principal,
    asked: Span & { assistantId: string; timezone: string },
  ): Promise<Counted<FunnelFigures & { assistant_id: string; timezone: string }>> {
    const { accountId, assistantIds } = visibilityOf(by);
    const { timezone } = asked;
    const assistantId = asked.assistantId.toLowerCase();
    if (!assistantIds.includes(assistantId)) throw new AssistantNotFoundError();
    const agent = { accountId, assistantId };
    const complete = await this.counting.bringUpToDate(agent);
    const days = localDays(asked.from, asked.to, timezone);
    const [from, to] = [asked.from.toISOString(), asked.to.toISOString()];
    const ranges = days.map((day) => ({ from: day.from, until: day.to }));
    const rows = await this.figures.funnel(agent, ranges);
    return { assistant_id: assistantId, ...{ from, to, timezone, complete }, ...funnelFigures(rows, days) };
  }

  /** @throws BotNotFoundError, BotForbiddenError */
  async templates(
    by: Principal,
    asked: Span & { botId: string },
  ): Promise<Counted<{ bot_id: string; templates: TemplateFigures[] }>> {
    const [from, to] = [asked.from.toISOString(), asked.to.toISOString()];
    const bot = await this.bots.requireBot(by, asked.botId);
    const complete = await this.counting.bringUpToDate(bot);
    const templates = templateFigures(await this.figures.templates(bot, { from, until: to }));
    return { bot_id: bot.botId, ...{ from, to, complete }, templates };
  }
}
