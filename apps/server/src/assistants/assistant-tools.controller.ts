import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { AssistantToolsService } from '@app/domain/assistants/assistant-tools.service';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { pageOf } from '../http/routes/opaque-cursor';
import { PageQuery, parsePage } from '../http/routes/page.query';
import {
  ToolAnswer,
  ToolListAnswer,
  CHANGE_TOOL_EXAMPLES,
  CREATE_TOOL_EXAMPLES,
} from './assistant-tool.answer';
import { ChangeToolRequest, CreateToolRequest } from './assistant-tool.request';

const ID = { name: 'id', description: 'The agent', example: demoId('assistant', 1) };
const TOOL_ID = { name: 'tool_id', example: demoId('tool', 1) };

@ApiTags('Admin: tools')
@Controller('api/v1/admin/assistants/:id/tools')
export class AssistantToolsController {
  constructor(private readonly tools: AssistantToolsService) {}

  @Get()
  @Access('tool.list')
  @ApiParam(ID)
  @Documented({
    summary: 'List the tools of an agent',
    description: 'In the order of their making, with the names of their headers; never a header’s value.',
    answer: ToolListAnswer,
    security: 'AdminKey',
    errors: ['ASSISTANT_NOT_FOUND', 'VALIDATION_ERROR'],
  })
  async listTools(@CurrentPrincipal() by: Principal, @Param('id') id: string, @Query() query: PageQuery) {
    const { limit, after } = parsePage(query);
    const { page, next_cursor } = pageOf(await this.tools.list(by, id, after, limit + 1), limit);
    return ok({ tools: page, next_cursor });
  }

  @Post()
  @Access('tool.create')
  @ApiParam(ID)
  @ApiBody({ type: CreateToolRequest, examples: CREATE_TOOL_EXAMPLES })
  @Documented({
    summary: 'Give an agent a tool',
    description:
      'An address of yours that the model may call while it writes a reply; an agent has at most 32. The headers are kept encrypted and never shown again.',
    answer: ToolAnswer,
    status: 201,
    security: 'AdminKey',
    errors: ['ASSISTANT_NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async createTool(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: CreateToolRequest,
  ) {
    const { headers = {}, ...tool } = body;
    return ok(await this.tools.create(by, id, tool, headers));
  }

  @Patch(':tool_id')
  @Access('tool.update')
  @ApiParam(ID)
  @ApiParam(TOOL_ID)
  @ApiBody({ type: ChangeToolRequest, examples: CHANGE_TOOL_EXAMPLES })
  @Documented({
    summary: 'Change a tool',
    description: 'What is absent stays; parameters, auto_fill and headers are each given as a whole.',
    answer: ToolAnswer,
    security: 'AdminKey',
    errors: [
      'ASSISTANT_NOT_FOUND',
      'TOOL_NOT_FOUND',
      'ALREADY_EXISTS',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
  })
  async changeTool(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Param('tool_id') toolId: string,
    @Body() body: ChangeToolRequest,
  ) {
    const { headers = null, ...change } = body;
    return ok(await this.tools.change(by, id, toolId, change, headers));
  }

  @Delete(':tool_id')
  @Access('tool.delete')
  @ApiParam(ID)
  @ApiParam(TOOL_ID)
  @Documented({
    summary: 'Take a tool from an agent',
    description: 'With its headers. The answer is the tool as it was.',
    answer: ToolAnswer,
    security: 'AdminKey',
    errors: ['ASSISTANT_NOT_FOUND', 'TOOL_NOT_FOUND'],
  })
  async removeTool(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Param('tool_id') toolId: string,
  ) {
    return ok(await this.tools.remove(by, id, toolId));
  }
}
