import { Module } from '@nestjs/common';
import { AccountsController } from './accounts.controller';
import { ApiKeysController } from './api-keys.controller';

@Module({ controllers: [AccountsController, ApiKeysController] })
export class AccountsModule {}
