import type { FieldViolation } from '@app/contracts/coded.errors';
import { FIGURE_DAYS_MAX } from '@app/domain/figures/figures.service';
import { demoId } from '@app/contracts/demo-ids';
import { IsNotEmpty, IsString, IsUUID } from 'class-validator';
import { IsTime, IsTimezone, TIMEZONE_MAX } from '../http/dto/dto.decorator';
import { Refine } from '../http/docs/dto-schema-check';
import { EXAMPLE_ASSISTANT_ID } from '../http/docs/example-ids';
import { ApiProperty } from '../http/docs/openapi.decorator';

const DAY_MS = 86_400_000;

function spanOf({ from, to }: { from: string; to: string }): FieldViolation[] {
  const length = Date.parse(to) - Date.parse(from);
  if (length <= 0) return [{ path: 'to', message: 'must be after from' }];
  if (length <= FIGURE_DAYS_MAX * DAY_MS) return [];
  return [{ path: 'to', message: `must be at most ${FIGURE_DAYS_MAX} days after from` }];
}

@Refine(spanOf)
export class GetFunnelFiguresRequest {
  @ApiProperty({ description: 'The agent whose funnel it is.', example: EXAMPLE_ASSISTANT_ID })
  @IsString()
  @IsNotEmpty()
  assistant_id: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The beginning of the span.',
    example: '2026-11-01T00:00:00+05:00',
  })
  @IsTime()
  from: string;

  @ApiProperty({
    format: 'date-time',
    description: `The end of the span, which is not part of it: after \`from\`, at most ${FIGURE_DAYS_MAX} days.`,
    example: '2026-12-01T00:00:00+05:00',
  })
  @IsTime()
  to: string;

  @ApiProperty({
    maxLength: TIMEZONE_MAX,
    description: 'Whose days `days` are: a name of the IANA database.',
    example: 'Asia/Almaty',
  })
  @IsTimezone()
  timezone: string;
}

@Refine(spanOf)
export class GetTemplateFiguresRequest {
  @ApiProperty({ format: 'uuid', example: demoId('bot', 1) })
  @IsUUID('loose')
  bot_id: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The beginning of the span.',
    example: '2026-11-01T00:00:00+05:00',
  })
  @IsTime()
  from: string;

  @ApiProperty({
    format: 'date-time',
    description: `The end of the span, which is not part of it: after \`from\`, at most ${FIGURE_DAYS_MAX} days.`,
    example: '2026-12-01T00:00:00+05:00',
  })
  @IsTime()
  to: string;
}
