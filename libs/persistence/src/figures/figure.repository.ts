import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import type { FigureAgent } from './figure-count.repository';
import {
  ENTERED,
  LEFT,
  MESSAGES,
  STAGES,
  STANDING,
  STAY_TIMES,
  type EntriesOfDay,
  type LeavesOfDay,
  type MessagesOfDay,
  type StageOfFigures,
  type StayTimes,
} from './funnel-figures.statements';
import { TEMPLATES, type TemplateCount } from './template-figures.statements';

export type { EntriesOfDay, LeavesOfDay, MessagesOfDay, StageOfFigures, StayTimes, TemplateCount };

/** From the beginning of its first day to its end, which is not part of it. Times are ISO 8601. */
export interface FigureSpan {
  /** The beginnings of its days, in order, none twice; the first is the span's own. */
  bounds: readonly string[];
  until: string;
}

/** What is known of a funnel: of a span, but for where leads stand now. A stage or a day without anything has no row. */
export interface FunnelRows {
  stages: StageOfFigures[];
  standing: { status_id: string | null; now: number }[];
  entered: EntriesOfDay[];
  left: LeavesOfDay[];
  times: StayTimes[];
  messages: MessagesOfDay[];
}

/** Reads figures from what is counted. */
@Injectable()
export class FigureRepository {
  constructor(private readonly database: Database) {}

  /** The statements run side by side: each reads an index of its own. */
  async funnel(agent: FigureAgent, { bounds, until }: FigureSpan): Promise<FunnelRows> {
    const { accountId } = agent;
    const span = { ...agent, bounds, until };
    const [stages, standing, entered, left, times, messages] = await Promise.all([
      this.database.runFor(accountId, STAGES, { ...agent }),
      this.database.runFor(accountId, STANDING, { ...agent }),
      this.database.runFor(accountId, ENTERED, span),
      this.database.runFor(accountId, LEFT, span),
      this.database.runFor(accountId, STAY_TIMES, { ...agent, from: bounds[0], until }),
      this.database.runFor(accountId, MESSAGES, span),
    ]);
    return { stages, standing, entered, left, times, messages };
  }

  /** Of templates of which nothing was sent there is no row. */
  async templates(
    of: { accountId: string; botId: string },
    from: string,
    until: string,
  ): Promise<TemplateCount[]> {
    return this.database.runFor(of.accountId, TEMPLATES, { ...of, from, until });
  }
}
