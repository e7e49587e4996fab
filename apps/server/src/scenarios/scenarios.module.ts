import { Module } from '@nestjs/common';

/** Scenarios and their runs, for admins. */
@Module({})
export class ScenariosModule {}
