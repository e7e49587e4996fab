import { ApiProperty } from '../docs/openapi.decorator';

export class HoursSpanSchema {
  @ApiProperty({
    type: 'integer',
    isArray: true,
    description: '1 is Monday, 7 is Sunday',
    example: [1, 2, 3, 4, 5],
  })
  weekdays: number[];

  @ApiProperty({ description: 'Local', example: '09:00' })
  from: string;

  @ApiProperty({
    description: 'Local; `24:00` is the end of the day; before `from`: of the next day',
    example: '20:00',
  })
  to: string;
}

/** As in requests; whose clock it is, is said beside it. */
export class OpeningHoursSchema {
  @ApiProperty({ type: [HoursSpanSchema], minItems: 1, maxItems: 28 })
  spans: HoursSpanSchema[];

  @ApiProperty({
    type: [String],
    description: 'Local dates without hours; absent in a request: none',
    example: ['2026-12-31'],
  })
  closed: string[];
}
