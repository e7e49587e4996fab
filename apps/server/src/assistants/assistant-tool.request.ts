import { TOOL_METHODS, type ToolFact, type ToolMethod, URL_LONGEST } from '@app/contracts/tool.words';
import { TOOL_DEFAULTS } from '@app/domain/assistants/tool.rules';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsObject, IsString, Max, Min } from 'class-validator';
import { IsName, MayBeAbsent } from '../http/dto/dto.decorator';
import { AUTO_FILL, PARAMETERS, TOOL_MEANING } from './assistant-tool.answer';

const DESCRIPTION_LONGEST = 1_024;
const TIMEOUT_MS: [least: number, most: number] = [1_000, 30_000];

const NAME = { description: TOOL_MEANING.name, example: 'find_stock' };
const DESCRIPTION = {
  description: TOOL_MEANING.description,
  maxLength: DESCRIPTION_LONGEST,
  example: 'How many of a machine are in stock.',
};
const METHOD = { enum: TOOL_METHODS, description: TOOL_MEANING.method, example: 'GET' };
const URL = {
  maxLength: URL_LONGEST,
  description: TOOL_MEANING.url,
  example: 'https://shop.example.com/stock',
};
const HEADERS = {
  type: 'object' as const,
  additionalProperties: { type: 'string' as const },
  description:
    'Sent with each call: at most 20, the values printable ASCII in one line. Kept encrypted and never shown again. Not those of the connection, of the body’s form, Host and User-Agent',
  example: { Authorization: 'Bearer 4f1c9be27d60a8352e9b7c14' },
};

/** Fields that may be absent in a new one and in a change. */
class ToolOptionsRequest {
  @ApiPropertyOptional(AUTO_FILL)
  @MayBeAbsent()
  @IsObject()
  auto_fill?: Record<string, ToolFact>;

  @ApiPropertyOptional(HEADERS)
  @MayBeAbsent()
  @IsObject()
  headers?: Record<string, unknown>;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: TIMEOUT_MS[0],
    maximum: TIMEOUT_MS[1],
    description: `${TOOL_MEANING.timeout_ms}. A new tool has ${TOOL_DEFAULTS.timeout_ms}.`,
    example: 5_000,
  })
  @MayBeAbsent()
  @IsInt()
  @Min(TIMEOUT_MS[0])
  @Max(TIMEOUT_MS[1])
  timeout_ms?: number;

  @ApiPropertyOptional({ description: `${TOOL_MEANING.enabled}. A new tool is.`, example: true })
  @MayBeAbsent()
  @IsBoolean()
  enabled?: boolean;
}

export class CreateToolRequest extends ToolOptionsRequest {
  @ApiProperty(NAME)
  @IsString()
  @IsNotEmpty()
  name: string;

  @ApiProperty(DESCRIPTION)
  @IsName(DESCRIPTION_LONGEST)
  description: string;

  @ApiProperty(METHOD)
  @IsIn(TOOL_METHODS)
  method: ToolMethod;

  @ApiProperty(URL)
  @IsString()
  @IsNotEmpty()
  url: string;

  @ApiPropertyOptional({ ...PARAMETERS, description: `${TOOL_MEANING.parameters}. Absent: it takes none.` })
  @MayBeAbsent()
  @IsObject()
  parameters?: Record<string, unknown>;
}

export class ChangeToolRequest extends ToolOptionsRequest {
  @ApiPropertyOptional(NAME)
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  name?: string;

  @ApiPropertyOptional(DESCRIPTION)
  @MayBeAbsent()
  @IsName(DESCRIPTION_LONGEST)
  description?: string;

  @ApiPropertyOptional(METHOD)
  @MayBeAbsent()
  @IsIn(TOOL_METHODS)
  method?: ToolMethod;

  @ApiPropertyOptional(URL)
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  url?: string;

  @ApiPropertyOptional(PARAMETERS)
  @MayBeAbsent()
  @IsObject()
  parameters?: Record<string, unknown>;
}
