import { Module } from '@nestjs/common';
import { LeadEditsController } from './lead-edits.controller';
import { LeadsController } from './leads.controller';

@Module({ controllers: [LeadsController, LeadEditsController] })
export class LeadsModule {}
